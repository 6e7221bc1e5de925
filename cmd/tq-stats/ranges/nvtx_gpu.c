/*
 * nvtx_gpu.c - ranges projected on devices, one by one: from the start of the
 * first to the end of the last operation that was launched in them
 *
 * tq-correlate did that; its gpu-range records, one for each device, are put
 * together here.  With --compat it is computed anew, see nvtx_proj.c.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "nvtx_kern.h"
#include "nvtx_proj.h"

/* ---- from gpu-range records ---- */

/* The one of the range at hand: new, unless another device had it before. */
static struct nvtx_proj *
find(struct nvtx_projection *s, const struct event *ev)
{
	int64_t id = event_int(ev, KEY_range, NO_ID);
	uint64_t *known = nvtx_ids_get(&s->ids, id);
	struct nvtx_proj *p;

	if ((*known & PROJ_SEEN) != 0)
		return &s->all[*known >> PROJ_BITS];
	p = nvtx_proj_add(s);
	p->style = (*known & PROJ_START) != 0 ? NVTX_START : NVTX_PUSH;
	p->id = id;
	p->ts = INT64_MAX;
	p->end = INT64_MIN;
	if (id != NO_ID)
		*known |= PROJ_SEEN | (s->count - 1) << PROJ_BITS;
	return p;
}

static void
add_gpu_range(struct report *r, const struct event *ev)
{
	struct nvtx_projection *s = r->state;
	struct nvtx_proj *p = find(s, ev);
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = time_end(ts, event_int(ev, KEY_dur, 0));

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
		? time_end(p->range_ts, event_int(ev, KEY_range_dur, 0))
		: NO_ID;
	p->named = nvtx_event_name(&s->ranges.scratch, r->ask, ev);
	p->name = nvtx_name(&s->ranges.names, text_span(&s->ranges.scratch));
}

/* The row of the parent: its index and 1, or 0. */
static size_t
parent_of(struct nvtx_projection *s, const struct nvtx_proj *p)
{
	uint64_t known =
	    p->parent != NO_ID ? *nvtx_ids_get(&s->ids, p->parent) : 0;

	return (known & PROJ_SEEN) != 0 ? (known >> PROJ_BITS) + 1 : 0;
}

static void
finish(struct nvtx_projection *s)
{
	struct nvtx_proj *all = s->all;

	for (size_t i = s->section; all != NULL && i < s->count; i++) {
		size_t parent = parent_of(s, &all[i]);

		if (all[i].range_end == NO_ID)
			all[i].range_end = s->ranges.time.all;
		if (parent != 0)
			all[parent - 1].children++;
	}
}

/* The rows are in order: in which of them the parents are. */
static void
link_parents(struct nvtx_projection *s)
{
	struct nvtx_proj *all = s->all;

	for (size_t i = s->section; all != NULL && i < s->count; i++)
		if (all[i].id != NO_ID)
			*nvtx_ids_get(&s->ids, all[i].id) =
			    PROJ_SEEN | i << PROJ_BITS;
	for (size_t i = s->section; all != NULL && i < s->count; i++)
		all[i].stack = parent_of(s, &all[i]);
}

/* Parents are less deep, or the stream is not to be trusted. */
static struct span
stack_of(struct nvtx_projection *s, const struct nvtx_proj *p)
{
	nvtx_stack_add(&s->stack, p->id);
	while (p->parent != NO_ID) {
		nvtx_stack_add(&s->stack, p->parent);
		if (p->stack == 0 || s->all[p->stack - 1].depth >= p->depth)
			break;
		p = &s->all[p->stack - 1];
	}
	return nvtx_stack_text(&s->stack);
}

/* ---- with --compat ---- */

/* The ranges of the section go: keep what their stacks are. */
static void
keep_stacks(struct nvtx_projection *s)
{
	for (size_t i = s->section; i < s->count; i++) {
		struct nvtx_proj *p = &s->all[i];

		if (p->depth < 0)
			continue;
		p->stack = s->stacks.len;
		text_add_span(
		    &s->stacks, nvtx_ranges_stack(&s->ranges,
				    &s->ranges.all[p->range], &s->stack));
		text_add_char(&s->stacks, '\0');
	}
}

/* ---- nvtx_gpu_proj_trace ---- */

static void
open_trace(struct report *r)
{
	struct nvtx_projection *s = r->state;

	s->ranges.parents = true;
}

static void
event(struct report *r, const struct event *ev)
{
	struct nvtx_projection *s = r->state;

	if (r->ask->compat) {
		nvtx_proj_compat_event(s, r->ask, ev);
		return;
	}
	if (ev->kind == KIND_gpu_range) {
		add_gpu_range(r, ev);
		return;
	}
	if (ev->kind == KIND_range && nvtx_style(ev) == NVTX_START)
		*nvtx_ids_get(&s->ids, event_int(ev, KEY_id, NO_ID)) |=
		    PROJ_START;
	nvtx_time_see(&s->ranges.time, ev);
}

static int
order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
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
section_end(struct report *r)
{
	struct nvtx_projection *s = r->state;

	if (r->ask->compat)
		nvtx_proj_compat(s, r->ask);
	else
		finish(s);
	if (s->count - s->section > 1)
		qsort(s->all + s->section, s->count - s->section,
		    sizeof(*s->all), compare);
	if (r->ask->compat)
		keep_stacks(s);
	else
		link_parents(s);
	nvtx_proj_section_end(s);
}

static void
columns(struct table *t)
{
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
make_row(void *state, struct table *t, size_t row)
{
	const struct report *r = state;
	struct nvtx_projection *s = r->state;
	const struct nvtx_proj *p = &s->all[row];

	table_text(t, nvtx_name_text(&s->ranges.names, p->name));
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
	else if (r->ask->compat)
		table_text(t, span_of(s->stacks.p + p->stack));
	else
		table_text(t, stack_of(s, p));
}

static void
table(struct report *r, struct table *t)
{
	const struct nvtx_projection *s = r->state;

	columns(t);
	table_made(t, s->count, make_row, r);
}

static void
close_trace(struct report *r)
{
	nvtx_proj_free(r->state);
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

#define PROJECTION \
	.missing = "no range in the stream that launched an operation", \
	.correlated = true, .keys = keys, .work_keys = work_keys, \
	.kinds = KINDS(trace) | KINDS(range) | KINDS(gpu_range) | \
		 KINDS(kernel) | KINDS(memcpy) | KINDS(memset)

const struct report_kind report_nvtx_gpu[] = {
    {.name = "nvtx_gpu_proj_sum",
	.title = "NVTX ranges projected on devices",
	PROJECTION,
	.size = sizeof(struct nvtx_proj_sum),
	.open = nvtx_proj_sum_open,
	.event = nvtx_proj_sum_event,
	.section_end = nvtx_proj_sum_section_end,
	.table = nvtx_proj_sum_table,
	.close = nvtx_proj_sum_close},
    {.name = "nvtx_gpu_proj_trace",
	.old = "nvtxgpuproj",
	.title = "NVTX ranges projected on devices, one by one",
	PROJECTION,
	.size = sizeof(struct nvtx_projection),
	.open = open_trace,
	.event = event,
	.section_end = section_end,
	.table = table,
	.close = close_trace},
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
    {0},
};
