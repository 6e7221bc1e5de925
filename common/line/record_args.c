/* record_args.c - the members of args */

#include <errno.h>
#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/line/record_args.h"

void
record_args_find(const struct event *ev, const char *const *names, size_t count,
    struct span *values, struct text *scratch)
{
	struct json j;
	struct span value;

	for (size_t i = 0; i < count; i++)
		values[i] = (struct span){"", 0};
	if (!event_has(ev, KEY_args))
		return;
	json_open(&j, ev->value[KEY_args]);
	while (json_next(&j, scratch, &value))
		for (size_t i = 0; i < count; i++)
			if (span_eq(text_span(scratch), span_of(names[i])))
				values[i] = value;
}

/* without the quotes; empty if it is no string */
static struct span
unquote(struct span value)
{
	if (value.len < 2 || *value.p != '"')
		return (struct span){"", 0};
	return (struct span){value.p + 1, value.len - 2};
}

bool
record_args_int(struct span value, int64_t *v)
{
	struct span digits = unquote(value);

	if (digits.len == 0)
		digits = value;
	if (digits.len == 0 || *digits.p == '+' || *digits.p <= ' ')
		return false;
	return json_int(digits, v);
}

bool
record_args_address(struct span value, uint64_t *v)
{
	struct span s = unquote(value);
	char buf[32], *end;

	if (s.len < 3 || s.len >= sizeof(buf) || s.p[0] != '0' ||
	    (s.p[1] | 32) != 'x')
		return false;
	memcpy(buf, s.p, s.len);
	buf[s.len] = '\0';
	errno = 0;
	*v = strtoull(buf, &end, 16);
	return errno == 0 && *end == '\0';
}

bool
record_args_is(struct span value, const char *s)
{
	return span_eq(unquote(value), span_of(s));
}
