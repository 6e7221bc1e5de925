/* twins.c - ranges that nsys loses */

#include "ranges/tree.h"
#include "twins.h"

/* True if the ranges at i and i + 1 have equal times on one thread. */
static bool
are_twins(const struct tree *t, size_t i)
{
	const struct tree_range *a = &t->all[i], *b = a + 1;

	return i + 1 < t->count && a->pid == b->pid && a->tid == b->tid &&
	       a->ts == b->ts && a->end == b->end;
}

void
twins_lose(struct tree *t)
{
	bool before = false; /* the range at i - 1 is a twin of that at i */

	for (size_t i = 0; i < t->count; i++) {
		struct tree_range *r = &t->all[i];
		bool behind = are_twins(t, i);

		if (behind && !before)
			r->parent = (uint32_t)i + 2;
		if (behind || before ||
		    (r->parent != 0 && t->all[r->parent - 1].depth < 0))
			r->depth = -1;
		else if (r->parent != 0)
			r->depth = t->all[r->parent - 1].depth + 1;
		before = behind;
	}
}
