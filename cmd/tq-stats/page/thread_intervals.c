/* thread_intervals.c - intervals of a thread that do not overlap */

#include <stdlib.h>

#include "tq/base/array.h"

#include "thread_intervals.h"

/* Merge neighbours that lie in one window. */
static void
merge_neighbours(struct thread_intervals *l)
{
	size_t last = 0;

	for (size_t i = 1; i < l->count; i++) {
		struct thread_interval *a = &l->all[last], *b = &l->all[i];

		if ((uint64_t)b->to - (uint64_t)a->from <= l->window) {
			if (a->to < b->to)
				a->to = b->to;
			a->count += b->count;
		} else {
			l->all[++last] = *b;
		}
	}
	l->count = last + 1;
}

static void
make_room(struct thread_intervals *l)
{
	if (l->window == 0)
		l->window = LANE_WINDOW;
	merge_neighbours(l);
	while (l->count > LANE_MOST / 4 * 3) {
		l->window *= 2;
		merge_neighbours(l);
	}
}

void
thread_intervals_add(
    struct thread_intervals *l, int64_t from, int64_t to, uint32_t name)
{
	if (l->count == LANE_MOST)
		make_room(l);
	*array_add(&l->all, &l->count, &l->cap) =
	    (struct thread_interval){from, to, 1, name};
	l->added++;
	l->time += (uint64_t)to - (uint64_t)from;
}

void
thread_intervals_free(struct thread_intervals *l)
{
	free(l->all);
}
