/* step_waits.c - when a thread waited */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "step_waits.h"

/* all differences are taken modulo 2^64, since only those of sums are used */
static uint64_t
length(int64_t from, int64_t to)
{
	return (uint64_t)to - (uint64_t)from;
}

void
step_waits_add(struct step_waits *w, int64_t from, int64_t to, int64_t needed)
{
	uint64_t before = 0;

	if (w->count > 0) {
		struct step_wait *last = &w->all[w->count - 1];

		if (last->to >= from) {
			if (last->to < to)
				last->to = to;
			return;
		}
		before = last->before;
		if (last->from >= needed)
			w->count--;
		else
			before += length(last->from, last->to);
	}
	if (w->count == w->cap) {
		w->cap = w->cap * 2 + 8;
		w->all = mem_resize(w->all, w->cap, sizeof(*w->all));
	}
	w->all[w->count++] = (struct step_wait){from, to, before};
}

/* before t */
static uint64_t
sum(const struct step_waits *w, int64_t t)
{
	size_t low = 0, high = w->count; /* that begin before t */
	const struct step_wait *last;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (w->all[mid].from < t)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0)
		return 0;
	last = &w->all[low - 1];
	return last->before + length(last->from, last->to < t ? last->to : t);
}

int64_t
step_waits_time(const struct step_waits *w, int64_t from, int64_t to)
{
	return from < to ? (int64_t)(sum(w, to) - sum(w, from)) : 0;
}

void
step_waits_free(struct step_waits *w)
{
	free(w->all);
	*w = (struct step_waits){0};
}
