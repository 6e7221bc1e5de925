/* cuda_inside.c - the range that a call is in, as nsys finds it */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "sums/cuda.h"

struct inside_range {
	int64_t ts, end; /* INT64_MAX: never closed */
	int64_t id;
	size_t outer; /* index + 1 of the last before it that ends later */
};

struct inside_thread {
	struct inside_range *ranges; /* in order of ts */
	size_t count, cap;
};

static struct inside_thread *
thread(struct cuda_inside *in, int64_t pid, int64_t tid)
{
	uint64_t *slot = map_get(&in->threads, (uint64_t)pid, (uint64_t)tid);

	if (*slot == 0) {
		if (in->count == in->cap) {
			in->cap = in->cap * 2 + 8;
			in->all =
			    mem_resize(in->all, in->cap, sizeof(*in->all));
		}
		in->all[in->count++] = (struct inside_thread){0};
		*slot = in->count;
	}
	return &in->all[*slot - 1];
}

void
cuda_inside_add(struct cuda_inside *in, const struct event *ev)
{
	struct inside_range r = {
	    .ts = event_int(ev, KEY_ts, 0), .id = event_int(ev, KEY_id, NO_ID)};
	struct inside_thread *t;

	r.end = event_end(ev, r.ts);
	if (r.ts > in->last)
		in->last = r.ts;
	if (r.end != INT64_MAX && r.end > in->last)
		in->last = r.end;
	if (event_has(ev, KEY_end_tid))
		return; /* another thread ended it */
	t = thread(
	    in, event_int(ev, KEY_pid, NO_ID), event_int(ev, KEY_tid, NO_ID));
	if (t->count == t->cap) {
		t->cap = t->cap * 2 + 64;
		t->ranges = mem_resize(t->ranges, t->cap, sizeof(*t->ranges));
	}
	t->ranges[t->count++] = r;
}

void
cuda_inside_close(struct cuda_inside *in)
{
	for (size_t i = 0; i < in->count; i++) {
		struct inside_range *all = in->all[i].ranges;

		for (size_t n = 0; n < in->all[i].count; n++) {
			size_t o = n;

			if (all[n].end == INT64_MAX)
				all[n].end = in->last;
			while (o > 0 && all[o - 1].end <= all[n].end)
				o = all[o - 1].outer;
			all[n].outer = o;
		}
	}
}

/* the number of ranges that start at ts or before */
static size_t
started(const struct inside_thread *t, int64_t ts)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->ranges[mid].ts <= ts)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int64_t
cuda_inside_find(const struct cuda_inside *in, int64_t pid, int64_t tid,
    int64_t ts, int64_t end)
{
	const uint64_t *slot =
	    map_find(&in->threads, (uint64_t)pid, (uint64_t)tid);
	const struct inside_range *all;
	int64_t id;
	size_t n;

	if (slot == NULL)
		return NO_ID;
	all = in->all[*slot - 1].ranges;
	n = started(&in->all[*slot - 1], ts);
	while (n > 0 && all[n - 1].end < end)
		n = all[n - 1].outer;
	if (n == 0)
		return NO_ID;
	id = all[n - 1].id;
	for (ts = all[n - 1].ts; n > 0 && all[n - 1].ts == ts; n--)
		if (all[n - 1].end >= end && all[n - 1].id < id)
			id = all[n - 1].id;
	return id;
}

void
cuda_inside_reset(struct cuda_inside *in)
{
	for (size_t i = 0; i < in->count; i++)
		free(in->all[i].ranges);
	free(in->all);
	map_free(&in->threads);
	*in = (struct cuda_inside){0};
}
