/* call_names.c - the names of API calls in nsys */

#include "tq/base/time.h"

#include "call_names.h"

static struct span
without_version(struct span raw)
{
	const char *p = raw.p + raw.len - 6;

	if (raw.len < 6 || p[0] != '_' || p[1] != 'v')
		return raw;
	for (size_t i = 2; i < 6; i++)
		if (p[i] < '0' || p[i] > '9')
			return raw;
	raw.len -= 6;
	return raw;
}

struct span
call_names_shown(const struct event *ev, struct text *t)
{
	return without_version(event_str(ev, KEY_raw, t));
}

void
call_names_add(struct call_names *c, struct intern *names,
    const struct event *ev, struct text *t)
{
	struct span shown, name;

	if (!event_has(ev, KEY_raw))
		return;
	t->len = 0;
	shown = call_names_shown(ev, t);
	name = event_str(ev, KEY_name, t);
	if (shown.len != name.len)
		*map_get(&c->map, (uint64_t)event_int(ev, KEY_pid, NO_ID),
		    (uint64_t)event_int(ev, KEY_corr, NO_ID)) =
		    1 + (uint64_t)intern_get(names, shown);
}

bool
call_names_find(
    const struct call_names *c, const struct event *ev, uint32_t *name)
{
	const uint64_t *number = NULL;

	if (c->map.count > 0)
		number =
		    map_find(&c->map, (uint64_t)event_int(ev, KEY_pid, NO_ID),
			(uint64_t)event_int(ev, KEY_corr, NO_ID));
	if (number != NULL)
		*name = (uint32_t)(*number - 1);
	return number != NULL;
}
