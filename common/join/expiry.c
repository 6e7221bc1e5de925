/* expiry.c - things by the time at which they end */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/join/expiry.h"

enum { NEAR = 16 }; /* the most entries of the pile that move for a new one */

void
expiry_free(struct expiry *e)
{
	free(e->pile.all);
	free(e->heap.all);
	*e = EXPIRY_EMPTY;
}

/* without a branch, which no processor would predict */
static inline bool
ends_first(const struct expiry_entry *a, const struct expiry_entry *b)
{
	return (a->end < b->end) |
	       ((a->end == b->end) & (a->number > b->number));
}

/* room for one more entry, which is counted; returns its index */
static inline size_t
grow(struct expiry_list *l)
{
	array_add(&l->all, &l->count, &l->cap);
	return l->count - 1;
}

/* ---- the heap ---- */

static void
heap_add(struct expiry_list *heap, struct expiry_entry added)
{
	size_t i = grow(heap);

	for (; i > 0 && ends_first(&added, &heap->all[(i - 1) / 2]);
	     i = (i - 1) / 2)
		heap->all[i] = heap->all[(i - 1) / 2];
	heap->all[i] = added;
}

static void *
heap_take(struct expiry_list *heap)
{
	void *thing = heap->all[0].thing;
	struct expiry_entry *all = heap->all, last = all[--heap->count];
	size_t i = 0, child;

	while ((child = i * 2 + 1) < heap->count) {
		if (child + 1 < heap->count)
			child += ends_first(&all[child + 1], &all[child]);
		if (!ends_first(&all[child], &last))
			break;
		all[i] = all[child];
		i = child;
	}
	all[i] = last;
	return thing;
}

/* ---- both ---- */

static void
pile_add(struct expiry_list *pile, size_t low, struct expiry_entry added)
{
	size_t i = grow(pile);

	/* it is the youngest of the things that end with it */
	for (; i > low && pile->all[i - 1].end < added.end; i--)
		pile->all[i] = pile->all[i - 1];
	pile->all[i] = added;
}

void
expiry_add(struct expiry *e, int64_t end, void *thing)
{
	struct expiry_entry added = {end, e->number++, thing};
	struct expiry_list *pile = &e->pile;
	size_t low = pile->count > NEAR ? pile->count - NEAR : 0;

	if (end < e->next)
		e->next = end;
	if (low > 0 && pile->all[low - 1].end < end)
		heap_add(&e->heap, added);
	else
		pile_add(pile, low, added);
}

/* true if the first of all is in the heap */
static inline bool
heap_is_next(const struct expiry *e)
{
	const struct expiry_list *pile = &e->pile, *heap = &e->heap;

	return heap->count > 0 &&
	       (pile->count == 0 ||
		   ends_first(&heap->all[0], &pile->all[pile->count - 1]));
}

void *
expiry_take(struct expiry *e)
{
	struct expiry_list *pile = &e->pile, *heap = &e->heap;
	void *thing;

	if (heap_is_next(e))
		thing = heap_take(heap);
	else
		thing = pile->all[--pile->count].thing;
	e->next = heap_is_next(e)   ? heap->all[0].end
		  : pile->count > 0 ? pile->all[pile->count - 1].end
				    : INT64_MAX;
	return thing;
}
