/* nvtx.c - reports of ranges as they were on the host */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "sums/groups.h"
#include "nvtx.h"

/* ---- nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum ---- */

/* a range that was not closed yet */
struct open {
	struct group *group;
	int64_t ts;
	int64_t from; /* from when on it alone keeps the group busy */
};

struct sum {
	struct groups groups;
	struct nvtx_time time;
	struct open *open;
	size_t open_count, open_cap;
	struct text key, name;
};

/* From its start on the group is busy, whatever else comes. */
static void
add_open(struct sum *s, struct group *g, int64_t ts)
{
	int64_t from = g->busy_end > ts ? g->busy_end : ts;

	if (s->open_count == s->open_cap) {
		s->open_cap = s->open_cap * 2 + 16;
		s->open = mem_resize(s->open, s->open_cap, sizeof(*s->open));
	}
	s->open[s->open_count++] = (struct open){g, ts, from};
	g->busy_end = INT64_MAX;
}

static void
sum_range(struct report *r, const struct event *ev, bool style)
{
	struct sum *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct group *g;

	s->key.len = 0;
	nvtx_event_name(&s->name, r->ask, ev);
	if (style)
		groups_part(&s->key, nvtx_style_text(nvtx_style(ev)));
	groups_part(&s->key, text_span(&s->name));
	g = groups_get(&s->groups, text_span(&s->key));
	if (!event_has(ev, KEY_dur) && event_true(ev, KEY_open))
		add_open(s, g, ts);
	else
		groups_interval(g, ts, nvtx_duration(ts, event_end(ev, ts)));
}

static void
sum_event(struct report *r, const struct event *ev)
{
	struct sum *s = r->state;

	nvtx_time_see(&s->time, ev);
	if (ev->kind == KIND_range)
		sum_range(r, ev, true);
}

static void
pushpop_event(struct report *r, const struct event *ev)
{
	struct sum *s = r->state;

	nvtx_time_see(&s->time, ev);
	if (ev->kind == KIND_range && nvtx_style(ev) == NVTX_PUSH)
		sum_range(r, ev, false);
}

static void
startend_event(struct report *r, const struct event *ev)
{
	struct sum *s = r->state;

	nvtx_time_see(&s->time, ev);
	if (ev->kind == KIND_range && nvtx_style(ev) == NVTX_START)
		sum_range(r, ev, false);
}

static void
sum_section_end(struct report *r)
{
	struct sum *s = r->state;
	int64_t end = nvtx_time_end(&s->time, r->ask);

	for (size_t i = 0; i < s->open_count; i++) {
		const struct open *o = &s->open[i];

		dist_add(&o->group->values, nvtx_duration(o->ts, end));
		o->group->busy += nvtx_duration(o->from, end);
	}
	s->open_count = 0;
	s->time = (struct nvtx_time){0};
}

/* by the last part of the key, which is the name, then by the one before it */
static int
compare_names(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;
	size_t part = strlen(a->key.p) + 1 < a->key.len;
	int c = span_cmp(groups_key(a, part), groups_key(b, part));

	return c != 0 || part == 0
		   ? c
		   : span_cmp(groups_key(a, 0), groups_key(b, 0));
}

/* Of equal totals nsys has the names in order, whatever their number. */
static void
sum_rows(struct report *r, struct table *t, const char *const *labels)
{
	struct groups *gs = &((struct sum *)r->state)->groups;
	size_t from = 0;

	groups_table(gs, t, "Instances", labels, r);
	for (size_t i = 1; i <= gs->count && from < table_shown(t); i++) {
		if (i < gs->count &&
		    gs->all[i]->values.sum == gs->all[from]->values.sum)
			continue;
		if (i - from > 1)
			qsort(gs->all + from, i - from, sizeof(*gs->all),
			    compare_names);
		from = i;
	}
}

static void
sum_table(struct report *r, struct table *t)
{
	static const char *const labels[] = {"Style", "Range", NULL};

	sum_rows(r, t, labels);
}

static void
name_table(struct report *r, struct table *t)
{
	static const char *const labels[] = {"Range", NULL};

	sum_rows(r, t, labels);
}

static struct groups *
sum_groups(const struct report *r)
{
	return &((struct sum *)r->state)->groups;
}

static void
sum_close(struct report *r)
{
	struct sum *s = r->state;

	groups_free(&s->groups);
	free(s->open);
	text_free(&s->key);
	text_free(&s->name);
}

/* ---- nvtx_pushpop_trace ---- */

struct trace {
	struct nvtx_ranges ranges;
	struct table rows; /* of the sections so far */
	struct nvtx_stack stack;
	struct text tree;
};

static void
trace_open(struct report *r)
{
	struct trace *s = r->state;

	s->ranges.parents = true;
	table_column(&s->rows, "Start", UNIT_TIME);
	table_column(&s->rows, "End", UNIT_TIME);
	table_column(&s->rows, "Duration", UNIT_TIME);
	table_column(&s->rows, "DurChild", UNIT_TIME);
	table_column(&s->rows, "DurNonChild", UNIT_TIME);
	table_text_column(&s->rows, "Name");
	table_column(&s->rows, "PID", UNIT_NONE);
	table_column(&s->rows, "TID", UNIT_NONE);
	table_column(&s->rows, "Lvl", UNIT_NONE);
	table_column(&s->rows, "NumChild", UNIT_NONE);
	table_column(&s->rows, "RangeId", UNIT_NONE);
	table_column(&s->rows, "ParentId", UNIT_NONE);
	table_text_column(&s->rows, "RangeStack");
	table_text_column(&s->rows, "NameTree");
}

static void
trace_event(struct report *r, const struct event *ev)
{
	struct trace *s = r->state;

	nvtx_time_see(&s->ranges.time, ev);
	if (ev->kind == KIND_range && nvtx_style(ev) == NVTX_PUSH)
		nvtx_ranges_add(&s->ranges, r->ask, ev);
}

static void
trace_row(struct trace *s, const struct nvtx_range *r)
{
	struct table *t = &s->rows;
	struct span name = nvtx_name_text(&s->ranges.names, r->name);
	int64_t dur = nvtx_duration(r->ts, r->end);

	table_int(t, r->ts);
	table_int(t, r->end);
	table_int(t, dur);
	table_int(t, r->inside);
	table_int(t, dur - r->inside);
	table_text(t, name);
	table_id(t, r->pid);
	table_id(t, r->tid);
	table_int(t, r->depth);
	table_int(t, r->children);
	table_id(t, r->id);
	table_id(t, r->parent != 0 ? s->ranges.all[r->parent - 1].id : NO_ID);
	table_text(t, nvtx_ranges_stack(&s->ranges, r, &s->stack));
	s->tree.len = 0;
	for (int32_t i = 0; i < r->depth; i++)
		text_add_str(&s->tree, "--");
	text_add_span(&s->tree, name);
	table_text(t, text_span(&s->tree));
}

static int
compare_ranges(const void *pa, const void *pb)
{
	const struct nvtx_range *a = *(const struct nvtx_range *const *)pa;
	const struct nvtx_range *b = *(const struct nvtx_range *const *)pb;

	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static void
trace_section_end(struct report *r)
{
	struct trace *s = r->state;
	struct nvtx_ranges *rs = &s->ranges;
	const struct nvtx_range **order;
	size_t n = 0;

	nvtx_ranges_finish(rs, r->ask);
	order = mem_alloc((rs->count + 1) * sizeof(*order));
	for (size_t i = 0; i < rs->count; i++) {
		const struct nvtx_range *range = &rs->all[i];
		struct nvtx_range *parent;

		if (range->depth >= 0)
			order[n++] = range;
		if (range->parent == 0)
			continue;
		parent = &rs->all[range->parent - 1];
		parent->children++;
		parent->inside += nvtx_duration(range->ts, range->end);
	}
	if (n > 1)
		qsort(order, n, sizeof(*order), compare_ranges);
	for (size_t i = 0; i < n; i++)
		trace_row(s, order[i]);
	free(order);
	nvtx_ranges_reset(rs);
}

static void
trace_table(struct report *r, struct table *t)
{
	struct trace *s = r->state;

	nvtx_table_take(t, &s->rows);
}

static void
trace_close(struct report *r)
{
	struct trace *s = r->state;

	nvtx_ranges_free(&s->ranges);
	nvtx_stack_free(&s->stack);
	text_free(&s->tree);
}

/* ---- the list ---- */

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_id, KEY_mode, KEY_domain, KEY_open, KEY_end_tid, KEY_NONE};

/* of all others but the time is looked at, for what was never closed */
#define RANGES \
	.kinds = KINDS(trace) | KINDS(range) | KINDS(mark) | KINDS(api) | \
		 KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | \
		 KINDS(graph) | KINDS(sync) | KINDS(osrt), \
	.keys = keys

const struct report_kind report_nvtx[] = {
    {.name = "nvtx_sum",
	.old = "nvtxsum",
	.title = "NVTX ranges",
	.missing = "no range in the stream",
	RANGES,
	.size = sizeof(struct sum),
	.event = sum_event,
	.section_end = sum_section_end,
	.table = sum_table,
	.close = sum_close,
	.groups = sum_groups},
    {.name = "nvtx_pushpop_sum",
	.old = "nvtxppsum",
	.title = "NVTX ranges that were pushed",
	.missing = "no range of push and pop in the stream",
	RANGES,
	.size = sizeof(struct sum),
	.event = pushpop_event,
	.section_end = sum_section_end,
	.table = name_table,
	.close = sum_close,
	.groups = sum_groups},
    {.name = "nvtx_startend_sum",
	.old = "nvtxsesum",
	.title = "NVTX ranges that were started",
	.missing = "no range of start and end in the stream",
	RANGES,
	.size = sizeof(struct sum),
	.event = startend_event,
	.section_end = sum_section_end,
	.table = name_table,
	.close = sum_close,
	.groups = sum_groups},
    {.name = "nvtx_pushpop_trace",
	.old = "nvtxpptrace",
	.title = "NVTX ranges that were pushed, one by one",
	.missing = "no range of push and pop in the stream",
	RANGES,
	.size = sizeof(struct trace),
	.open = trace_open,
	.event = trace_event,
	.section_end = trace_section_end,
	.table = trace_table,
	.close = trace_close},
    {0},
};
