/* pushpop.c - ranges as they were on the host: their sums, and one by one */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/keyed.h"
#include "tq/names/model.h"

#include "tq/names/fold_name.h"
#include "sums/sums.h"
#include "tq/show/col.h"
#include "pushpop.h"
#include "tree.h"

/* ---- nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum ---- */

/* of a group of the page, ns: without ranges within others of its name, ... */
enum {
	PUSHPOP_NAME_BUSY,
	PUSHPOP_FAMILY_BUSY, /* of its family */
	PUSHPOP_MORE
};

/* a range that was not closed yet */
struct pushpop_open {
	struct group *group;
	int64_t ts;
	int64_t from; /* from there on it alone keeps the group busy */
	bool counts;  /* it is a value of the group */
};

struct pushpop_sum {
	struct range_time time;
	struct pushpop_open *open; /* of the section */
	size_t open_count, open_cap;

	/* of the page, of the section */
	KEYED(int64_t) ends; /* (thread, group): of its outermost range */
	struct map inner;    /* id of a range -> enum pushpop_inner */
};

/* what has a range of the page within another of its thread */
enum pushpop_inner {
	INNER_NAME = 1,  /* its name */
	INNER_FAMILY = 2 /* a name that differs in its numbers */
};

/* The group is busy from ts on, whatever else comes. */
static void
add_open(struct pushpop_sum *s, struct group *g, int64_t ts, bool counts)
{
	int64_t from = g->busy_end > ts ? g->busy_end : ts;

	*array_add(&s->open, &s->open_count, &s->open_cap) =
	    (struct pushpop_open){g, ts, from, counts};
	g->busy_end = INT64_MAX;
}

static void
add_range(struct report *r, struct group *g, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct group *all = r->families.all;

	if (event_has(ev, KEY_dur) || !event_true(ev, KEY_open)) {
		sums_interval(r, g, ts, time_between(ts, event_end(ev, ts)));
		return;
	}
	add_open(r->state, g, ts, true);
	if (all != NULL && all != g)
		add_open(r->state, all, ts, false);
}

static struct span
style_part(const struct report *r, const struct event *ev, struct text *t)
{
	(void)r, (void)t;
	return range_style_text(range_style(ev));
}

static struct span
name_part(const struct report *r, const struct event *ev, struct text *t)
{
	range_name(t, r->settings, ev);
	if (r->families.parts != 0)
		t->len = fold_name_always(t->p, t->len);
	return t->len > 0 ? text_span(t) : SPAN("");
}

/* With :folded the names of ranges are folded, the last part of a key. */
static void
sum_open(struct report *r)
{
	if (report_wants_folded(r))
		r->families.parts = r->kind->sum->by[1].label != NULL ? 2 : 1;
}

static bool
is_pushed(struct report *r, const struct event *ev)
{
	(void)r;
	return range_style(ev) == RANGE_PUSH;
}

static bool
is_started(struct report *r, const struct event *ev)
{
	(void)r;
	return range_style(ev) == RANGE_START;
}

static void
sum_event(struct report *r, const struct event *ev)
{
	struct pushpop_sum *s = r->state;

	range_time_add(&s->time, ev);
	if (ev->kind == KIND_range)
		sums_event(r, ev);
}

/* True if a range of the group is around this one, which comes after it. */
static bool
is_inner(struct pushpop_sum *s, const struct group *g, const struct event *ev)
{
	int64_t end = event_end(ev, event_int(ev, KEY_ts, 0));
	bool fresh;
	int64_t *outer = keyed_get(
	    &s->ends, model_thread(ev), (uint64_t)(uintptr_t)g, &fresh);

	if (!fresh && end <= *outer)
		return true;
	*outer = end;
	return false;
}

static void
add_page_range(struct report *r, struct group *g, const struct event *ev)
{
	struct pushpop_sum *s = r->state;
	struct group *all = r->families.all;
	uint64_t inner = 0;

	add_range(r, g, ev);
	if (!event_has(ev, KEY_id) || event_has(ev, KEY_end_tid))
		return; /* no other range has its operations, too */
	if (is_inner(s, all, ev))
		inner = INNER_FAMILY;
	if (g != all ? is_inner(s, g, ev) : inner != 0)
		inner |= INNER_NAME;
	if (inner != 0)
		*map_get(&s->inner, (uint64_t)event_int(ev, KEY_id, 0), 0) =
		    inner;
}

/*
 * A gpu-range: for so long GPUs were busy for the range.  A range that is
 * around it has that time, too.
 */
static void
add_busy(struct report *r, const struct event *ev)
{
	struct pushpop_sum *s = r->state;
	int64_t busy = event_int(ev, KEY_busy, 0);
	const uint64_t *found =
	    map_find(&s->inner, (uint64_t)event_int(ev, KEY_range, NO_ID), 0);
	uint64_t inner = found != NULL ? *found : 0;
	struct group *g;

	r->key.len = r->scratch.len = 0;
	groups_part(&r->key, name_part(r, ev, &r->scratch));
	g = sums_group(r);
	if ((inner & INNER_NAME) == 0)
		dist_add(&g->more[PUSHPOP_NAME_BUSY], busy);
	if ((inner & INNER_FAMILY) == 0)
		dist_add(&g->more[PUSHPOP_FAMILY_BUSY], busy);
}

dist_wide
pushpop_busy(const struct group *g)
{
	/* see naming/families.h */
	return g
	    ->more[g->numbers[0] > 0 ? PUSHPOP_FAMILY_BUSY : PUSHPOP_NAME_BUSY]
	    .sum;
}

static void
page_event(struct report *r, const struct event *ev)
{
	if (ev->kind == KIND_gpu_range)
		add_busy(r, ev);
	else
		sum_event(r, ev);
}

static const enum key range_keys[] = {KEY_pid, KEY_tid, KEY_name, KEY_id,
    KEY_mode, KEY_domain, KEY_open, KEY_end_tid, KEY_NONE};

static void
ranges_wanted(struct keyset *want)
{
	keyset_add_all(&want[KIND_range], range_keys);
}

static void
page_wanted(struct keyset *want)
{
	ranges_wanted(want);
	keyset_add_all(&want[KIND_gpu_range], range_keys);
	keyset_add(&want[KIND_gpu_range], KEY_busy);
	keyset_add(&want[KIND_gpu_range], KEY_range);
}

static void
page_open(struct report *r)
{
	r->families.parts = 1;
}

static void
sum_section_end(struct report *r)
{
	struct pushpop_sum *s = r->state;
	int64_t end = range_time_end(&s->time, r->settings);

	for (size_t i = 0; i < s->open_count; i++) {
		const struct pushpop_open *o = &s->open[i];

		if (o->counts)
			dist_add(&o->group->values, time_between(o->ts, end));
		o->group->busy =
		    time_end(o->group->busy, time_between(o->from, end));
	}
	s->open_count = 0;
	s->time = (struct range_time){0};
	keyed_clear(&s->ends);
	map_clear(&s->inner);
}

/* by the last part of the key, the name, then by the part before it */
static int
by_name(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;
	size_t part = strlen(a->key.p) + 1 < a->key.len;
	int c = span_cmp(groups_key(a, part), groups_key(b, part));

	return c != 0 || part == 0
		   ? c
		   : span_cmp(groups_key(a, 0), groups_key(b, 0));
}

/* nsys orders equal totals by name, whatever their number. */
static void
sum_table(struct report *r, struct table *t)
{
	struct groups *gs = &r->groups;
	size_t from = 0;

	sums_table(r, t);
	for (size_t i = 1; i <= gs->count && from < table_shown(t); i++) {
		if (i < gs->count &&
		    gs->all[i]->values.sum == gs->all[from]->values.sum)
			continue;
		if (i - from > 1)
			qsort(gs->all + from, i - from, sizeof(*gs->all),
			    by_name);
		from = i;
	}
}

static void
sum_close(struct report *r)
{
	struct pushpop_sum *s = r->state;

	free(s->open);
	keyed_free(&s->ends);
	map_free(&s->inner);
}

/* ---- nvtx_pushpop_trace ---- */

struct pushpop_trace {
	struct tree ranges;
	struct range_stack stack;
	struct text indented;
};

/* a range and its children */
struct pushpop_row {
	const struct tree_range *range;
	uint32_t children;
	int64_t inside; /* their time */
};

static struct span
indented_name(struct text *t, const struct tree_range *r, struct span name)
{
	t->len = 0;
	for (int32_t i = 0; i < r->depth; i++)
		text_add_str(t, "--");
	text_add_span(t, name);
	return text_span(t);
}

static void
trace_row(
    struct table *t, struct pushpop_trace *s, const struct pushpop_row *row)
{
	const struct tree_range *r = row->range;
	int64_t dur = time_between(r->ts, r->end);
	struct span name = {"", 0}, stack = name, indented = name;
	int64_t parent = NO_ID;

	if (!t->heading) {
		name = numbered_texts_text(&s->ranges.names, r->name);
		stack = tree_stack(&s->ranges, r, &s->stack);
		if (r->named)
			indented = indented_name(&s->indented, r, name);
		if (r->parent != 0)
			parent = s->ranges.all[r->parent - 1].id;
	}
	col_int(t, "Start", UNIT_TIME, r->ts);
	col_int(t, "End", UNIT_TIME, r->end);
	col_int(t, "Duration", UNIT_TIME, dur);
	col_sum(t, "DurChild", UNIT_TIME, row->inside);
	col_int(t, "DurNonChild", UNIT_TIME, dur - row->inside);
	col_text(t, "Name", name);
	col_id(t, "PID", r->pid);
	col_id(t, "TID", r->tid);
	col_int(t, "Lvl", UNIT_NONE, r->depth);
	col_int(t, "NumChild", UNIT_NONE, row->children);
	col_id(t, "RangeId", r->id);
	col_id(t, "ParentId", parent);
	col_text(t, "RangeStack", stack);
	col_text(t, "NameTree", indented);
}

static void
trace_open(struct report *r)
{
	struct pushpop_trace *s = r->state;
	const struct tree_range none = {0};

	tree_init(&s->ranges, r->settings,
	    r->settings->compat ? TREE_AS_NSYS : TREE_BY_DOMAIN);
	col_heading(&r->rows, trace_row, s, &(struct pushpop_row){&none, 0, 0});
}

static void
trace_event(struct report *r, const struct event *ev)
{
	struct pushpop_trace *s = r->state;

	range_time_add(&s->ranges.time, ev);
	if (ev->kind == KIND_range && range_style(ev) == RANGE_PUSH)
		tree_add(&s->ranges, ev);
}

static int
by_start(const void *pa, const void *pb)
{
	const struct tree_range *a = (*(struct pushpop_row *const *)pa)->range;
	const struct tree_range *b = (*(struct pushpop_row *const *)pb)->range;
	int c;

	if ((c = range_order(a->ts, b->ts)) != 0 ||
	    (c = range_order(a->end, b->end)) != 0)
		return c;
	return range_order(a->id, b->id);
}

static void
trace_section_end(struct report *r)
{
	struct pushpop_trace *s = r->state;
	const struct tree *tree = &s->ranges;
	struct pushpop_row *rows, *parent, **order;
	size_t n = 0;

	tree_finish(&s->ranges);
	rows = mem_alloc((tree->count + 1) * sizeof(*rows));
	order = mem_alloc((tree->count + 1) * sizeof(*order));
	for (size_t i = 0; i < tree->count; i++) {
		const struct tree_range *range = &tree->all[i];

		rows[i].range = range;
		if (range->depth >= 0)
			order[n++] = &rows[i];
		if (range->parent == 0)
			continue;
		parent = &rows[range->parent - 1];
		parent->children++;
		parent->inside = time_end(
		    parent->inside, time_between(range->ts, range->end));
	}
	if (n > 1)
		qsort(order, n, sizeof(struct pushpop_row *), by_start);
	for (size_t i = 0; i < n; i++)
		trace_row(&r->rows, s, order[i]);
	free(rows);
	free(order);
	tree_reset(&s->ranges);
}

static void
trace_close(struct report *r)
{
	struct pushpop_trace *s = r->state;

	tree_free(&s->ranges);
	range_stack_free(&s->stack);
	text_free(&s->indented);
}

/* ---- the list ---- */

/* of other records the reports read the time, for ranges never closed */
#define RANGE_KINDS \
	(KINDS(trace) | KINDS(range) | KINDS(mark) | KINDS(api) | \
	    KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph) | \
	    KINDS(sync) | KINDS(osrt))

#define RANGES \
	.kinds = RANGE_KINDS, .keys = KEYS(KEY_ts, KEY_dur), \
	.wanted = ranges_wanted

#define SUMS \
	.args = "folded", .size = sizeof(struct pushpop_sum), \
	.open = sum_open, .event = sum_event, .section_end = sum_section_end, \
	.table = sum_table, .close = sum_close

const struct report_kind pushpop_page = {
    .name = "page_ranges",
    .title = "NVTX ranges by the time of GPUs",
    .missing = "no range in the stream",
    .kinds = RANGE_KINDS | KINDS(gpu_range),
    .keys = KEYS(KEY_ts, KEY_dur),
    .wanted = page_wanted,
    .size = sizeof(struct pushpop_sum),
    .open = page_open,
    .event = page_event,
    .section_end = sum_section_end,
    .close = sum_close,
    .sum = SUM(KEY_dur, "Instances", {{"Range", .make = name_part}},
	.add = add_page_range, .more = PUSHPOP_MORE),
};

const struct report_kind pushpop_reports[] = {
    {.name = "nvtx_sum",
	.question = ASKS_RANGES,
	.rows = KINDS(range),
	.old = "nvtxsum",
	.title = "NVTX ranges",
	.missing = "no range in the stream",
	RANGES,
	SUMS,
	.sum = SUM(KEY_dur, "Instances",
	    {{"Style", .make = style_part}, {"Range", .make = name_part}},
	    .add = add_range)},
    {.name = "nvtx_pushpop_sum",
	.question = ASKS_RANGES,
	.rows = ROWS_PUSHED,
	.old = "nvtxppsum",
	.title = "NVTX ranges that were pushed",
	.missing = "no range of push and pop in the stream",
	RANGES,
	SUMS,
	.sum = SUM(KEY_dur, "Instances", {{"Range", .make = name_part}},
	    is_pushed, .add = add_range)},
    {.name = "nvtx_startend_sum",
	.question = ASKS_RANGES,
	.old = "nvtxsesum",
	.title = "NVTX ranges that were started",
	.missing = "no range of start and end in the stream",
	RANGES,
	SUMS,
	.sum = SUM(KEY_dur, "Instances", {{"Range", .make = name_part}},
	    is_started, .add = add_range)},
    {.name = "nvtx_pushpop_trace",
	.question = ASKS_RANGES,
	.row_parts = true,
	.rows = ROWS_PUSHED,
	.old = "nvtxpptrace",
	.title = "NVTX ranges that were pushed, one by one",
	.missing = "no range of push and pop in the stream",
	RANGES,
	.size = sizeof(struct pushpop_trace),
	.open = trace_open,
	.event = trace_event,
	.section_end = trace_section_end,
	.close = trace_close},
    {0},
};
