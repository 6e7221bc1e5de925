/* forward_stack.c - the stack of an operation of PyTorch for its backward
 * operation
 */

#include <string.h>

#include "tq/base/ascii.h"

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
