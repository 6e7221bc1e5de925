/*
 * overhead_sum.c - overhead: time of the profiler, of loading and compiling
 * code, and of the driver
 *
 * The records are of kind overhead, and calls whose role is load.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/numbered.h"
#include "tq/evidence/overhead.h"
#include "tq/names/model.h"
#include "tq/show/col.h"

#include "report.h"

enum { CALLS_OPEN = 8 };

/* the calls of a thread that are open, the innermost last */
struct thread_calls {
	struct open_call {
		uint32_t name; /* of overheads.names */
		int64_t end, dur;
	} all[CALLS_OPEN];
	size_t count;
};

/* records of one name */
struct overhead {
	struct span of, name;
	int64_t count;
	dist_wide total;
	int64_t busy, busy_end; /* time in which one runs; its end so far */
	int64_t longest, at;
	struct span call; /* that the longest is in, or empty */
	int64_t call_dur;
};

struct overheads {
	struct intern names;
	struct intern keys; /* numbers are indices of all */
	struct overhead *all;
	size_t count, cap;
	NUMBERED(struct thread_calls) threads;
};

static struct span
of_text(enum overhead_of of)
{
	switch (of) {
	case OVERHEAD_PROFILER:
		return SPAN("profiler");
	case OVERHEAD_LOADING:
		return SPAN("loading");
	default:
		return SPAN("program");
	}
}

static struct overhead *
get(struct report *r, struct span of, struct span name)
{
	struct overheads *s = r->state;
	struct overhead *o;
	uint32_t n;

	r->key.len = 0;
	text_add_span(&r->key, of);
	text_add_char(&r->key, ' ');
	text_add_span(&r->key, name);
	n = intern_get(&s->keys, text_span(&r->key));
	if (n < s->count)
		return &s->all[n];
	o = array_add(&s->all, &s->count, &s->cap);
	*o = (struct overhead){.of = of,
	    .name = region_copy(&r->life, name),
	    .busy_end = INT64_MIN,
	    .longest = -1};
	return o;
}

/* The innermost call of the thread that holds [ts, end], or NULL. */
static const struct open_call *
call_around(
    struct overheads *s, const struct event *ev, int64_t ts, int64_t end)
{
	struct thread_calls *t =
	    event_has(ev, KEY_tid)
		? numbered_find(&s->threads, model_thread(ev))
		: NULL;

	if (t == NULL)
		return NULL;
	while (t->count > 0 && t->all[t->count - 1].end <= ts)
		t->count--;
	for (size_t i = t->count; i > 0; i--)
		if (t->all[i - 1].end >= end)
			return &t->all[i - 1];
	return NULL;
}

static void
add(struct report *r, struct overhead *o, const struct event *ev)
{
	struct overheads *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), dur = event_int(ev, KEY_dur, 0);
	int64_t end = time_end(ts, dur), from = ts;
	const struct open_call *call;

	o->count++;
	o->total += dur;
	if (from < o->busy_end)
		from = o->busy_end;
	if (end > from) {
		o->busy = time_end(o->busy, time_between(from, end));
		o->busy_end = end;
	}
	if (dur <= o->longest)
		return;
	o->longest = dur;
	o->at = ts;
	call = ev->kind == KIND_overhead ? call_around(s, ev, ts, end) : NULL;
	o->call = call != NULL ? intern_text(&s->names, call->name) : SPAN("");
	o->call_dur = call != NULL ? call->dur : 0;
}

static void
open_call(struct report *r, const struct event *ev, struct span name)
{
	struct overheads *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), dur = event_int(ev, KEY_dur, 0);
	bool fresh;
	struct thread_calls *t =
	    numbered_get(&s->threads, model_thread(ev), &fresh);

	if (fresh)
		t->count = 0;
	while (t->count > 0 && t->all[t->count - 1].end <= ts)
		t->count--;
	if (t->count < CALLS_OPEN)
		t->all[t->count++] = (struct open_call){
		    intern_get(&s->names, name), time_end(ts, dur), dur};
}

static void
overhead_event(struct report *r, const struct event *ev)
{
	struct span name;

	if (!event_has(ev, KEY_dur) || !event_has(ev, KEY_name))
		return;
	r->scratch.len = 0;
	name = event_str(ev, KEY_name, &r->scratch);
	if (ev->kind == KIND_overhead) {
		add(r, get(r, of_text(overhead_of_event(ev)), name), ev);
		return;
	}
	if (model_symbol_at(ev->model, model_symbol(ev))->call.role == API_LOAD)
		add(r, get(r, of_text(OVERHEAD_LOADING), name), ev);
	open_call(r, ev, name);
}

static void
overhead_section_end(struct report *r)
{
	struct overheads *s = r->state;

	for (size_t i = 0; i < s->count; i++)
		s->all[i].busy_end = INT64_MIN;
	numbered_clear(&s->threads);
}

static void
overhead_row(struct table *t, const struct overhead *o)
{
	col_int(t, "Count", UNIT_NONE, o->count);
	col_sum(t, "Total Time", UNIT_TIME, o->total);
	col_int(t, "Union", UNIT_TIME, o->busy);
	col_int(t, "Longest", UNIT_TIME, o->longest);
	col_int(t, "At", UNIT_TIME, o->at);
	col_text(t, "Of", o->of);
	col_text(t, "Name", o->name);
	col_text(t, "In Call", o->call);
	col_int_if(t, "Call Time", UNIT_TIME, o->call.len > 0, o->call_dur);
}

enum overhead_column {
	OVERHEAD_COUNT,
	OVERHEAD_TOTAL,
	OVERHEAD_UNION,
	OVERHEAD_LONGEST,
	OVERHEAD_AT,
	OVERHEAD_OF,
	OVERHEAD_NAME,
	OVERHEAD_CALL,
	OVERHEAD_CALL_TIME
};

/* "profiler", "loading" or "program" */
static bool
find_of(struct span text, struct span *of)
{
	for (enum overhead_of i = 0; i <= OVERHEAD_PROFILER; i++)
		if (span_eq(text, *of = of_text(i)))
			return true;
	return false;
}

static bool
overhead_part_row(
    struct report *r, const struct table *t, const struct table_cell *cells)
{
	int64_t count, total, busy, longest, at;
	struct overhead *o;
	struct span of;

	if (!table_cell_int(&cells[OVERHEAD_COUNT], &count) ||
	    !table_cell_int(&cells[OVERHEAD_TOTAL], &total) ||
	    !table_cell_int(&cells[OVERHEAD_UNION], &busy) ||
	    !table_cell_int(&cells[OVERHEAD_LONGEST], &longest) ||
	    !table_cell_int(&cells[OVERHEAD_AT], &at) || count < 1 ||
	    cells[OVERHEAD_OF].type != CELL_TEXT ||
	    !find_of(table_cell_text(t, &cells[OVERHEAD_OF]), &of))
		return false;
	o = get(r, of, table_cell_text(t, &cells[OVERHEAD_NAME]));
	o->count = time_end(o->count, count);
	o->total += total;
	o->busy = time_end(o->busy, busy);
	if (longest <= o->longest)
		return true;
	o->longest = longest;
	o->at = at;
	o->call =
	    region_copy(&r->life, table_cell_text(t, &cells[OVERHEAD_CALL]));
	o->call_dur = 0;
	table_cell_int(&cells[OVERHEAD_CALL_TIME], &o->call_dur);
	return true;
}

static int
by_time(const void *pa, const void *pb)
{
	const struct overhead *a = pa, *b = pb;
	int order;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	order = span_cmp(a->name, b->name);
	return order != 0 ? order : span_cmp(a->of, b->of);
}

static void
overhead_table(struct report *r, struct table *t)
{
	struct overheads *s = r->state;

	col_heading(t, overhead_row,
	    &(struct overhead){.of = SPAN(""), .name = SPAN("")});
	if (s->count > 1)
		qsort(s->all, s->count, sizeof(*s->all), by_time);
	for (size_t i = 0; i < s->count; i++)
		overhead_row(t, &s->all[i]);
}

static void
overhead_close(struct report *r)
{
	struct overheads *s = r->state;

	intern_free(&s->names);
	intern_free(&s->keys);
	numbered_free(&s->threads);
	free(s->all);
}

const struct report_kind overhead_sum_reports[] = {
    {.name = "overhead",
	.question = ASKS_WHOLE,
	.title = "Time of the Profiler, of Loading and of the Driver",
	.missing = "neither overhead nor a call that loads code in the stream",
	.kinds = KINDS(overhead) | KINDS(api),
	.rows = KINDS(overhead),
	.keys = KEYS(
	    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_what, KEY_api),
	.size = sizeof(struct overheads),
	.event = overhead_event,
	.section_end = overhead_section_end,
	.row_parts = true,
	.part_row = overhead_part_row,
	.table = overhead_table,
	.close = overhead_close},
    {0},
};
