/* spans.c - the intervals of a selection */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/lower_bound.h"
#include "tq/base/time.h"

#include "spans.h"

struct span_of_time {
	int64_t from, to;
};

/* in order after spans_finish, and none meets the next */
struct span_list {
	struct span_of_time *spans;
	size_t count, cap;
};

static struct span_list *
find_list(const struct spans *s, int64_t pid, int64_t tid)
{
	const uint64_t *slot =
	    map_find(&s->lists, (uint64_t)pid, (uint64_t)tid);

	return slot != NULL ? (struct span_list *)(uintptr_t)*slot : NULL;
}

void
spans_add(struct spans *s, int64_t pid, int64_t tid, int64_t from, int64_t to)
{
	uint64_t *slot = map_get(&s->lists, (uint64_t)pid, (uint64_t)tid);
	struct span_list *l;

	if (*slot == 0)
		*slot = (uint64_t)(uintptr_t)mem_alloc(sizeof(*l));
	l = (struct span_list *)(uintptr_t)*slot;
	*array_add(&l->spans, &l->count, &l->cap) =
	    (struct span_of_time){from, to};
}

void
spans_close(struct spans *s, int64_t pid, int64_t tid, int64_t to)
{
	struct span_list *l = find_list(s, pid, tid);

	if (l != NULL && l->spans[l->count - 1].to == INT64_MAX)
		l->spans[l->count - 1].to = to;
}

bool
spans_open(const struct spans *s, int64_t pid, int64_t tid)
{
	const struct span_list *l = find_list(s, pid, tid);

	return l != NULL && l->spans[l->count - 1].to == INT64_MAX;
}

static int
by_start(const void *pa, const void *pb)
{
	const struct span_of_time *a = pa, *b = pb;

	return (a->from > b->from) - (a->from < b->from);
}

static void
join_spans(struct span_list *l)
{
	size_t n = 0;

	qsort(l->spans, l->count, sizeof(*l->spans), by_start);
	for (size_t i = 1; i < l->count; i++)
		if (l->spans[i].from > l->spans[n].to)
			l->spans[++n] = l->spans[i];
		else if (l->spans[n].to < l->spans[i].to)
			l->spans[n].to = l->spans[i].to;
	l->count = n + 1;
}

void
spans_finish(struct spans *s)
{
	const struct map *m = &s->lists;

	for (size_t i = 0; i < m->size; i++)
		if (m->used[i])
			join_spans(
			    (struct span_list *)(uintptr_t)m->slots[i].value);
}

bool
spans_hold(const struct spans *s, int64_t pid, int64_t tid, int64_t ts,
    int64_t end, bool *whole)
{
	const struct span_list *l = find_list(s, pid, tid);
	const struct span_of_time *x;
	size_t i;

	if (l == NULL)
		return false;
	/* the last that starts at ts or before, or else the first */
	LOWER_BOUND(i, 1, l->count, l->spans[i].from <= ts);
	x = &l->spans[i - 1];
	if (!time_encloses_start(x->from, x->to, ts, end))
		return false;
	if (end > x->to)
		*whole = false;
	return true;
}

void
spans_free(struct spans *s)
{
	const struct map *m = &s->lists;

	for (size_t i = 0; i < m->size; i++) {
		struct span_list *l;

		if (!m->used[i])
			continue;
		l = (struct span_list *)(uintptr_t)m->slots[i].value;
		free(l->spans);
		free(l);
	}
	map_free(&s->lists);
}
