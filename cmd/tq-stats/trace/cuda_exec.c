/*
 * cuda_exec.c - kernels with the calls that launched them: how long the call
 * took, the kernel waited, ran, and all of that took
 *
 * cuda_kern_exec_trace holds all rows in memory.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "sums/cuda.h"
#include "sums/groups.h"

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
	api_end = time_end(l->api_ts, l->api_dur);
	end = time_end(l->ts, l->dur);
	l->queued = l->ts >= api_end;
	l->wait = l->queued ? l->ts - api_end : 0;
	l->total = (end > api_end ? end : api_end) - l->api_ts;
	return true;
}

/* ---- cuda_kern_exec_sum ---- */

/* key: process, thread, device, call, kernel; values: total; more: its parts */
enum { CALL, WAIT, KERNEL, PARTS };

void
exec_sum_open(struct report *r)
{
	((struct exec_sum *)r->state)->groups.more = PARTS;
}

static struct group *
group_of(struct exec_sum *s, const struct launch *l)
{
	uint64_t n =
	    map_number(&s->threads, (uint64_t)l->pid, (uint64_t)l->tid);
	uint64_t *slot;
	struct group *g;

	n = map_number(&s->devices, n, (uint64_t)l->device);
	n = map_number(&s->apis, n, l->api);
	slot = map_get(&s->kernels, n, l->kernel);
	if (*slot != 0)
		return (struct group *)(uintptr_t)*slot;
	s->key.len = 0;
	groups_part_id(&s->key, l->pid);
	groups_part_id(&s->key, l->tid);
	groups_part_id(&s->key, l->device);
	groups_part(&s->key, cuda_texts_get(&s->texts, l->api));
	groups_part(&s->key, cuda_texts_get(&s->texts, l->kernel));
	g = groups_get(&s->groups, text_span(&s->key));
	*slot = (uint64_t)(uintptr_t)g;
	return g;
}

void
exec_sum_event(struct report *r, const struct event *ev)
{
	struct exec_sum *s = r->state;
	struct launch l;
	struct group *g;

	if (ev->kind == KIND_api) {
		see_call(r, &s->calls, &s->texts, &s->scratch, ev);
		return;
	}
	if (!launch(&l, ev))
		return;
	l.api = call_name(&s->calls, &s->texts, &s->scratch, ev);
	l.kernel = kernel_name(r, &s->symbols, &s->texts, &s->scratch, ev);
	g = group_of(s, &l);
	dist_add(&g->values, l.total);
	dist_add(&g->more[CALL], l.api_dur);
	if (l.queued)
		dist_add(&g->more[WAIT], l.wait);
	dist_add(&g->more[KERNEL], l.dur);
}

void
exec_sum_section_end(struct report *r)
{
	struct exec_sum *s = r->state;

	map_clear(&s->calls.map);
	map_clear(&s->symbols);
}

/* of means: their whole parts, then what is left of them */
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

/* the mean of the total time descending; then as the columns stand */
static int
compare_groups(const void *pa, const void *pb)
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
sum_columns(struct table *t)
{
	static const char *const names[1 + PARTS][5] = {
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
	for (size_t i = 0; i < 1 + PARTS; i++)
		groups_columns(t, names[i], UNIT_TIME);
	table_text_column(t, "API Name");
	table_text_column(t, "Kernel Name");
}

void
exec_sum_table(struct report *r, struct table *t)
{
	struct groups *gs = &((struct exec_sum *)r->state)->groups;

	if (gs->count > 1)
		qsort(
		    gs->all, gs->count, sizeof(struct group *), compare_groups);
	sum_columns(t);
	for (size_t i = 0; i < gs->count; i++) {
		struct group *g = gs->all[i];

		for (size_t part = 0; part < 3; part++)
			table_id(t, groups_key_id(g, part));
		table_int(t, (int64_t)g->more[KERNEL].count);
		table_int(t, (int64_t)g->more[WAIT].count);
		groups_cells(t, &g->values);
		for (size_t n = 0; n < PARTS; n++)
			groups_cells(t, &g->more[n]);
		for (size_t part = 3; part < 5; part++)
			table_text(t, groups_key(g, part));
	}
}

struct groups *
exec_sum_groups(const struct report *r)
{
	return &((struct exec_sum *)r->state)->groups;
}

void
exec_sum_close(struct report *r)
{
	struct exec_sum *s = r->state;

	groups_free(&s->groups);
	map_free(&s->calls.map);
	cuda_texts_free(&s->texts);
	map_free(&s->symbols);
	map_free(&s->threads);
	map_free(&s->devices);
	map_free(&s->apis);
	map_free(&s->kernels);
	text_free(&s->key);
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
		table_int(t, time_end(l->api_ts, l->api_dur));
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
