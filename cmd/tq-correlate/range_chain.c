/* range_chain.c - the work of a device for ranges that nest */

#include <stdlib.h>

#include "tq/base/array.h"

#include "range_chain.h"

static inline struct device_work *
work_at(const struct range_chain *s, size_t place)
{
	return device_work_find(s->ranges[place - 1], s->device);
}

void
range_chain_cut(struct range_chain *s, size_t place)
{
	while (s->count >= place) {
		struct range_chain_run *run = &s->runs[s->run_count - 1];
		struct device_work *w = work_at(s, s->count);

		w->last = run->last;
		w->place = 0;
		run->end = --s->count;
		if (s->count == (s->run_count > 1 ? run[-1].end : 0))
			s->run_count--;
	}
}

static void
add_run(struct range_chain *s, int64_t last)
{
	if (s->run_count > 0 && s->runs[s->run_count - 1].last == last)
		s->runs[s->run_count - 1].end = s->count;
	else
		*array_add(&s->runs, &s->run_count, &s->run_cap) =
		    (struct range_chain_run){s->count, last};
}

/* r becomes the innermost range of the chain, and all chained below it enter */
static void
enter(struct range_chain *s, struct range *r)
{
	size_t place = 0;

	for (; r != NULL && r->chained; r = r->below) {
		const struct device_work *w = device_work_find(r, s->device);

		if (w != NULL && (place = w->place) > 0)
			break;
		*array_add(&s->entering, &s->entering_count, &s->entering_cap) =
		    r;
	}
	range_chain_cut(s, place + 1);
	while (s->entering_count > 0) {
		struct device_work *entered;

		r = s->entering[--s->entering_count];
		*array_add(&s->ranges, &s->count, &s->cap) = r;
		entered = device_work_get(r, s->device);
		entered->place = s->count;
		add_run(s, entered->last);
	}
}

/* the device is busy from ts to end for all ranges of the chain */
static void
extend(struct range_chain *s, int64_t ts, int64_t end)
{
	while (s->run_count > 0 && s->runs[s->run_count - 1].last < end) {
		const struct range_chain_run *run = &s->runs[--s->run_count];
		int64_t from = ts > run->last ? ts : run->last;
		uint64_t busy = (uint64_t)end - (uint64_t)from;

		work_at(s, run->end)->busy += busy;
		if (s->run_count > 0)
			work_at(s, run[-1].end)->busy -= busy;
	}
	if (s->run_count == 0 || s->runs[s->run_count - 1].end < s->count)
		add_run(s, end);
}

void
range_chain_add(struct range_chain *s, struct range *r,
    const struct device_operation *op, bool launch)
{
	if (s->count == 0 || s->ranges[s->count - 1] != r)
		enter(s, r);
	extend(s, op->ts, op->end);
	device_work_count(work_at(s, s->count), op, launch);
}

void
range_chain_free(struct range_chain *s)
{
	free(s->ranges);
	free(s->runs);
	free(s->entering);
	free(s);
}
