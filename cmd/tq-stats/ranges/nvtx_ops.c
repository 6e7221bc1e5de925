/* nvtx_ops.c - operations by the calls that launched them; cells of tables */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "nvtx.h"

struct nvtx_op *
nvtx_ops_add(struct nvtx_ops *ops, const struct event *ev)
{
	struct nvtx_op *op;

	if (!event_has(ev, KEY_api_ts))
		return NULL;
	if (ops->count == ops->cap) {
		ops->cap = ops->cap * 2 + 256;
		ops->all = mem_resize(ops->all, ops->cap, sizeof(*ops->all));
	}
	op = &ops->all[ops->count++];
	*op = (struct nvtx_op){
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
order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
compare(const void *pa, const void *pb)
{
	const struct nvtx_op *a = pa, *b = pb;
	int c;

	if ((c = order(a->pid, b->pid)) != 0 ||
	    (c = order(a->tid, b->tid)) != 0 ||
	    (c = order(a->api_ts, b->api_ts)) != 0 ||
	    (c = order(a->api_end, b->api_end)) != 0)
		return c;
	return order(a->corr, b->corr);
}

void
nvtx_ops_sort(struct nvtx_ops *ops)
{
	if (ops->count > 1)
		qsort(ops->all, ops->count, sizeof(*ops->all), compare);
}

static bool
before(const struct nvtx_op *op, const struct nvtx_range *r)
{
	if (op->pid != r->pid)
		return op->pid < r->pid;
	if (op->tid != r->tid)
		return op->tid < r->tid;
	return op->api_ts < r->ts;
}

size_t
nvtx_ops_from(const struct nvtx_ops *ops, size_t i, const struct nvtx_range *r)
{
	while (i < ops->count && before(&ops->all[i], r))
		i++;
	return i;
}

bool
nvtx_ops_in(const struct nvtx_ops *ops, size_t i, const struct nvtx_range *r)
{
	return i < ops->count && ops->all[i].pid == r->pid &&
	       ops->all[i].tid == r->tid && ops->all[i].api_ts <= r->end;
}

void
nvtx_ops_free(struct nvtx_ops *ops)
{
	free(ops->all);
	*ops = (struct nvtx_ops){0};
}

/* ---- cells ---- */

void
nvtx_table_take(struct table *t, struct table *rows)
{
	rows->report = t->report;
	rows->title = t->title;
	*t = *rows;
	*rows = (struct table){0};
}
