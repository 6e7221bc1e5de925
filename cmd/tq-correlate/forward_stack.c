/* forward_stack.c - the stack of an operation of PyTorch for its backward
 * operation
 */

#include <string.h>

#include "tq/base/ascii.h"
#include "tq/line/json.h"

#include "forward_stack.h"

/* the number behind ", seq = " in a name; false: it has none */
static bool
number_of(struct span name, uint64_t *number)
{
	static const char mark[] = ", seq = ";
	const size_t len = sizeof(mark) - 1;
	const char *end = name.p + name.len;
	const char *p = memmem(name.p, name.len, mark, len);

	if (p == NULL || !ascii_is_digit(*(p += len)))
		return false;
	for (*number = 0; p < end && ascii_is_digit(*p); p++)
		*number = *number * 10 + (uint64_t)(*p - '0');
	return true;
}

int64_t
forward_stack(struct forward_stacks *s, const struct event *ev)
{
	bool has = event_has(ev, KEY_stack);
	uint64_t number, pid, *stack;

	if ((!has && s->stacks.count == 0) || !event_has(ev, KEY_name) ||
	    !number_of(ev->value[KEY_name], &number))
		return 0;
	pid = (uint64_t)event_int(ev, KEY_pid, -1);
	if (!has) {
		stack = map_find(&s->stacks, pid, number);
		return stack != NULL ? (int64_t)*stack : 0;
	}
	if (s->stacks.count >= FORWARD_STACK_MOST)
		map_clear(&s->stacks);
	*map_get(&s->stacks, pid, number) =
	    (uint64_t)event_int(ev, KEY_stack, 0);
	return 0;
}

bool
forward_stack_evaluates(const struct event *ev)
{
	static const char begin[] = "\"autograd::engine::evaluate_function: ";
	struct span name = ev->value[KEY_name];

	return event_has(ev, KEY_name) && name.len >= sizeof(begin) - 1 &&
	       memcmp(name.p, begin, sizeof(begin) - 1) == 0;
}

/* True if the last frame ends with a line, and the record with the frames:
   "f (file.py:12)"]}. */
static bool
end_in_line(struct span record)
{
	static const char end[] = ")\"]}";
	size_t n = record.len, digits = 0;

	if (n < sizeof(end) ||
	    memcmp(record.p + n - (sizeof(end) - 1), end, sizeof(end) - 1) != 0)
		return false;
	n -= sizeof(end) - 1;
	while (digits < n && ascii_is_digit(record.p[n - 1 - digits]))
		digits++;
	return digits > 0 && digits < n && record.p[n - 1 - digits] == ':';
}

void
forward_stack_define(struct forward_stacks *s, struct span record)
{
	struct span value;
	struct json j;
	int64_t id;

	if (!end_in_line(record))
		return;
	json_open(&j, record);
	while (json_next(&j, &s->key, &value)) {
		if (!span_eq(text_span(&s->key), SPAN("id")) ||
		    !json_int(value, &id))
			continue;
		if (s->python.count >= FORWARD_STACK_MOST)
			map_clear(&s->python);
		*map_get(&s->python, (uint64_t)id, 0) = 1;
		break;
	}
}

bool
forward_stack_is_python(const struct forward_stacks *s, int64_t id)
{
	return map_find(&s->python, (uint64_t)id, 0) != NULL;
}

void
forward_stack_clear(struct forward_stacks *s)
{
	map_clear(&s->stacks);
	map_clear(&s->python);
}

void
forward_stack_free(struct forward_stacks *s)
{
	map_free(&s->stacks);
	map_free(&s->python);
	text_free(&s->key);
}
