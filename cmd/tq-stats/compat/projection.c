/* projection.c - ranges projected on devices as nsys does it */

#include <stdlib.h>

#include "tq/base/array.h"

#include "projection.h"

void
projection_init(struct projection *p, const struct report_settings *settings)
{
	tree_init(&p->ranges, settings, TREE_AS_NSYS);
}

void
projection_event(struct projection *p, const struct event *ev)
{
	if (ev->kind == KIND_gpu_range)
		return;
	if (ev->kind == KIND_range && !event_has(ev, KEY_end_tid))
		tree_add(&p->ranges, ev);
	else if (schema_role(ev->kind) == ROLE_WORK)
		launched_add(&p->ops, ev);
	range_time_add(&p->ranges.time, ev);
}

/* ---- operations ---- */

static bool
is_same_call(const struct launched_op *a, const struct launched_op *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->corr == b->corr &&
	       a->api_ts == b->api_ts;
}

/* The operations of a call become one. */
static void
merge_ops(struct launched *ops)
{
	size_t n = 0;

	launched_sort(ops);
	for (size_t i = 0; i < ops->count; i++) {
		struct launched_op *op = &ops->all[i];
		struct launched_op *last = n > 0 ? &ops->all[n - 1] : NULL;

		if (last == NULL || !is_same_call(op, last)) {
			ops->all[n++] = *op;
			continue;
		}
		if (op->ts < last->ts)
			last->ts = op->ts;
		if (op->end > last->end)
			last->end = op->end;
	}
	ops->count = n;
}

/* The projection of a range, the first of whose operations may be at i. */
static void
project_range(
    struct projection *p, struct projected *to, uint32_t range, size_t i)
{
	const struct tree_range *r = &p->ranges.all[range];
	struct projected_range at = {.ts = INT64_MAX, .end = INT64_MIN};

	for (; launched_within(&p->ops, i, r); i++) {
		struct launched_op *op = &p->ops.all[i];

		if (op->api_end > r->end)
			continue;
		op->used = true;
		at.launches++;
		if (op->ts < at.ts)
			at.ts = op->ts;
		if (op->end > at.end)
			at.end = op->end;
	}
	if (at.launches == 0)
		return;
	at.range_ts = r->ts;
	at.range_end = r->end;
	at.pid = r->pid;
	at.tid = r->tid;
	at.id = r->id;
	at.parent = NO_ID;
	if (r->depth >= 0 && r->parent != 0)
		at.parent = p->ranges.all[r->parent - 1].id;
	at.depth = r->depth;
	at.range = range;
	at.name = r->name;
	at.named = r->named;
	at.style = r->style;
	*array_add(&to->all, &to->count, &to->cap) = at;
}

/* Count the children that have operations. */
static void
count_children(const struct projection *p, struct projected *to)
{
	const struct tree *tree = &p->ranges;
	uint32_t *children =
	    mem_alloc((tree->count + 1) * sizeof(*children)); /* by parent */

	for (size_t i = to->section; i < to->count; i++)
		children[tree->all[to->all[i].range].parent]++;
	for (size_t i = to->section; i < to->count; i++)
		to->all[i].children = children[to->all[i].range + 1];
	free(children);
}

/* ---- operations in no range ---- */

static int
by_corr(const void *pa, const void *pb)
{
	const struct launched_op *a = pa, *b = pb;

	return range_order(a->corr, b->corr);
}

/* A row for the operations in no range; nsys takes corr for unique. */
static void
project_rest(struct projection *p, struct projected *to)
{
	struct projected_range at = {.ts = INT64_MAX, .end = INT64_MIN};
	struct launched_op *ops = p->ops.all;
	size_t n = 0;

	for (size_t i = 0; i < p->ops.count; i++)
		if (!ops[i].used)
			ops[n++] = ops[i];
	if (n == 0)
		return;
	qsort(ops, n, sizeof(*ops), by_corr);
	for (size_t i = 0; i < n; i++) {
		at.launches += i == 0 || ops[i].corr != ops[i - 1].corr;
		if (ops[i].ts < at.ts)
			at.ts = ops[i].ts;
		if (ops[i].end <= at.end)
			continue;
		at.end = ops[i].end;
		at.pid = ops[i].pid;
		at.tid = ops[i].tid;
	}
	at.id = at.parent = at.range_ts = at.range_end = NO_ID;
	at.depth = -1;
	at.style = RANGE_NONE;
	at.name = numbered_texts_get(&p->ranges.names, SPAN(""));
	*array_add(&to->all, &to->count, &to->cap) = at;
}

void
projection_finish(struct projection *p, struct projected *to)
{
	const struct tree *tree = &p->ranges;
	size_t at = 0;

	tree_finish(&p->ranges);
	merge_ops(&p->ops);
	for (uint32_t i = 0; i < tree->count; i++) {
		at = launched_from(&p->ops, at, &tree->all[i]);
		project_range(p, to, i, at);
	}
	count_children(p, to);
	if (tree->settings->version < 2024)
		project_rest(p, to);
}

void
projection_reset(struct projection *p)
{
	p->ops.count = 0;
	tree_reset(&p->ranges);
}

void
projection_free(struct projection *p)
{
	launched_free(&p->ops);
	tree_free(&p->ranges);
}
