/* nesting.c - the ranges that are open on each thread */

#include <stdlib.h>
#include <string.h>

#include "tq/base/array.h"
#include "tq/base/lower_bound.h"
#include "shortest.h"
#include "tq/join/nesting.h"

enum {
	NEAR = 16, /* to the top: the most slots that move down */
	FEW = 32   /* slots that are looked at without an index */
};

/* ---- a stack ---- */

/* set slot i, above slots that are set */
static void
set_slot(
    struct nesting_stack *s, size_t i, void *range, int64_t ts, int64_t end)
{
	struct nesting_slot *x = &s->slots[i];

	*x = (struct nesting_slot){range, ts, end, end, end};
	if (i > 0 && x[-1].within < x->within)
		x->within = x[-1].within;
	if (i > 0 && x[-1].reach > x->reach)
		x->reach = x[-1].reach;
}

/* no empty slots from i on; within and reach of the others are exact again */
static void
close_up(struct nesting_stack *s, size_t i)
{
	size_t n = i;

	for (; i < s->count; i++) {
		struct nesting_slot x = s->slots[i];

		if (x.range != NULL)
			set_slot(s, n++, x.range, x.ts, x.end);
	}
	s->empty -= s->count - n;
	s->count = n;
}

static bool
is_below(const struct nesting_slot *x, int64_t ts, int64_t end)
{
	return x->ts < ts || (x->ts == ts && x->range != NULL && x->end >= end);
}

void
nesting_push(struct nesting_stack *s, void *range, int64_t ts, int64_t end)
{
	struct nesting_slot *x = array_add(&s->slots, &s->count, &s->cap);
	size_t i = s->count - 1;

	if (s->index != NULL)
		shortest_add(s->index, range, ts, end);
	if (i == 0 || is_below(&x[-1], ts, end)) {
		set_slot(s, i, range, ts, end);
		return;
	}
	for (; i > 0 && !is_below(&s->slots[i - 1], ts, end); i--)
		s->slots[i] = s->slots[i - 1];
	set_slot(s, i, range, ts, end);
	close_up(s, 0);
}

/* the slot of a range that starts at ts */
static size_t
slot_of(const struct nesting_stack *s, const void *range, int64_t ts)
{
	size_t i;

	LOWER_BOUND(i, 1, s->count, s->slots[i].ts <= ts);
	while (s->slots[--i].range != range)
		;
	return i;
}

/* take out slot i; the slots above it move down if they are few */
static void
empty_slot(struct nesting_stack *s, size_t i)
{
	s->slots[i].range = NULL;
	s->empty++;
	if (s->count - i <= NEAR)
		close_up(s, i);
	else if (s->empty > s->count / 2)
		close_up(s, 0);
}

static void
drop_index(struct nesting_stack *s)
{
	shortest_free(s->index);
	s->index = NULL;
}

void
nesting_remove(struct nesting_stack *s, const void *range, int64_t ts)
{
	size_t i = s->count - 1;

	if (s->slots[i].range != range)
		i = slot_of(s, range, ts);
	if (s->index != NULL)
		shortest_remove(s->index, range, s->slots[i].end);
	if (i < s->count - 1) {
		empty_slot(s, i);
		return;
	}
	s->count--;
	for (; s->count > 0 && s->slots[s->count - 1].range == NULL; s->empty--)
		s->count--;
	if (s->count == 0 && s->index != NULL)
		drop_index(s);
}

static void
make_index(struct nesting_stack *s)
{
	s->index = shortest_new(s->older);
	for (size_t i = 0; i < s->count; i++) {
		const struct nesting_slot *x = &s->slots[i];

		if (x->range != NULL)
			shortest_add(s->index, x->range, x->ts, x->end);
	}
}

/* unsigned, so that no pair of times overflows it */
static uint64_t
length(int64_t from, int64_t to)
{
	return (uint64_t)to - (uint64_t)from;
}

/* True if a range that is older than the shortest one so far is closer. */
static inline bool
is_closer(const struct nesting_stack *s, uint64_t length, uint64_t shortest)
{
	return length < shortest || (length == shortest && s->older);
}

/* the same as nesting_parent(), where all slots start at ts or before */
__attribute__((noinline)) static void *
parent_by_index(struct nesting_stack *s, int64_t end)
{
	if (s->index == NULL)
		make_index(s);
	return shortest_find(s->index, end);
}

/* all candidates enclose [ts, end]: the shortest is the closest */
void *
nesting_parent(struct nesting_stack *s, int64_t ts, int64_t end)
{
	void *best = NULL;
	uint64_t shortest = UINT64_MAX;

	for (size_t i = s->count; i-- > 0;) {
		const struct nesting_slot *x = &s->slots[i];

		if (x->reach < end ||
		    !is_closer(s, length(x->ts, end), shortest))
			break; /* all below end or start too early */
		if (x->range != NULL && x->ts <= ts && x->end >= end) {
			if (is_closer(s, length(x->ts, x->end), shortest)) {
				best = x->range;
				shortest = length(x->ts, x->end);
			}
			if (x->end == x->within && !s->older)
				break; /* all below enclose x too */
		}
		if (i + FEW <= s->count && s->slots[s->count - 1].ts <= ts)
			return parent_by_index(s, end);
	}
	return best;
}

void
nesting_stack_free(struct nesting_stack *s)
{
	drop_index(s);
	free(s->slots);
	*s = (struct nesting_stack){.older = s->older};
}

/* ---- threads ---- */

static struct nesting_thread *
new_thread(struct nesting *n, int64_t pid, int64_t tid)
{
	struct nesting_thread *t = mem_alloc(sizeof(*t));

	t->pid = pid;
	t->tid = tid;
	t->next = n->first;
	return n->first = t;
}

struct nesting_thread *
nesting_look_up(struct nesting *n, int64_t pid, int64_t tid, bool make)
{
	uint64_t *slot = make ? map_get(&n->map, (uint64_t)pid, (uint64_t)tid)
			      : map_find(&n->map, (uint64_t)pid, (uint64_t)tid);

	if (slot == NULL)
		return NULL;
	if (*slot == 0)
		*slot = (uint64_t)(uintptr_t)new_thread(n, pid, tid);
	return (struct nesting_thread *)(uintptr_t)*slot;
}

static struct nesting_domain *
new_domain(struct nesting_thread *t, struct span name)
{
	struct nesting_domain *d = mem_alloc(sizeof(*d));

	d->name = name;
	d->next = t->named;
	return t->named = d;
}

struct nesting_domain *
nesting_domain(struct nesting *n, struct nesting_thread *t, struct span name)
{
	uint32_t number;
	uint64_t *slot;

	if (name.len == 0)
		return &t->unnamed;
	if (t->latest != NULL && span_eq(t->latest->name, name))
		return t->latest;
	number = intern_get(&n->names, name);
	slot = map_get(&n->domains, (uintptr_t)t, number);
	if (*slot == 0)
		*slot =
		    (uintptr_t)new_domain(t, intern_text(&n->names, number));
	return t->latest = (struct nesting_domain *)(uintptr_t)*slot;
}

static void
free_thread(struct nesting_thread *t)
{
	struct nesting_domain *d;

	while ((d = t->named) != NULL) {
		t->named = d->next;
		nesting_stack_free(&d->stack);
		free(d);
	}
	nesting_stack_free(&t->unnamed.stack);
	nesting_stack_free(&t->open);
	free(t);
}

void
nesting_clear(struct nesting *n)
{
	struct nesting_thread *t;

	while ((t = n->first) != NULL) {
		n->first = t->next;
		free_thread(t);
	}
	map_clear(&n->map);
	map_clear(&n->domains);
	intern_clear(&n->names);
	memset(n->recent, 0, sizeof(n->recent));
}

void
nesting_free(struct nesting *n)
{
	nesting_clear(n);
	map_free(&n->map);
	map_free(&n->domains);
	intern_free(&n->names);
}
