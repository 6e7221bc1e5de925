/*
 * exec.c - kernels with the calls that launched them: the times of the call,
 * of the wait and of the kernel, and the time from the first to the last
 *
 * cuda_kern_exec_trace keeps all rows in memory.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/intern.h"

#include "compat/call_names.h"
#include "compat/joined.h"
#include "sums/cuda.h"
#include "sums/sums.h"
#include "tq/names/model.h"
#include "tq/show/col.h"

/* ---- names ---- */

struct exec_names {
	struct intern all;
	/* of the section */
	NUMBERED(uint32_t) kernels; /* by symbol */
	struct call_names calls;
	struct joined joined;
};

static void
add_call(struct report *r, struct exec_names *names, const struct event *ev)
{
	if (!api_call_is_of_gpu(ev))
		return;
	call_names_add(&names->calls, &names->all, ev, &r->scratch);
	joined_add(&names->joined, ev);
}

/* of the call of a kernel */
static uint32_t
call_name(struct report *r, struct exec_names *names, const struct event *ev)
{
	uint32_t name;

	if (call_names_find(&names->calls, ev, &name))
		return name;
	r->scratch.len = 0;
	return intern_get(&names->all,
	    cuda_shown(r, event_str(ev, KEY_api_name, &r->scratch)));
}

static uint32_t
kernel_name(struct report *r, struct exec_names *names, const struct event *ev)
{
	bool fresh;
	uint32_t *name =
	    numbered_get(&names->kernels, model_symbol(ev), &fresh);

	if (fresh) {
		r->scratch.len = 0;
		*name = intern_get(
		    &names->all, cuda_kernel_name(r, ev, &r->scratch));
	}
	return *name;
}

static void
clear_names(struct exec_names *names)
{
	map_clear(&names->calls.map);
	numbered_clear(&names->kernels);
	joined_reset(&names->joined);
}

static void
free_names(struct exec_names *names)
{
	intern_free(&names->all);
	map_free(&names->calls.map);
	numbered_free(&names->kernels);
	joined_free(&names->joined);
}

/* ---- a launch ---- */

struct exec_launch {
	int64_t pid, tid, device;
	int64_t api_ts, api_dur, ts, dur;
	uint32_t api, kernel; /* names */
	bool queued;          /* it started after the call had ended */
	int64_t wait, total;
};

/* Columns that follow from the times of the call and the kernel. */
static void
set_times(struct exec_launch *l)
{
	int64_t api_end = time_end(l->api_ts, l->api_dur);
	int64_t end = time_end(l->ts, l->dur);

	l->queued = l->ts >= api_end;
	l->wait = time_between(api_end, l->ts);
	l->total = time_between(l->api_ts, end > api_end ? end : api_end);
}

/* A kernel with its call; false if a time of them is absent. */
static bool
read_launch(struct exec_launch *l, struct report *r, struct exec_names *names,
    const struct event *ev)
{
	if (!event_has(ev, KEY_dur) || !event_has(ev, KEY_api_ts) ||
	    !event_has(ev, KEY_api_dur))
		return false;
	l->pid = event_int(ev, KEY_pid, NO_ID);
	l->tid = event_int(ev, KEY_tid, NO_ID);
	l->device = event_int(ev, KEY_device, NO_ID);
	l->api_ts = event_int(ev, KEY_api_ts, 0);
	l->api_dur = event_int(ev, KEY_api_dur, 0);
	l->ts = event_int(ev, KEY_ts, 0);
	l->dur = event_int(ev, KEY_dur, 0);
	l->api = call_name(r, names, ev);
	l->kernel = kernel_name(r, names, ev);
	set_times(l);
	return true;
}

/* The same kernel with the second record of its call, if there is one. */
static bool
join_again(struct exec_launch *l, const struct exec_names *names,
    const struct event *ev)
{
	const struct joined_call *call = joined_find(&names->joined, ev);

	if (call == NULL)
		return false;
	l->api_ts = call->ts;
	l->api_dur = call->dur;
	set_times(l);
	return true;
}

/* ---- cuda_kern_exec_sum ---- */

/* distributions of a group, beside values: total times */
enum { CALL, WAIT, KERNEL, PARTS };

struct exec_sum {
	struct exec_names names;
	struct map devices; /* (thread, device) -> step */
	struct map groups;  /* (step, names) -> group */
};

static struct group *
find_group(
    struct report *r, const struct exec_launch *l, const struct event *ev)
{
	struct exec_sum *s = r->state;
	uint64_t n =
	    map_number(&s->devices, model_thread(ev), (uint64_t)l->device);
	uint64_t *slot;

	slot = map_get(&s->groups, n, (uint64_t)l->api << 32 | l->kernel);
	if (*slot == 0) {
		r->key.len = 0;
		groups_part_id(&r->key, l->pid);
		groups_part_id(&r->key, l->tid);
		groups_part_id(&r->key, l->device);
		groups_part(&r->key, intern_text(&s->names.all, l->api));
		groups_part(&r->key, intern_text(&s->names.all, l->kernel));
		*slot = (uint64_t)(uintptr_t)sums_group(r);
	}
	return (struct group *)(uintptr_t)*slot;
}

static void
sum_launch(struct group *g, const struct exec_launch *l)
{
	dist_add(&g->values, l->total);
	dist_add(&g->more[CALL], l->api_dur);
	if (l->queued)
		dist_add(&g->more[WAIT], l->wait);
	dist_add(&g->more[KERNEL], l->dur);
}

static void
sum_event(struct report *r, const struct event *ev)
{
	struct exec_sum *s = r->state;
	struct exec_launch l;
	struct group *g;

	if (ev->kind == KIND_api) {
		add_call(r, &s->names, ev);
		return;
	}
	if (!read_launch(&l, r, &s->names, ev))
		return;
	g = find_group(r, &l, ev);
	sum_launch(g, &l);
	if (join_again(&l, &s->names, ev))
		sum_launch(g, &l);
}

static void
sum_section_end(struct report *r)
{
	struct exec_sum *s = r->state;

	clear_names(&s->names);
}

/* exactly: the whole parts of the means, then the rest */
static int
compare_means(const struct dist *a, const struct dist *b)
{
	dist_wide n = a->count > 0 ? (dist_wide)a->count : 1;
	dist_wide m = b->count > 0 ? (dist_wide)b->count : 1;
	dist_wide x = a->sum / n, y = b->sum / m;

	if (x == y) {
		x = a->sum % n * m;
		y = b->sum % m * n;
	}
	return (x > y) - (x < y);
}

/* the mean of the total time, largest first; then as the columns stand */
static int
by_mean(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;
	int c = compare_means(&b->values, &a->values);

	for (size_t part = 0; part < 3 && c == 0; part++) {
		int64_t x = groups_key_id(a, part), y = groups_key_id(b, part);

		c = (x > y) - (x < y);
	}
	for (size_t part = 3; part < 5 && c == 0; part++)
		c = span_cmp(groups_key(a, part), groups_key(b, part));
	return c != 0 ? c : span_cmp(a->key, b->key);
}

static void
sum_row(struct table *t, struct report *r, struct group *g)
{
	static const char *const total[5] = {
	    "TAvg", "TMed", "TMin", "TMax", "TStdDev"};
	static const char *const parts[PARTS][5] = {
	    {"AAvg", "AMed", "AMin", "AMax", "AStdDev"},
	    {"QAvg", "QMed", "QMin", "QMax", "QStdDev"},
	    {"KAvg", "KMed", "KMin", "KMax", "KStdDev"},
	};

	(void)r;
	col_id(t, "PID", groups_key_id(g, 0));
	col_id(t, "TID", groups_key_id(g, 1));
	col_id(t, "DevId", groups_key_id(g, 2));
	col_int(t, "Count", UNIT_NONE, (int64_t)g->more[KERNEL].count);
	col_int(t, "QCount", UNIT_NONE, (int64_t)g->more[WAIT].count);
	groups_stats(t, total, UNIT_TIME, &g->values);
	for (size_t i = 0; i < PARTS; i++)
		groups_stats(t, parts[i], UNIT_TIME, &g->more[i]);
	col_text(t, "API Name", groups_key(g, 3));
	col_text(t, "Kernel Name", groups_key(g, 4));
}

static void
sum_close(struct report *r)
{
	struct exec_sum *s = r->state;

	free_names(&s->names);
	map_free(&s->devices);
	map_free(&s->groups);
}

/* ---- cuda_kern_exec_trace ---- */

struct exec_row {
	struct exec_launch l;
	uint32_t grid, block; /* names */
	size_t number;        /* in the stream */
};

struct exec_trace {
	struct exec_names names;
	struct exec_row *all;
	size_t count, cap, section; /* section: its first row */
};

static uint32_t
dims_name(struct report *r, const struct event *ev, enum key k)
{
	struct exec_trace *s = r->state;

	r->scratch.len = 0;
	return intern_get(&s->names.all, cuda_dims_text(ev, k, &r->scratch));
}

static void
trace_event(struct report *r, const struct event *ev)
{
	struct exec_trace *s = r->state;
	size_t first = s->count;
	struct exec_row row;

	if (ev->kind == KIND_api) {
		add_call(r, &s->names, ev);
		return;
	}
	if (!read_launch(&row.l, r, &s->names, ev))
		return;
	row.grid = dims_name(r, ev, KEY_grid);
	row.block = dims_name(r, ev, KEY_block);
	do {
		row.number = s->count;
		*array_add(&s->all, &s->count, &s->cap) = row;
	} while (row.number == first && join_again(&row.l, &s->names, ev));
}

/* in order of the calls, and of the kernels of a call */
static int
by_call(const void *pa, const void *pb)
{
	const struct exec_row *a = pa, *b = pb;

	if (a->l.api_ts != b->l.api_ts)
		return a->l.api_ts < b->l.api_ts ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void
trace_section_end(struct report *r)
{
	struct exec_trace *s = r->state;

	if (s->count > s->section)
		qsort(s->all + s->section, s->count - s->section,
		    sizeof(*s->all), by_call);
	s->section = s->count;
	clear_names(&s->names);
}

static void
trace_row(
    struct table *t, const struct intern *names, const struct exec_row *row)
{
	const struct exec_launch *l = &row->l;

	col_int(t, "API Start", UNIT_TIME, l->api_ts);
	col_int(t, "API Dur", UNIT_TIME, l->api_dur);
	col_int_if(t, "Queue Start", UNIT_TIME, l->queued,
	    time_end(l->api_ts, l->api_dur));
	col_int_if(t, "Queue Dur", UNIT_TIME, l->queued, l->wait);
	col_int(t, "Kernel Start", UNIT_TIME, l->ts);
	col_int(t, "Kernel Dur", UNIT_TIME, l->dur);
	col_int(t, "Total Dur", UNIT_TIME, l->total);
	col_id(t, "PID", l->pid);
	col_id(t, "TID", l->tid);
	col_id(t, "DevId", l->device);
	col_text(t, "API Function", intern_text(names, l->api));
	col_text(t, "GridXYZ", intern_text(names, row->grid));
	col_text(t, "BlockXYZ", intern_text(names, row->block));
	col_text(t, "Kernel Name", intern_text(names, l->kernel));
}

static void
make_row(void *state, struct table *t, size_t n)
{
	const struct exec_trace *s = state;

	trace_row(t, &s->names.all, &s->all[n]);
}

static void
trace_table(struct report *r, struct table *t)
{
	struct exec_trace *s = r->state;

	intern_get(&s->names.all, SPAN("")); /* the zeros have a name */
	col_heading(t, trace_row, &s->names.all, &(struct exec_row){0});
	table_made(t, s->count, make_row, s);
}

static void
trace_close(struct report *r)
{
	struct exec_trace *s = r->state;

	free_names(&s->names);
	free(s->all);
}

/* ---- the reports ---- */

#define KERNEL_KEYS KEY_sym, KEY_device, KEY_api_ts, KEY_api_dur, KEY_api_name

#define EXEC \
	.args = "base|mangled", .correlated = true, \
	.missing = "no kernel with its API call in the stream", \
	.kinds = KINDS(kernel), .compat_kinds = KINDS(api), \
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_corr, KEY_name, \
	    KEY_raw, KEY_api)

const struct report_kind exec_reports[] = {
    {.name = "cuda_kern_exec_sum",
	.question = ASKS_LATE,
	.rows = ROWS_JOINED,
	.old = "kernexecsum",
	.title = "CUDA Kernel Launch & Exec Time Summary",
	EXEC,
	.work_keys = KEYS(KERNEL_KEYS),
	.sum = SUM(KEY_dur, .row = sum_row, .order = by_mean, .more = PARTS),
	.size = sizeof(struct exec_sum),
	.event = sum_event,
	.section_end = sum_section_end,
	.close = sum_close},
    {.name = "cuda_kern_exec_trace",
	.question = ASKS_LATE,
	.row_parts = true,
	.rows = ROWS_JOINED,
	.old = "kernexectrace",
	.title = "CUDA Kernel Launch & Exec Time Trace",
	EXEC,
	.work_keys = KEYS(KERNEL_KEYS, KEY_grid, KEY_block),
	.size = sizeof(struct exec_trace),
	.event = trace_event,
	.section_end = trace_section_end,
	.table = trace_table,
	.close = trace_close},
    {0},
};
