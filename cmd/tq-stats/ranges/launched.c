/* launched.c - the operations of a section by their calls */

#include <stdlib.h>

#include "tq/base/array.h"

#include "launched.h"

struct launched_op *
launched_add(struct launched *l, const struct event *ev)
{
	struct launched_op *op;

	if (!event_has(ev, KEY_api_ts))
		return NULL;
	op = array_add(&l->all, &l->count, &l->cap);
	*op = (struct launched_op){
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .tid = event_int(ev, KEY_tid, NO_ID),
	    .api_ts = event_int(ev, KEY_api_ts, 0),
	    .corr = event_int(ev, KEY_corr, NO_ID),
	    .ts = event_int(ev, KEY_ts, 0),
	};
	op->api_end = time_end(op->api_ts, event_int(ev, KEY_api_dur, 0));
	op->end = time_end(op->ts, event_int(ev, KEY_dur, 0));
	return op;
}

static int
by_call(const void *pa, const void *pb)
{
	const struct launched_op *a = pa, *b = pb;
	int c;

	if ((c = range_order(a->pid, b->pid)) != 0 ||
	    (c = range_order(a->tid, b->tid)) != 0 ||
	    (c = range_order(a->api_ts, b->api_ts)) != 0 ||
	    (c = range_order(a->api_end, b->api_end)) != 0)
		return c;
	return range_order(a->corr, b->corr);
}

void
launched_sort(struct launched *l)
{
	if (l->count > 1)
		qsort(l->all, l->count, sizeof(*l->all), by_call);
}

static bool
is_before(const struct launched_op *op, const struct tree_range *r)
{
	if (op->pid != r->pid)
		return op->pid < r->pid;
	if (op->tid != r->tid)
		return op->tid < r->tid;
	return op->api_ts < r->ts;
}

size_t
launched_from(const struct launched *l, size_t i, const struct tree_range *r)
{
	while (i < l->count && is_before(&l->all[i], r))
		i++;
	return i;
}

bool
launched_within(const struct launched *l, size_t i, const struct tree_range *r)
{
	return i < l->count && l->all[i].pid == r->pid &&
	       l->all[i].tid == r->tid && l->all[i].api_ts <= r->end;
}

void
launched_free(struct launched *l)
{
	free(l->all);
	*l = (struct launched){0};
}
