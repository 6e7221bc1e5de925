/*
 * cuda_exec.c - kernels with the calls that launched them: how long the call
 * took, the kernel waited, ran, and all of that took
 *
 * cuda_kern_exec_trace holds all rows in memory.
 */

#include <stdlib.h>

#include "tq/mem.h"

#include "cuda.h"
#include "groups.h"

/* ---- a launch ---- */

struct launch {
	int64_t pid, tid, device;
	int64_t api_ts, api_dur, ts, dur;
	uint64_t api, kernel; /* places of names */
	bool queued;          /* it started after the call had ended */
	int64_t wait, total;
};

static void
see_call(struct report *r, struct exec_calls *calls, struct cuda_texts *texts,
    struct text *t, const struct event *ev)
{
	struct span name, plain;

	if (!r->ask->compat || !event_has(ev, KEY_raw) || !cuda_is_call(ev))
		return;
	t->len = 0;
	name = cuda_api_name(r, ev, t);
	plain = event_str(ev, KEY_name, t);
	if (name.len != plain.len)
		*map_get(&calls->map, (uint64_t)event_int(ev, KEY_pid, NO_ID),
		    (uint64_t)event_int(ev, KEY_corr, NO_ID)) =
		    cuda_texts_put(texts, name);
}

/* the name of the call of a kernel */
static uint64_t
call_name(const struct exec_calls *calls, struct cuda_texts *texts,
    struct text *t, const struct event *ev)
{
	const uint64_t *place = NULL;

	if (calls->map.count > 0)
		place = map_find(&calls->map,
		    (uint64_t)event_int(ev, KEY_pid, NO_ID),
		    (uint64_t)event_int(ev, KEY_corr, NO_ID));
	t->len = 0;
	return place != NULL
		   ? *place
		   : cuda_texts_put(texts, event_str(ev, KEY_api_name, t));
}

static uint64_t
kernel_name(struct report *r, struct map *symbols, struct cuda_texts *texts,
    struct text *t, const struct event *ev)
{
	uint64_t none = 0, *place = &none;

	if (event_has(ev, KEY_sym))
		place =
		    map_get(symbols, (uint64_t)event_int(ev, KEY_sym, 0), 0);
	if (*place == 0) {
		t->len = 0;
		*place = cuda_texts_put(texts, cuda_kernel_name(r, ev, t));
	}
	return *place;
}

/* the times of a kernel and its call; false if one of them is not there */
static bool
launch(struct launch *l, const struct event *ev)
{
	int64_t api_end, end;

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
	api_end = end_of(l->api_ts, l->api_dur);
	end = end_of(l->ts, l->dur);
	l->queued = l->ts >= api_end;
	l->wait = l->queued ? l->ts - api_end : 0;
	l->total = (end > api_end ? end : api_end) - l->api_ts;
	return true;
}

/* ---- cuda_kern_exec_sum ---- */

struct exec_group {
	int64_t pid, tid, device;
	uint64_t api, kernel;
	struct span names[2]; /* when all are there */
	struct dist d[4];     /* total, call, wait, kernel */
};

static struct exec_group *
group_of(struct exec_sum *s, const struct launch *l)
{
	uint64_t n =
	    map_number(&s->threads, (uint64_t)l->pid, (uint64_t)l->tid);
	uint64_t *slot;
	struct exec_group *g;

	n = map_number(&s->devices, n, (uint64_t)l->device);
	n = map_number(&s->apis, n, l->api);
	slot = map_get(&s->kernels, n, l->kernel);
	if (*slot != 0)
		return (struct exec_group *)(uintptr_t)*slot;
	g = mem_alloc(sizeof(*g));
	g->pid = l->pid;
	g->tid = l->tid;
	g->device = l->device;
	g->api = l->api;
	g->kernel = l->kernel;
	if (s->count == s->cap) {
		s->cap = s->cap * 2 + 64;
		s->groups =
		    mem_resize(s->groups, s->cap, sizeof(struct exec_group *));
	}
	s->groups[s->count++] = g;
	*slot = (uint64_t)(uintptr_t)g;
	return g;
}

void
exec_sum_event(struct report *r, const struct event *ev)
{
	struct exec_sum *s = r->state;
	struct launch l;
	struct exec_group *g;

	if (ev->kind == KIND_api) {
		see_call(r, &s->calls, &s->texts, &s->scratch, ev);
		return;
	}
	if (!launch(&l, ev))
		return;
	l.api = call_name(&s->calls, &s->texts, &s->scratch, ev);
	l.kernel = kernel_name(r, &s->symbols, &s->texts, &s->scratch, ev);
	g = group_of(s, &l);
	dist_add(&g->d[0], l.total);
	dist_add(&g->d[1], l.api_dur);
	if (l.queued)
		dist_add(&g->d[2], l.wait);
	dist_add(&g->d[3], l.dur);
}

void
exec_sum_section_end(struct report *r)
{
	struct exec_sum *s = r->state;

	map_clear(&s->calls.map);
	map_clear(&s->symbols);
}

/* the mean of the total time descending; then as the columns stand */
static int
compare_groups(const void *pa, const void *pb)
{
	const struct exec_group *a = *(struct exec_group *const *)pa;
	const struct exec_group *b = *(struct exec_group *const *)pb;
	dist_wide x = a->d[0].sum * (dist_wide)b->d[0].count;
	dist_wide y = b->d[0].sum * (dist_wide)a->d[0].count;
	int c;

	if (x != y)
		return x > y ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	c = span_cmp(a->names[0], b->names[0]);
	return c != 0 ? c : span_cmp(a->names[1], b->names[1]);
}

static void
sum_columns(struct table *t)
{
	static const char *const names[4][5] = {
	    {"TAvg", "TMed", "TMin", "TMax", "TStdDev"},
	    {"AAvg", "AMed", "AMin", "AMax", "AStdDev"},
	    {"QAvg", "QMed", "QMin", "QMax", "QStdDev"},
	    {"KAvg", "KMed", "KMin", "KMax", "KStdDev"},
	};

	table_column(t, "PID", UNIT_NONE);
	table_column(t, "TID", UNIT_NONE);
	table_column(t, "DevId", UNIT_NONE);
	table_column(t, "Count", UNIT_NONE);
	table_column(t, "QCount", UNIT_NONE);
	for (size_t i = 0; i < 4; i++)
		groups_columns(t, names[i], UNIT_TIME);
	table_text_column(t, "API Name");
	table_text_column(t, "Kernel Name");
}

void
exec_sum_table(struct report *r, struct table *t)
{
	struct exec_sum *s = r->state;

	for (size_t i = 0; i < s->count; i++) {
		struct exec_group *g = s->groups[i];

		g->names[0] = cuda_texts_get(&s->texts, g->api);
		g->names[1] = cuda_texts_get(&s->texts, g->kernel);
	}
	if (s->count > 1)
		qsort(s->groups, s->count, sizeof(struct exec_group *),
		    compare_groups);
	sum_columns(t);
	for (size_t i = 0; i < s->count; i++) {
		struct exec_group *g = s->groups[i];

		table_id(t, g->pid);
		table_id(t, g->tid);
		table_id(t, g->device);
		table_int(t, (int64_t)g->d[3].count);
		table_int(t, (int64_t)g->d[2].count);
		for (size_t n = 0; n < 4; n++)
			groups_cells(t, &g->d[n]);
		table_text(t, g->names[0]);
		table_text(t, g->names[1]);
	}
}

void
exec_sum_close(struct report *r)
{
	struct exec_sum *s = r->state;

	for (size_t i = 0; i < s->count; i++) {
		for (size_t n = 0; n < 4; n++)
			dist_free(&s->groups[i]->d[n]);
		free(s->groups[i]);
	}
	free(s->groups);
	map_free(&s->calls.map);
	cuda_texts_free(&s->texts);
	map_free(&s->symbols);
	map_free(&s->threads);
	map_free(&s->devices);
	map_free(&s->apis);
	map_free(&s->kernels);
	text_free(&s->scratch);
}

/* ---- cuda_kern_exec_trace ---- */

struct exec_row {
	struct launch l;
	uint64_t grid, block; /* places */
	size_t number;        /* in the stream */
};

void
exec_trace_event(struct report *r, const struct event *ev)
{
	struct exec_trace *s = r->state;
	struct exec_row row;

	if (ev->kind == KIND_api) {
		see_call(r, &s->calls, &s->texts, &s->scratch, ev);
		return;
	}
	if (!launch(&row.l, ev))
		return;
	row.l.api = call_name(&s->calls, &s->texts, &s->scratch, ev);
	row.l.kernel = kernel_name(r, &s->symbols, &s->texts, &s->scratch, ev);
	s->scratch.len = 0;
	row.grid = cuda_texts_put(
	    &s->texts, cuda_dims_text(ev, KEY_grid, &s->scratch));
	row.block = cuda_texts_put(
	    &s->texts, cuda_dims_text(ev, KEY_block, &s->scratch));
	row.number = s->count;
	if (s->count == s->cap) {
		s->cap = s->cap * 2 + 1024;
		s->rows = mem_resize(s->rows, s->cap, sizeof(*s->rows));
	}
	s->rows[s->count++] = row;
}

/* in order of the calls, and of the kernels of a call */
static int
compare_rows(const void *pa, const void *pb)
{
	const struct exec_row *a = pa, *b = pb;

	if (a->l.api_ts != b->l.api_ts)
		return a->l.api_ts < b->l.api_ts ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

void
exec_trace_section_end(struct report *r)
{
	struct exec_trace *s = r->state;

	if (s->count > s->section)
		qsort(s->rows + s->section, s->count - s->section,
		    sizeof(*s->rows), compare_rows);
	s->section = s->count;
	map_clear(&s->calls.map);
	map_clear(&s->symbols);
}

static void
trace_columns(struct table *t)
{
	static const char *const times[] = {"API Start", "API Dur",
	    "Queue Start", "Queue Dur", "Kernel Start", "Kernel Dur",
	    "Total Dur"};

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		table_column(t, times[i], UNIT_TIME);
	table_column(t, "PID", UNIT_NONE);
	table_column(t, "TID", UNIT_NONE);
	table_column(t, "DevId", UNIT_NONE);
	table_text_column(t, "API Function");
	table_text_column(t, "GridXYZ");
	table_text_column(t, "BlockXYZ");
	table_text_column(t, "Kernel Name");
}

static void
trace_row(void *state, struct table *t, size_t n)
{
	const struct exec_trace *s = state;
	const struct exec_row *row = &s->rows[n];
	const struct launch *l = &row->l;

	table_int(t, l->api_ts);
	table_int(t, l->api_dur);
	if (l->queued) {
		table_int(t, end_of(l->api_ts, l->api_dur));
		table_int(t, l->wait);
	} else {
		table_empty(t);
		table_empty(t);
	}
	table_int(t, l->ts);
	table_int(t, l->dur);
	table_int(t, l->total);
	table_id(t, l->pid);
	table_id(t, l->tid);
	table_id(t, l->device);
	table_text(t, cuda_texts_get(&s->texts, l->api));
	table_text(t, cuda_texts_get(&s->texts, row->grid));
	table_text(t, cuda_texts_get(&s->texts, row->block));
	table_text(t, cuda_texts_get(&s->texts, l->kernel));
}

void
exec_trace_table(struct report *r, struct table *t)
{
	struct exec_trace *s = r->state;

	trace_columns(t);
	table_made(t, s->count, trace_row, s);
}

void
exec_trace_close(struct report *r)
{
	struct exec_trace *s = r->state;

	free(s->rows);
	map_free(&s->calls.map);
	cuda_texts_free(&s->texts);
	map_free(&s->symbols);
	text_free(&s->scratch);
}
