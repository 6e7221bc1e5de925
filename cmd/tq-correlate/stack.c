/* stack.c - ranges in order of their start */

#include <stdlib.h>
#include <string.h>

#include "tq/mem.h"

#include "ranges.h"
#include "stack.h"

void
stack_free(struct stack *s)
{
	free(s->slots);
	*s = (struct stack){0};
}

/* set within from slot i on, where the range of i is a new one */
static void
renew(struct stack *s, size_t i)
{
	int64_t within = i > 0 ? s->slots[i - 1].within : INT64_MAX;

	for (; i < s->count; i++) {
		int64_t end = s->slots[i].range->end;

		within = end < within ? end : within;
		s->slots[i].within = within;
	}
}

void
stack_add(struct stack *s, struct range *r)
{
	size_t i = s->count++;

	if (s->count > s->cap) {
		s->cap = s->cap * 2 + 16;
		s->slots = mem_resize(s->slots, s->cap, sizeof(*s->slots));
	}
	for (; i > 0; i--) {
		const struct range *x = s->slots[i - 1].range;

		if (x->ts < r->ts || (x->ts == r->ts && x->end >= r->end))
			break;
		s->slots[i] = s->slots[i - 1];
	}
	s->slots[i].range = r;
	renew(s, i);
}

void
stack_remove(struct stack *s, const struct range *r)
{
	size_t i = s->count;

	while (i > 0 && s->slots[i - 1].range != r)
		i--;
	if (i == 0)
		return;
	memmove(&s->slots[i - 1], &s->slots[i],
	    (s->count - i) * sizeof(*s->slots));
	s->count--;
	renew(s, i - 1);
}

/* unsigned, so that no pair of times overflows it */
static uint64_t
between(int64_t from, int64_t to)
{
	return (uint64_t)to - (uint64_t)from;
}

/* The least slack is the shortest range, since all enclose the same one. */
struct range *
stack_parent(const struct stack *s, const struct range *r)
{
	struct range *best = NULL;
	uint64_t length = UINT64_MAX;

	for (size_t i = s->count; i-- > 0;) {
		struct range *x = s->slots[i].range;

		if (x->ts > r->ts || x->end < r->end)
			continue;
		if (best != NULL && between(x->ts, r->end) >= length)
			break; /* from here on they start too early */
		if (best == NULL || between(x->ts, x->end) < length) {
			best = x;
			length = between(x->ts, x->end);
		}
		if (x->end == s->slots[i].within)
			break; /* all that is left encloses x too */
	}
	return best;
}
