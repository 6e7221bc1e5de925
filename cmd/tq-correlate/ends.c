/* ends.c - things by the time at which they end */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "ends.h"

enum { NEAR = 16 }; /* so many of the pile may be moved up for another one */

void
ends_free(struct ends *e)
{
	free(e->pile.all);
	free(e->heap.all);
	*e = ENDS_NONE;
}

/* without a branch, since nobody could guess where it goes */
static inline bool
first(const struct ending *a, const struct ending *b)
{
	return (a->at < b->at) | ((a->at == b->at) & (a->number > b->number));
}

/* make room for one more; returns how many there were */
static inline size_t
add(struct endings *e)
{
	if (e->count == e->cap) {
		e->cap = e->cap * 2 + 64;
		e->all = mem_resize(e->all, e->cap, sizeof(*e->all));
	}
	return e->count++;
}

/* ---- the heap ---- */

static void
heap_add(struct endings *heap, struct ending added)
{
	size_t i = add(heap);

	for (; i > 0 && first(&added, &heap->all[(i - 1) / 2]); i = (i - 1) / 2)
		heap->all[i] = heap->all[(i - 1) / 2];
	heap->all[i] = added;
}

static void *
heap_take(struct endings *heap)
{
	void *what = heap->all[0].what;
	struct ending *all = heap->all, last = all[--heap->count];
	size_t i = 0, child;

	while ((child = i * 2 + 1) < heap->count) {
		if (child + 1 < heap->count)
			child += first(&all[child + 1], &all[child]);
		if (!first(&all[child], &last))
			break;
		all[i] = all[child];
		i = child;
	}
	all[i] = last;
	return what;
}

/* ---- both ---- */

static void
pile_add(struct endings *pile, size_t low, struct ending added)
{
	size_t i = add(pile);

	/* of those that end together it is the youngest */
	for (; i > low && pile->all[i - 1].at < added.at; i--)
		pile->all[i] = pile->all[i - 1];
	pile->all[i] = added;
}

void
ends_add(struct ends *e, int64_t at, void *what)
{
	struct ending added = {at, e->number++, what};
	struct endings *pile = &e->pile;
	size_t low = pile->count > NEAR ? pile->count - NEAR : 0;

	if (at < e->next)
		e->next = at;
	if (low > 0 && pile->all[low - 1].at < at)
		heap_add(&e->heap, added);
	else
		pile_add(pile, low, added);
}

/* is the first of all the first of the heap? */
static inline bool
heap_is_next(const struct ends *e)
{
	const struct endings *pile = &e->pile, *heap = &e->heap;

	return heap->count > 0 &&
	       (pile->count == 0 ||
		   first(&heap->all[0], &pile->all[pile->count - 1]));
}

void *
ends_take(struct ends *e)
{
	struct endings *pile = &e->pile, *heap = &e->heap;
	void *what;

	if (heap_is_next(e))
		what = heap_take(heap);
	else
		what = pile->all[--pile->count].what;
	e->next = heap_is_next(e)   ? heap->all[0].at
		  : pile->count > 0 ? pile->all[pile->count - 1].at
				    : INT64_MAX;
	return what;
}
