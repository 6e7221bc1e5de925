/*
 * sync_sum.c - sync_sum: calls in which the host waits for a device, by the
 * object of the wait
 *
 * What a wait was for is the operation of its process that ended last in it.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/numbered.h"
#include "tq/names/model.h"
#include "tq/names/twice.h"
#include "tq/show/col.h"

#include "cuda.h"

enum wait_kind {
	WAIT_DEVICE,
	WAIT_STREAM,
	WAIT_EVENT,
	WAIT_COPY,
	WAIT_OTHER,
	WAIT_KINDS
};

static const char *const kind_names[WAIT_KINDS] = {
    "device", "stream", "event", "blocking copy", "other"};

/* calls of one name; the rest is of the longest */
struct wait_calls {
	enum wait_kind kind;
	struct span call;
	int64_t count;
	dist_wide total;
	int64_t longest, at, end;
	uint32_t process;
	uint32_t last; /* that ended last, + 1; 0: none */
	int64_t last_end;
};

/* the last operation of a stream */
struct last_operation {
	uint32_t process, name;
	int64_t end;
};

struct sync_waits {
	struct twice twice;
	struct intern calls; /* numbers are indices of all */
	struct intern names; /* of operations */
	struct wait_calls *all;
	size_t count, cap;
	bool kinds[WAIT_KINDS]; /* that have a call */
	bool any;               /* an api record */
	NUMBERED(struct last_operation) streams;
};

static enum wait_kind
kind_of(struct named_call call)
{
	if (call.role == API_COPY)
		return WAIT_COPY;
	switch (call.about) {
	case API_CONTEXT:
		return WAIT_DEVICE;
	case API_STREAM:
		return WAIT_STREAM;
	case API_EVENT:
		return WAIT_EVENT;
	default:
		return WAIT_OTHER;
	}
}

/* The operation ended in the longest wait of the calls. */
static void
end_in(struct wait_calls *w, const struct last_operation *o)
{
	if (w->process != o->process || o->end <= w->at || o->end > w->end ||
	    (w->last > 0 && o->end <= w->last_end))
		return;
	w->last = o->name + 1;
	w->last_end = o->end;
}

static void
add_operation(struct report *r, const struct event *ev)
{
	struct sync_waits *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct last_operation o = {
	    .process = model_process(ev), .end = event_end(ev, ts)};
	bool fresh;

	r->scratch.len = 0;
	o.name = intern_get(&s->names,
	    ev->kind == KIND_kernel ? event_str(ev, KEY_name, &r->scratch)
				    : cuda_operation_name(ev, &r->scratch));
	*(struct last_operation *)numbered_get(
	    &s->streams, model_stream(ev), &fresh) = o;
	for (size_t i = 0; i < s->count; i++)
		if (ts <= s->all[i].end)
			end_in(&s->all[i], &o);
}

static struct wait_calls *
get(struct report *r, struct span name, enum wait_kind kind)
{
	struct sync_waits *s = r->state;
	uint32_t n = intern_get(&s->calls, name);
	struct wait_calls *w;

	if (n < s->count)
		return &s->all[n];
	w = array_add(&s->all, &s->count, &s->cap);
	*w = (struct wait_calls){
	    .kind = kind, .call = region_copy(&r->life, name), .longest = -1};
	return w;
}

static void
add_wait(struct report *r, const struct event *ev, enum wait_kind kind)
{
	struct sync_waits *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), dur = event_int(ev, KEY_dur, 0);
	struct wait_calls *w;

	r->scratch.len = 0;
	w = get(r, event_str(ev, KEY_name, &r->scratch), kind);
	s->kinds[kind] = true;
	w->count++;
	w->total += dur;
	if (dur <= w->longest)
		return;
	w->longest = dur;
	w->at = ts;
	w->end = time_end(ts, dur);
	w->process = model_process(ev);
	w->last = 0;
	for (size_t i = 0; i < s->streams.count; i++)
		end_in(w, &s->streams.all[i]);
}

static void
sync_event(struct report *r, const struct event *ev)
{
	struct sync_waits *s = r->state;
	struct named_call call;

	if (ev->kind != KIND_api) {
		add_operation(r, ev);
		return;
	}
	if (!api_call_is_of_gpu(ev) || twice_seen(&s->twice, ev))
		return;
	s->any = true;
	call = model_symbol_at(ev->model, model_symbol(ev))->call;
	if (api_call_waits(call))
		add_wait(r, ev, kind_of(call));
}

static void
sync_section_end(struct report *r)
{
	struct sync_waits *s = r->state;

	twice_reset(&s->twice);
	numbered_clear(&s->streams);
	for (size_t i = 0; i < s->count; i++)
		s->all[i].process = 0; /* no later operation is of it */
}

static void
sync_row(
    struct table *t, const struct sync_waits *s, const struct wait_calls *w)
{
	col_int(t, "Calls", UNIT_NONE, w->count);
	col_sum(t, "Total Time", UNIT_TIME, w->total);
	col_int_if(t, "Longest", UNIT_TIME, w->count > 0, w->longest);
	col_int_if(t, "At", UNIT_TIME, w->count > 0, w->at);
	col_text(t, "Waits For", span_of(kind_names[w->kind]));
	col_text(t, "Call", w->call);
	col_text_if(t, "Longest Ends With", w->last > 0,
	    w->last > 0 ? intern_text(&s->names, w->last - 1) : SPAN(""));
}

enum sync_column {
	SYNC_CALLS,
	SYNC_TOTAL,
	SYNC_LONGEST,
	SYNC_AT,
	SYNC_KIND,
	SYNC_CALL,
	SYNC_LAST
};

static bool
sync_part_row(
    struct report *r, const struct table *t, const struct table_cell *cells)
{
	struct span text = table_cell_text(t, &cells[SYNC_KIND]);
	struct sync_waits *s = r->state;
	int64_t count, total, longest, at;
	enum wait_kind kind = 0;
	struct wait_calls *w;

	while (kind < WAIT_KINDS && !span_eq(text, span_of(kind_names[kind])))
		kind++;
	if (kind == WAIT_KINDS || !table_cell_int(&cells[SYNC_CALLS], &count) ||
	    !table_cell_int(&cells[SYNC_TOTAL], &total) || count < 0)
		return false;
	s->any = true;
	if (count == 0) /* the row of a kind that has no call */
		return true;
	if (!table_cell_int(&cells[SYNC_LONGEST], &longest) ||
	    !table_cell_int(&cells[SYNC_AT], &at))
		return false;
	w = get(r, table_cell_text(t, &cells[SYNC_CALL]), kind);
	s->kinds[w->kind] = true;
	w->count = time_end(w->count, count);
	w->total += total;
	if (longest <= w->longest)
		return true;
	w->longest = longest;
	w->at = at;
	w->last =
	    cells[SYNC_LAST].type != CELL_TEXT
		? 0
		: intern_get(&s->names, table_cell_text(t, &cells[SYNC_LAST])) +
		      1;
	return true;
}

static int
by_time(const void *pa, const void *pb)
{
	const struct wait_calls *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return span_cmp(a->call, b->call);
}

/* A kind of wait that has no call has a row that says so. */
static void
sync_table(struct report *r, struct table *t)
{
	struct sync_waits *s = r->state;

	col_heading(t, sync_row, s, &(struct wait_calls){.call = SPAN("")});
	if (s->count > 1)
		qsort(s->all, s->count, sizeof(*s->all), by_time);
	for (size_t i = 0; i < s->count; i++)
		sync_row(t, s, &s->all[i]);
	for (enum wait_kind k = 0; s->any && k < WAIT_OTHER; k++)
		if (!s->kinds[k])
			sync_row(t, s,
			    &(struct wait_calls){.kind = k, .call = SPAN("")});
}

static void
sync_close(struct report *r)
{
	struct sync_waits *s = r->state;

	twice_free(&s->twice);
	intern_free(&s->calls);
	intern_free(&s->names);
	free(s->all);
	numbered_free(&s->streams);
}

const struct report_kind sync_sum_reports[] = {
    {.name = "sync_sum",
	.question = ASKS_IDLE,
	.title = "Waits of the Host for Devices by Kind",
	.missing = "no call of CUDA or HIP in the stream",
	.kinds = KINDS(api) | KINDS(kernel) | KINDS(memcpy) | KINDS(memset) |
		 KINDS(graph),
	.rows = ROWS_CALL,
	.keys = KEYS(TWICE_KEYS, KEY_api),
	.work_keys = KEYS(KEY_ts, KEY_dur, KEY_open, KEY_pid, KEY_device,
	    KEY_context, KEY_stream, KEY_name, KEY_copy, KEY_graph),
	.size = sizeof(struct sync_waits),
	.event = sync_event,
	.section_end = sync_section_end,
	.row_parts = true,
	.part_row = sync_part_row,
	.table = sync_table,
	.close = sync_close},
    {0},
};
