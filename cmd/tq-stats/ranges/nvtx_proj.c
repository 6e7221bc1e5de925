/*
 * nvtx_proj.c - ranges projected on devices as nsys does it: its parents cross
 * domains, what was never closed ends with the last range, and 2023.4 has a
 * row for the operations in no range
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "nvtx_proj.h"

struct nvtx_proj *
nvtx_proj_add(struct nvtx_projection *s)
{
	if (s->count == s->cap) {
		s->cap = s->cap * 2 + 256;
		s->all = mem_resize(s->all, s->cap, sizeof(*s->all));
	}
	s->all[s->count] = (struct nvtx_proj){0};
	return &s->all[s->count++];
}

/* Operations of one call become one. */
static void
merge_ops(struct nvtx_ops *ops)
{
	size_t n = 0;

	nvtx_ops_sort(ops);
	for (size_t i = 0; i < ops->count; i++) {
		struct nvtx_op *op = &ops->all[i];
		struct nvtx_op *last = n > 0 ? &ops->all[n - 1] : NULL;

		if (last == NULL || op->pid != last->pid ||
		    op->tid != last->tid || op->corr != last->corr ||
		    op->api_ts != last->api_ts) {
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

/* The operations of a range, the first of which may be at i. */
static void
project(struct nvtx_projection *s, size_t range, size_t i)
{
	struct nvtx_range *r = &s->ranges.all[range];
	struct nvtx_proj p = {.ts = INT64_MAX, .end = INT64_MIN};

	for (; nvtx_ops_in(&s->ops, i, r); i++) {
		struct nvtx_op *op = &s->ops.all[i];

		if (op->api_end > r->end)
			continue;
		op->used = true;
		p.launches++;
		if (op->ts < p.ts)
			p.ts = op->ts;
		if (op->end > p.end)
			p.end = op->end;
	}
	if (p.launches == 0)
		return;
	p.range_ts = r->ts;
	p.range_end = r->end;
	p.pid = r->pid;
	p.tid = r->tid;
	p.id = r->id;
	p.parent = NO_ID;
	if (r->depth >= 0 && r->parent != 0)
		p.parent = s->ranges.all[r->parent - 1].id;
	p.depth = r->depth;
	p.range = (uint32_t)range;
	p.name = r->name;
	p.named = r->named;
	p.style = r->style;
	if (r->parent != 0)
		s->ranges.all[r->parent - 1].children++;
	*nvtx_proj_add(s) = p;
}

static int
order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
compare_corr(const void *pa, const void *pb)
{
	const struct nvtx_op *a = pa, *b = pb;

	return order(a->corr, b->corr);
}

/* A row for the operations in no range; nsys takes corr for unique. */
static void
project_rest(struct nvtx_projection *s)
{
	struct nvtx_proj p = {.ts = INT64_MAX, .end = INT64_MIN};
	struct nvtx_op *ops = s->ops.all;
	size_t n = 0;

	for (size_t i = 0; i < s->ops.count; i++)
		if (!ops[i].used)
			ops[n++] = ops[i];
	if (n == 0)
		return;
	qsort(ops, n, sizeof(*ops), compare_corr);
	for (size_t i = 0; i < n; i++) {
		p.launches += i == 0 || ops[i].corr != ops[i - 1].corr;
		if (ops[i].ts < p.ts)
			p.ts = ops[i].ts;
		if (ops[i].end <= p.end)
			continue;
		p.end = ops[i].end;
		p.pid = ops[i].pid;
		p.tid = ops[i].tid;
	}
	p.id = p.parent = p.range_ts = p.range_end = NO_ID;
	p.depth = -1;
	p.style = NVTX_NONE;
	p.name = nvtx_name(&s->ranges.names, SPAN(""));
	*nvtx_proj_add(s) = p;
}

void
nvtx_proj_compat_event(
    struct nvtx_projection *s, const struct ask *ask, const struct event *ev)
{
	if (ev->kind == KIND_gpu_range)
		return;
	if (ev->kind == KIND_range && !event_has(ev, KEY_end_tid))
		nvtx_ranges_add(&s->ranges, ask, ev);
	else if (schema_role(ev->kind) == ROLE_WORK)
		nvtx_ops_add(&s->ops, ev);
	nvtx_time_see(&s->ranges.time, ev);
}

void
nvtx_proj_compat(struct nvtx_projection *s, const struct ask *ask)
{
	struct nvtx_ranges *rs = &s->ranges;
	size_t at = 0;

	nvtx_ranges_finish(rs, ask);
	merge_ops(&s->ops);
	for (size_t i = 0; i < rs->count; i++) {
		at = nvtx_ops_from(&s->ops, at, &rs->all[i]);
		project(s, i, at);
	}
	for (size_t i = s->section; i < s->count; i++)
		s->all[i].children = rs->all[s->all[i].range].children;
	if (ask->version < 2024)
		project_rest(s);
}

void
nvtx_proj_section_end(struct nvtx_projection *s)
{
	s->section = s->count;
	s->ops.count = 0;
	nvtx_ids_free(&s->ids);
	nvtx_ranges_reset(&s->ranges);
}

void
nvtx_proj_free(struct nvtx_projection *s)
{
	nvtx_ids_free(&s->ids);
	free(s->all);
	text_free(&s->stacks);
	nvtx_stack_free(&s->stack);
	nvtx_ops_free(&s->ops);
	nvtx_ranges_free(&s->ranges);
}
