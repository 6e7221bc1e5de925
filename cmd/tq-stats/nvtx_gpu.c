/*
 * nvtx_gpu.c - ranges projected on devices: from the start of the first to the
 * end of the last operation that was launched in them
 *
 * tq-correlate did that; its gpu-range records, one for each device, are put
 * together here.  With --compat it is computed anew, see nvtx_proj.c.
 */

#include <stdlib.h>

#include "tq/mem.h"

#include "groups.h"
#include "nvtx_proj.h"

/* ---- from gpu-range records ---- */

/* The one of the range at hand: new, unless another device had it before. */
static struct nvtx_proj *
find(struct nvtx_projection *s, const struct event *ev)
{
	int64_t id = event_int(ev, KEY_range, NO_ID);
	uint64_t *slot = NULL;
	struct nvtx_proj *p;

	if (id != NO_ID) {
		slot = map_get(&s->ids, (uint64_t)id, 0);
		if (*slot != 0)
			return &s->all[*slot - 1];
		*slot = s->count + 1;
	}
	p = nvtx_proj_add(s);
	p->id = id;
	p->ts = INT64_MAX;
	p->end = INT64_MIN;
	return p;
}

static void
add_gpu_range(struct report *r, const struct event *ev)
{
	struct nvtx_projection *s = r->state;
	struct nvtx_proj *p = find(s, ev);
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = end_of(ts, event_int(ev, KEY_dur, 0));

	if (ts < p->ts)
		p->ts = ts;
	if (end > p->end)
		p->end = end;
	p->launches += event_int(ev, KEY_launches, 0);
	p->pid = event_int(ev, KEY_pid, NO_ID);
	p->tid = event_int(ev, KEY_tid, NO_ID);
	p->parent = event_int(ev, KEY_parent, NO_ID);
	p->depth = event_int(ev, KEY_depth, -1);
	p->range_ts = event_int(ev, KEY_range_ts, ts);
	p->range_end =
	    event_has(ev, KEY_range_dur)
		? end_of(p->range_ts, event_int(ev, KEY_range_dur, 0))
		: NO_ID;
	p->named = nvtx_event_name(&s->ranges.scratch, r->ask, ev);
	p->name = nvtx_name(&s->ranges.names, text_span(&s->ranges.scratch));
	p->style = map_find(&s->starts, (uint64_t)p->id, 0) != NULL ? NVTX_START
								    : NVTX_PUSH;
}

static void
finish(struct nvtx_projection *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct nvtx_proj *p = &s->all[i];
		const uint64_t *parent =
		    map_find(&s->ids, (uint64_t)p->parent, 0);

		if (p->range_end == NO_ID)
			p->range_end = s->ranges.time.all;
		if (parent != NULL)
			s->all[*parent - 1].children++;
	}
}

/* Parents are less deep, or the stream is not to be trusted. */
static struct span
stack_of(struct nvtx_projection *s, const struct nvtx_proj *p)
{
	nvtx_stack_add(&s->stack, p->id);
	while (p->parent != NO_ID) {
		const uint64_t *slot =
		    map_find(&s->ids, (uint64_t)p->parent, 0);

		nvtx_stack_add(&s->stack, p->parent);
		if (slot == NULL || s->all[*slot - 1].depth >= p->depth)
			break;
		p = &s->all[*slot - 1];
	}
	return nvtx_stack_text(&s->stack);
}

/* ---- both ---- */

static int
order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static void
event(struct report *r, const struct event *ev)
{
	struct nvtx_projection *s = r->state;
	bool compat = r->ask->compat;

	switch (ev->kind) {
	case KIND_gpu_range:
		if (!compat)
			add_gpu_range(r, ev);
		return;
	case KIND_range:
		if (compat && !event_has(ev, KEY_end_tid))
			nvtx_ranges_add(&s->ranges, r->ask, ev);
		else if (!compat && nvtx_style(ev) == NVTX_START)
			*map_get(&s->starts,
			    (uint64_t)event_int(ev, KEY_id, NO_ID), 0) = 1;
		break;
	case KIND_kernel:
	case KIND_memcpy:
	case KIND_memset:
		if (compat)
			nvtx_ops_add(&s->ops, ev);
		break;
	default:
		break;
	}
	nvtx_time_see(&s->ranges.time, ev);
}

/* In order of the ranges, as nsys has it, not of the projections. */
static int
compare(const void *pa, const void *pb)
{
	const struct nvtx_proj *a = pa, *b = pb;
	int c = order(a->range_ts, b->range_ts);

	return c != 0 ? c : order(a->id, b->id);
}

static void
reset(struct nvtx_projection *s)
{
	s->count = 0;
	s->ops.count = 0;
	map_clear(&s->starts);
	map_clear(&s->ids);
	nvtx_ranges_reset(&s->ranges);
}

static void
finish_section(struct report *r)
{
	struct nvtx_projection *s = r->state;

	if (r->ask->compat)
		nvtx_proj_compat(s, r->ask);
	else
		finish(s);
}

static void
open_any(struct report *r)
{
	struct nvtx_projection *s = r->state;

	s->ranges.parents = true;
}

static void
close_any(struct report *r)
{
	struct nvtx_projection *s = r->state;

	for (size_t i = 0; i < s->group_count; i++)
		dist_free(&s->groups[i].values);
	free(s->groups);
	map_free(&s->group);
	map_free(&s->starts);
	map_free(&s->ids);
	free(s->all);
	nvtx_stack_free(&s->stack);
	nvtx_ops_free(&s->ops);
	nvtx_ranges_free(&s->ranges);
}

/* ---- nvtx_gpu_proj_trace ---- */

static void
trace_open(struct report *r)
{
	struct nvtx_projection *s = r->state;
	struct table *t = &s->rows;

	open_any(r);
	table_text_column(t, "Name");
	table_column(t, "Projected Start", UNIT_TIME);
	table_column(t, "Projected Duration", UNIT_TIME);
	table_column(t, "Orig Start", UNIT_TIME);
	table_column(t, "Orig Duration", UNIT_TIME);
	table_text_column(t, "Style");
	table_column(t, "PID", UNIT_NONE);
	table_column(t, "TID", UNIT_NONE);
	table_column(t, "NumGPUOps", UNIT_NONE);
	table_column(t, "Lvl", UNIT_NONE);
	table_column(t, "NumChild", UNIT_NONE);
	table_column(t, "RangeId", UNIT_NONE);
	table_column(t, "ParentId", UNIT_NONE);
	table_text_column(t, "RangeStack");
}

static void
trace_row(
    struct nvtx_projection *s, const struct nvtx_proj *p, const struct ask *ask)
{
	struct table *t = &s->rows;
	const struct nvtx_ranges *rs = &s->ranges;

	table_text(t, nvtx_name_text(&rs->names, p->name));
	table_int(t, p->ts);
	table_int(t, nvtx_duration(p->ts, p->end));
	table_id(t, p->range_ts);
	table_id(t, p->style == NVTX_NONE
			? NO_ID
			: nvtx_duration(p->range_ts, p->range_end));
	table_text(t, nvtx_style_text(p->style));
	table_id(t, p->pid);
	table_id(t, p->tid);
	table_int(t, p->launches);
	table_id(t, p->depth < 0 ? NO_ID : p->depth);
	table_int(t, p->children);
	table_id(t, p->id);
	table_id(t, p->parent);
	if (p->depth < 0)
		table_text(t, (struct span){"", 0});
	else if (ask->compat)
		table_text(
		    t, nvtx_ranges_stack(rs, &rs->all[p->range], &s->stack));
	else
		table_text(t, stack_of(s, p));
}

static void
trace_section_end(struct report *r)
{
	struct nvtx_projection *s = r->state;

	finish_section(r);
	if (s->count > 1) {
		qsort(s->all, s->count, sizeof(*s->all), compare);
		for (size_t i = 0; i < s->count && !r->ask->compat; i++)
			*map_get(&s->ids, (uint64_t)s->all[i].id, 0) = i + 1;
	}
	for (size_t i = 0; i < s->count; i++)
		trace_row(s, &s->all[i], r->ask);
	reset(s);
}

static void
trace_table(struct report *r, struct table *t)
{
	struct nvtx_projection *s = r->state;

	nvtx_table_take(t, &s->rows);
}

/* ---- nvtx_gpu_proj_sum ---- */

static struct nvtx_proj_group *
group_of(struct nvtx_projection *s, const struct nvtx_proj *p)
{
	uint64_t *slot = map_get(&s->group, p->name, p->style);

	if (*slot != 0)
		return &s->groups[*slot - 1];
	if (s->group_count == s->group_cap) {
		s->group_cap = s->group_cap * 2 + 64;
		s->groups =
		    mem_resize(s->groups, s->group_cap, sizeof(*s->groups));
	}
	s->groups[s->group_count] =
	    (struct nvtx_proj_group){.name = p->name, .style = p->style};
	*slot = ++s->group_count;
	return &s->groups[*slot - 1];
}

/* nsys leaves out what has no name. */
static void
sum_section_end(struct report *r)
{
	struct nvtx_projection *s = r->state;

	finish_section(r);
	for (size_t i = 0; i < s->count; i++) {
		const struct nvtx_proj *p = &s->all[i];
		struct nvtx_proj_group *g;

		if (!p->named)
			continue;
		g = group_of(s, p);
		dist_add(&g->values, nvtx_duration(p->ts, p->end));
		g->range_time += nvtx_duration(p->range_ts, p->range_end);
		g->launches += p->launches;
		g->children += p->children;
		if (p->depth >= 0) {
			g->depth += p->depth;
			g->depths++;
		}
	}
	reset(s);
}

static int
compare_groups(const void *pa, const void *pb, void *names)
{
	const struct nvtx_proj_group *a = pa, *b = pb;
	int c;

	if (a->values.sum != b->values.sum)
		return a->values.sum > b->values.sum ? -1 : 1;
	c = span_cmp(
	    nvtx_name_text(names, a->name), nvtx_name_text(names, b->name));
	return c != 0 ? c : order(a->style, b->style);
}

static void
sum_columns(struct table *t, bool pct)
{
	table_text_column(t, "Range");
	table_text_column(t, "Style");
	table_column(t, "Total Proj Time", UNIT_TIME);
	table_column(t, "Total Range Time", UNIT_TIME);
	table_column(t, "Range Instances", UNIT_NONE);
	table_column(t, "Proj Avg", UNIT_TIME);
	table_column(t, "Proj Med", UNIT_TIME);
	table_column(t, "Proj Min", UNIT_TIME);
	table_column(t, "Proj Max", UNIT_TIME);
	table_column(t, "Proj StdDev", UNIT_TIME);
	if (pct)
		groups_more_columns(t);
	table_column(t, "Total GPU Ops", UNIT_NONE);
	table_column(t, "Avg GPU Ops", UNIT_NONE);
	table_column(t, "Avg Range Lvl", UNIT_NONE);
	table_column(t, "Avg Num Child", UNIT_NONE);
}

static void
sum_row(struct nvtx_projection *s, struct nvtx_proj_group *g, struct table *t,
    bool pct)
{
	long double n = (long double)g->values.count;

	table_text(t, nvtx_name_text(&s->ranges.names, g->name));
	table_text(t, nvtx_style_text(g->style));
	table_int(t, (int64_t)g->values.sum);
	table_int(t, (int64_t)g->range_time);
	table_int(t, (int64_t)g->values.count);
	groups_cells(t, &g->values);
	if (pct)
		groups_more_cells(t, &g->values);
	table_int(t, g->launches);
	table_real(t, (long double)g->launches / n, 1);
	if (g->depths > 0)
		table_real(
		    t, (long double)g->depth / (long double)g->depths, 1);
	else
		table_empty(t);
	table_real(t, (long double)g->children / n, 1);
}

static void
sum_table(struct report *r, struct table *t)
{
	struct nvtx_projection *s = r->state;

	if (s->group_count > 1)
		qsort_r(s->groups, s->group_count, sizeof(*s->groups),
		    compare_groups, &s->ranges.names);
	sum_columns(t, r->pct);
	for (size_t i = 0; i < s->group_count; i++)
		sum_row(s, &s->groups[i], t, r->pct);
}

/* ---- the list ---- */

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_id, KEY_mode, KEY_domain, KEY_open, KEY_end_tid, KEY_range, KEY_parent,
    KEY_depth, KEY_launches, KEY_range_ts, KEY_range_dur, KEY_NONE};

static const enum key kern_keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
    KEY_name, KEY_id, KEY_mode, KEY_domain, KEY_open, KEY_end_tid, KEY_depth,
    KEY_NONE};

static const enum key work_keys[] = {
    KEY_corr, KEY_sym, KEY_api_ts, KEY_api_dur, KEY_NONE};

#define PROJECTION                                                      \
	.missing = "no range in the stream that launched an operation", \
	.correlated = true, .keys = keys, .work_keys = work_keys,       \
	.size = sizeof(struct nvtx_projection),                         \
	.kinds = KINDS(trace) | KINDS(range) | KINDS(gpu_range) |       \
		 KINDS(kernel) | KINDS(memcpy) | KINDS(memset),         \
	.event = event, .close = close_any

const struct report_kind report_nvtx_gpu[] = {
    {.name = "nvtx_gpu_proj_sum",
     .title = "NVTX ranges projected on devices",
     PROJECTION, .open = open_any,
     .section_end = sum_section_end,
     .table = sum_table},
    {.name = "nvtx_gpu_proj_trace",
     .old = "nvtxgpuproj",
     .title = "NVTX ranges projected on devices, one by one",
     PROJECTION, .open = trace_open,
     .section_end = trace_section_end,
     .table = trace_table},
    {.name = "nvtx_kern_sum",
     .old = "nvtxkernsum",
     .title = "kernels by the NVTX ranges they were launched in",
     .args = "base|mangled",
     .missing = "no kernel in the stream",
     .correlated = true,
     .keys = kern_keys,
     .work_keys = work_keys,
     .size = sizeof(struct nvtx_kern),
     .kinds = KINDS(trace) | KINDS(range) | KINDS(kernel) | KINDS(memcpy) |
		 KINDS(memset),
     .event = nvtx_kern_event,
     .section_end = nvtx_kern_section_end,
     .table = nvtx_kern_table,
     .close = nvtx_kern_close},
    {0			     },
};
