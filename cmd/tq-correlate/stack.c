/* stack.c - ranges in order of their start */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "ranges.h"
#include "stack.h"

enum { NEAR = 16 }; /* to the top: so many slots may be moved */

void
stack_free(struct stack *s)
{
	free(s->slots);
	*s = (struct stack){0};
}

/* set slot i for r, above those that are set */
static void
set(struct stack *s, size_t i, struct range *r)
{
	struct slot *x = &s->slots[i];

	*x = (struct slot){r, r->ts, r->end, r->end};
	if (i > 0 && x[-1].within < x->within)
		x->within = x[-1].within;
	if (i > 0 && x[-1].reach > x->reach)
		x->reach = x[-1].reach;
}

/* no empty slots from i on, and what is known of the others is exact again */
static void
close_up(struct stack *s, size_t i)
{
	size_t n = i;

	for (; i < s->count; i++)
		if (s->slots[i].range != NULL)
			set(s, n++, s->slots[i].range);
	s->empty -= s->count - n;
	s->count = n;
}

static bool
below(const struct slot *x, const struct range *r)
{
	return x->ts < r->ts ||
	       (x->ts == r->ts && x->range != NULL && x->range->end >= r->end);
}

void
stack_add(struct stack *s, struct range *r)
{
	size_t i = s->count++;

	if (s->count > s->cap) {
		s->cap = s->cap * 2 + 4;
		s->slots = mem_resize(s->slots, s->cap, sizeof(*s->slots));
	}
	if (i == 0 || below(&s->slots[i - 1], r)) {
		set(s, i, r);
		return;
	}
	for (; i > 0 && !below(&s->slots[i - 1], r); i--)
		s->slots[i] = s->slots[i - 1];
	s->slots[i].range = r;
	close_up(s, 0);
}

/* the slot of r, which is in one */
static size_t
find(const struct stack *s, const struct range *r)
{
	size_t from = 0, to = s->count; /* the last that starts with r */

	while (to - from > 1) {
		size_t middle = from + (to - from) / 2;

		if (s->slots[middle].ts <= r->ts)
			from = middle;
		else
			to = middle;
	}
	while (s->slots[from].range != r)
		from--;
	return from;
}

/* take out slot i; those above it move down if they are few */
static void
take_out(struct stack *s, size_t i)
{
	s->slots[i].range = NULL;
	s->empty++;
	if (s->count - i <= NEAR)
		close_up(s, i);
	else if (s->empty > s->count / 2)
		close_up(s, 0);
}

void
stack_remove(struct stack *s, const struct range *r)
{
	if (s->slots[s->count - 1].range != r) {
		take_out(s, find(s, r));
		return;
	}
	s->count--;
	for (; s->count > 0 && s->slots[s->count - 1].range == NULL; s->empty--)
		s->count--;
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
		const struct slot *slot = &s->slots[i];
		struct range *x = slot->range;

		if (slot->reach < r->end || between(slot->ts, r->end) >= length)
			break; /* from here on they end or start too early */
		if (x == NULL || x->ts > r->ts || x->end < r->end)
			continue;
		if (between(x->ts, x->end) < length) {
			best = x;
			length = between(x->ts, x->end);
		}
		if (x->end == slot->within)
			break; /* all that is left encloses x too */
	}
	return best;
}
