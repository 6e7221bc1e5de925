/* late_ends.c - the ends of slices that are still to be written */

#include <stdlib.h>
#include <string.h>

#include "late_ends.h"
#include "tq/base/array.h"

/* the memory for arrows of an earlier end serves this one */
void
late_ends_add(struct late_ends *l, int64_t start, int64_t end)
{
	struct late_end *e;

	if (l->count == l->cap) {
		size_t cap = l->cap;

		l->all = mem_more(l->all, l->count, &l->cap, sizeof(*l->all));
		memset(l->all + cap, 0, (l->cap - cap) * sizeof(*l->all));
	}
	e = &l->all[l->count++];
	e->start = start;
	e->end = end;
	e->count = 0;
}

bool
late_ends_arrow(struct late_ends *l, int64_t start, int64_t end, uint64_t arrow)
{
	for (size_t i = l->count; i-- > 0;) {
		struct late_end *e = &l->all[i];

		if (e->start == start && e->end == end) {
			*array_add(&e->arrows, &e->count, &e->cap) = arrow;
			return true;
		}
	}
	return false;
}

const struct late_end *
late_ends_take(struct late_ends *l, int64_t ts)
{
	if (l->count == 0 || l->all[l->count - 1].end > ts)
		return NULL;
	return &l->all[--l->count];
}

void
late_ends_free(struct late_ends *l)
{
	for (size_t i = 0; i < l->cap; i++)
		free(l->all[i].arrows);
	free(l->all);
	*l = (struct late_ends){0};
}
