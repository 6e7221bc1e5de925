/* ends.c - a heap of things by the time at which they end */

#include <stdlib.h>

#include "tq/mem.h"

#include "ends.h"

void
ends_free(struct ends *e)
{
	free(e->heap);
	*e = (struct ends){0};
}

/* without a branch, since nobody could guess where it goes */
static inline bool
first(const struct ending *a, const struct ending *b)
{
	return (a->at < b->at) | ((a->at == b->at) & (a->number > b->number));
}

void
ends_add(struct ends *e, int64_t at, void *what)
{
	struct ending new = {at, e->number++, what};
	size_t i = e->count++;

	if (e->count > e->cap) {
		e->cap = e->cap * 2 + 64;
		e->heap = mem_resize(e->heap, e->cap, sizeof(*e->heap));
	}
	for (; i > 0 && first(&new, &e->heap[(i - 1) / 2]); i = (i - 1) / 2)
		e->heap[i] = e->heap[(i - 1) / 2];
	e->heap[i] = new;
}

/* put last where the root was taken out */
static void
sift_down(struct ends *e, struct ending last)
{
	size_t i = 0, child;

	while ((child = i * 2 + 1) < e->count) {
		if (child + 1 < e->count)
			child += first(&e->heap[child + 1], &e->heap[child]);
		if (!first(&e->heap[child], &last))
			break;
		e->heap[i] = e->heap[child];
		i = child;
	}
	e->heap[i] = last;
}

void *
ends_before(struct ends *e, int64_t ts)
{
	void *what;

	if (!ends_any(e, ts))
		return NULL;
	what = e->heap[0].what;
	if (--e->count > 0)
		sift_down(e, e->heap[e->count]);
	return what;
}
