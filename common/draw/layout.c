/* layout.c - what of a stream is drawn where */

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "arrows.h"
#include "axis.h"
#include "counters.h"
#include "draw.h"
#include "flows.h"
#include "os_calls.h"
#include "outer_first.h"
#include "row_cache.h"
#include "stream_waits.h"
#include "tq/base/mem.h"
#include "tq/draw/layout.h"
#include "tq/io/note.h"
#include "tq/ranks/rank_waits.h"
#include "tq/line/json.h"

enum { EARLY = 256 }; /* messages from before the beginning, at most */

struct layout {
	struct names names;
	struct axis axis;
	struct tracks tracks;
	struct row_cache row_cache;
	struct draw draw;
	struct flows flows;
	struct arrows arrows;
	struct outer_first outer_first;
	struct counters counters;
	struct stream_waits stream_waits;
	uint64_t last_waited;     /* number of a flow between streams */
	struct rank_waits *ranks; /* arrows between ranks, or NULL */
	struct event waits;       /* the record of a slice that waits */
	struct text waits_line;
	bool with_flows, with_waits;
	enum row_kind calls_row; /* of OS calls */

	struct saved_list early; /* these messages */
	size_t early_count;

	int64_t in;    /* records with a time */
	int64_t moved; /* of these, to the beginning, but for messages */
};

/* ---- slices and instants ---- */

static inline int64_t
drawn_end(const struct event *ev, const struct drawn_time *drawn)
{
	return draw_is_open(ev) ? LANES_OPEN : drawn->end;
}

static inline struct track *
place_slice(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	int64_t end = drawn_end(ev, drawn);
	struct track *track = tracks_place(&l->tracks, row, drawn->start, end);

	if (track->call != NULL)
		flows_inside(track->call, track, drawn->start, end);
	return track;
}

static void
add_slice(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	draw_slice(&l->draw, place_slice(l, row, ev, drawn), ev, drawn);
}

/* the thread of the row does not only wait */
static inline void
note_activity(struct track_row *row)
{
	if (row->thread != NULL)
		row->thread->active = true;
}

static void
add_instant(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	struct track *track = tracks_first(&l->tracks, row);

	if (track->call != NULL)
		flows_inside(track->call, track, drawn->start, drawn->start);
	track->instant = drawn->start;
	draw_instant(&l->draw, track, ev, drawn);
}

static void
add_sample(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	note_activity(row);
	add_instant(l, row, ev, drawn);
}

static void
add_other(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	note_activity(row);
	if (event_has(ev, KEY_dur) || draw_is_open(ev))
		add_slice(l, row, ev, drawn);
	else
		add_instant(l, row, ev, drawn);
}

/* ---- calls and operations ---- */

/* the call waits for its operations; NULL if it is not to have flows */
static struct flow_call *
wait_for_operations(struct layout *l, const struct event *ev,
    const struct track *track, const struct drawn_time *drawn)
{
	int64_t gpu = event_int(ev, KEY_gpu, NO_ID);

	if (gpu < 0)
		gpu = NO_ID;
	if (!l->with_flows || !event_has(ev, KEY_corr) ||
	    !flows_launches(&l->flows, gpu))
		return NULL;
	return flows_call(&l->flows, track->group->process,
	    event_int(ev, KEY_corr, 0), gpu, track, drawn->start,
	    drawn_end(ev, drawn));
}

static void
add_call(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	struct track *track = place_slice(l, row, ev, drawn);
	struct flow_call *c = wait_for_operations(l, ev, track, drawn);

	if (c != NULL) {
		track->call = c;
		l->draw.call = c->number;
	}
	draw_slice(&l->draw, track, ev, drawn);
	l->draw.call = 0;
}

static void
add_on_thread(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	note_activity(row);
	if (ev->kind == KIND_api)
		add_call(l, row, ev, drawn);
	else if (ev->kind == KIND_mark)
		add_instant(l, row, ev, drawn);
	else
		add_slice(l, row, ev, drawn);
}

static void
count_os_call(struct track_thread *thread, const struct event *ev,
    const struct drawn_time *drawn)
{
	struct span name = ev->value[KEY_name];
	int64_t *sum = &thread->working;

	if (event_has(ev, KEY_name) &&
	    os_calls_waits((struct span){name.p + 1, name.len - 2}))
		sum = &thread->waiting;
	*sum = axis_add(*sum, drawn->end - drawn->start);
}

static void
add_os_call(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	if (row->thread != NULL && !row->thread->active)
		count_os_call(row->thread, ev, drawn);
	add_slice(l, row, ev, drawn);
}

static void
add_flow_from_call(struct layout *l, const struct track *track,
    const struct event *ev, const struct drawn_time *drawn)
{
	const struct flow_call *c;
	struct sink_flow flow;
	int64_t nth;

	c = flows_operation(
	    &l->flows, track->group->process, event_int(ev, KEY_corr, 0), &nth);
	if (c == NULL || c->call.ts > drawn->start)
		return;
	flow = (struct sink_flow){
	    .from = c->track,
	    .to = track,
	    .from_ts = c->anchor < drawn->start ? c->anchor : drawn->start,
	    .to_ts = drawn->start,
	    .call = c->number,
	    .nth = nth,
	};
	draw_flow(&l->draw, &flow);
}

/*
 * Viewers bind both ends of a flow to slices that last at their time: not to
 * empty ones.
 */
static void
add_flow_between_streams(struct layout *l, struct stream_operation *from,
    const struct track *track, int64_t start)
{
	struct sink_flow flow = {
	    .from = from->track,
	    .to = track,
	    .from_ts = from->end - 1,
	    .to_ts = start,
	    .waited = from->flow++,
	};

	from->flows--;
	draw_flow(&l->draw, &flow);
}

/* draw an operation that others may wait for, and from which it waited */
static void
draw_in_stream(struct layout *l, struct track_row *row,
    const struct track *track, const struct event *ev,
    const struct drawn_time *drawn)
{
	struct stream_operation *from, o = {
					   .track = track,
					   .corr = event_int(ev, KEY_corr, 0),
					   .start = drawn->start,
					   .end = drawn_end(ev, drawn),
				       };

	if (row->waits == NULL)
		row->waits = stream_waits_stream(
		    &l->stream_waits, row->group->process, row->a, row->b);
	if (o.end != LANES_OPEN && o.end > o.start)
		o.flows = stream_waits_fan(row->waits);
	o.flow = l->last_waited + 1;
	l->last_waited += o.flows;
	l->draw.waited = o.flow;
	l->draw.waiters = o.flows;
	draw_slice(&l->draw, track, ev, drawn);
	l->draw.waiters = 0;
	while (stream_waits_pending(row->waits) &&
	       (from = stream_waits_next(row->waits, o.corr, o.start)) != NULL)
		if (o.end != LANES_OPEN && o.end > o.start)
			add_flow_between_streams(l, from, track, o.start);
	stream_waits_operation(&l->stream_waits, row->waits, &o);
}

/* ---- waiting for other ranks ---- */

/* The slice of a kernel that waits has one of its own above it, which ends
   where arrows to the rank that it waits for begin. */
static void
add_wait(struct layout *l, const struct track_row *row,
    const struct kernel_wait *r, const struct drawn_time *drawn)
{
	static const char padding[EVENT_PADDING];
	struct drawn_time time = {.start = drawn->start,
	    .end = axis_add(drawn->start, r->wait),
	    .moved = drawn->moved};
	struct text *t = &l->waits_line;
	struct track_row *waits;

	if (time.end > drawn->end)
		time.end = drawn->end;
	t->len = 0;
	text_printf(t,
	    "{\"kind\":\"wait\",\"ts\":%" PRId64 ",\"dur\":%" PRId64
	    ",\"name\":\"wait\",\"args\":{\"for rank\":%" PRId64 "}}",
	    time.start + l->axis.zero, time.end - time.start, r->rank);
	text_add(t, padding, sizeof(padding));
	event_parse(
	    &l->waits, (struct span){t->p, t->len - sizeof(padding)}, NULL);
	l->waits.shape = 0; /* it is of another event */
	waits = tracks_row(&l->tracks, row->group, ROW_WAITS, row->a, row->b);
	draw_slice(&l->draw,
	    tracks_place(&l->tracks, waits, time.start, time.end), &l->waits,
	    &time);
}

/* What of the kernel, whose slice is next, is drawn between ranks, or NULL. */
static const struct kernel_wait *
begin_ranks(struct layout *l)
{
	const struct kernel_wait *r = rank_waits_kernel(l->ranks);

	if (r == NULL)
		return NULL;
	l->draw.flows += r->ends.from_count;
	l->draw.ranks = r->ends;
	if (r->wait > 0)
		l->draw.ranks.from_count = 0; /* its wait has them */
	return r;
}

static void
end_ranks(struct layout *l, const struct track_row *row,
    const struct kernel_wait *r, const struct drawn_time *drawn)
{
	l->draw.ranks = r->ends;
	l->draw.ranks.to_count = 0;
	if (r->wait > 0)
		add_wait(l, row, r, drawn);
	l->draw.ranks = (struct rank_ends){0};
}

static void
add_operation(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	struct track *track = place_slice(l, row, ev, drawn);
	bool has_corr = event_has(ev, KEY_corr);
	const struct kernel_wait *r = NULL;

	if (l->ranks != NULL && ev->kind == KIND_kernel)
		r = begin_ranks(l);
	if (l->with_waits && has_corr)
		draw_in_stream(l, row, track, ev, drawn);
	else
		draw_slice(&l->draw, track, ev, drawn);
	if (l->with_flows && has_corr)
		add_flow_from_call(l, track, ev, drawn);
	if (r != NULL)
		end_ranks(l, row, r, drawn);
}

/* a stream waits for the work of another stream before an event */
__attribute__((noinline)) static void
wait_for_stream(
    struct layout *l, const struct track_row *row, const struct event *ev)
{
	struct stream_waits *w = &l->stream_waits;
	int64_t pid = row->group->process;
	int64_t context = event_int(ev, KEY_wait_context, row->a);
	int64_t stream = event_int(ev, KEY_wait_stream, NO_ID);

	if (context == row->a && stream == row->b)
		return;
	stream_waits_add(w, stream_waits_stream(w, pid, row->a, row->b),
	    stream_waits_stream(w, pid, context, stream),
	    event_int(ev, KEY_corr, 0), event_int(ev, KEY_wait_corr, 0));
}

/* a wait without a stream is the host's */
static void
add_sync(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	add_slice(l, row, ev, drawn);
	if (l->with_waits && event_has(ev, KEY_wait_corr) &&
	    event_has(ev, KEY_wait_stream) && event_has(ev, KEY_corr) &&
	    event_has(ev, KEY_stream) &&
	    event_is(ev, KEY_sync, SPAN("stream wait event")))
		wait_for_stream(l, row, ev);
}

/* ---- projected ranges ---- */

static void
put_projected(void *arg, void *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	add_slice(arg, row, ev, drawn);
}

static void
add_projected(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	outer_first_add(&l->outer_first, row, ev, drawn);
}

/* ---- messages ---- */

static void
add_message(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	row = tracks_row(&l->tracks, row_cache_process(&l->row_cache, ev),
	    ROW_MESSAGES, NO_ID, 0);
	add_instant(l, row, ev, drawn);
}

/* ---- arrows ---- */

static void
add_arrow(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	(void)row;
	if (l->with_flows)
		arrows_add(&l->arrows, &l->draw, &l->tracks, ev, drawn);
}

/* ---- processors ---- */

static void
draw_processor(struct layout *l, const struct track *track,
    const struct event *ev, const struct drawn_time *drawn, const char *prefix)
{
	struct text *t = &l->draw.scratch;

	t->len = 0;
	text_add_str(t, prefix);
	text_add_str(t, "CPU");
	if (event_has(ev, KEY_cpu)) {
		text_add_char(t, ' ');
		text_add_span(t, ev->value[KEY_cpu]);
	}
	draw_named(&l->draw, track, ev, drawn, *prefix != '\0', text_span(t));
}

/* draw that a thread was on a processor from row->since to end */
static void
on_processor(struct layout *l, struct track_row *row, int64_t end,
    const struct event *ev)
{
	const struct drawn_time drawn = {.start = row->since, .end = end};
	struct track *track = tracks_place(&l->tracks, row, row->since, end);

	if (row->thread != NULL)
		row->thread->working =
		    axis_add(row->thread->working, end - row->since);
	if (ev == NULL)
		ev = draw_saved(&l->draw, row->running);
	else
		saved_drop(&l->draw.pool, row->running);
	row->running = NULL;
	draw_processor(l, track, ev, &drawn, "");
	row->since = -1;
}

/* two records make a slice; one without a partner is an instant */
static void
add_switch(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	bool on = event_true(ev, KEY_on);

	if (row->since > drawn->start || (row->since < 0 && !on)) {
		draw_processor(l, tracks_first(&l->tracks, row), ev, drawn,
		    on ? "on " : "off ");
		return;
	}
	if (row->since >= 0)
		on_processor(l, row, drawn->start, on ? NULL : ev);
	if (on) {
		row->since = drawn->start;
		row->running = saved_new(&l->draw.pool, ev, drawn);
	}
}

static void
draw_running(struct layout *l)
{
	for (struct track_row *row = l->tracks.rows; row != NULL;
	     row = row->next)
		if (row->since >= 0)
			on_processor(l, row, l->draw.end, NULL);
}

/* ---- values ---- */

/* the GPU of a record that has no process; or NO_ID */
static int64_t
gpu_alone(const struct event *ev)
{
	return event_has(ev, KEY_pid) ? NO_ID
				      : event_int(ev, KEY_device, NO_ID);
}

static void
put_value(struct layout *l, const struct counter_track *s, int64_t gpu,
    int64_t ts, struct span number)
{
	struct sink_value v = {
	    .group = s->group,
	    .gpu = gpu,
	    .ts = ts,
	    .name = text_span(&s->name),
	    .unit = text_span(&s->unit),
	    .number = number,
	};

	draw_value(&l->draw, &v);
}

static void
add_counter(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	int64_t id = event_int(ev, KEY_counter, NO_ID), gpu = gpu_alone(ev);
	struct track_group *g;

	(void)row;
	if (!event_has(ev, KEY_value))
		return;
	g = gpu == NO_ID ? row_cache_owner(&l->row_cache, ev)
			 : tracks_gpu_group(&l->tracks, gpu);
	put_value(l, counters_defined(&l->counters, &l->names, g, id), gpu,
	    drawn->start, ev->value[KEY_value]);
}

/* how a record changes the memory in use; sources differ in case */
static int64_t
memory_change(const struct event *ev)
{
	int64_t bytes = event_int(ev, KEY_bytes, 0);
	char c = event_has(ev, KEY_op) ? ev->value[KEY_op].p[1] | 32 : 0;

	if (c == 'a') /* alloc, allocation */
		return bytes;
	if (c == 'f' || c == 'd') /* free, deallocation */
		return axis_subtract(0, bytes);
	return 0;
}

/* memory taken or given back, or page faults, of which some have a duration */
static void
add_memory(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	struct track_group *g = row_cache_owner(&l->row_cache, ev);
	char digits[TEXT_INT_MAX];
	int64_t bytes = memory_change(ev);
	struct counter_track *s;

	row = tracks_row(&l->tracks, g, ROW_MEMORY, 0, 0);
	if (ev->kind == KIND_fault &&
	    (event_has(ev, KEY_dur) || draw_is_open(ev)))
		add_slice(l, row, ev, drawn);
	else
		add_instant(l, row, ev, drawn);
	if (bytes == 0)
		return;
	l->draw.scratch.len = 0;
	s = counters_memory(
	    &l->counters, g, event_str(ev, KEY_mem, &l->draw.scratch));
	s->total = axis_add(s->total, bytes);
	put_value(l, s, NO_ID, drawn->start,
	    (struct span){
		digits, (size_t)(text_digits_int(digits, s->total) - digits)});
}

/* when a device had nothing to do */
static void
add_gap(struct layout *l, struct track_row *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	row = tracks_row(
	    &l->tracks, row_cache_owner(&l->row_cache, ev), ROW_GAPS, 0, 0);
	add_slice(l, row, ev, drawn);
}

/* what tq-advise found, and when */
static void
add_finding(
    struct layout *l, const struct event *ev, const struct drawn_time *drawn)
{
	add_instant(l,
	    tracks_row(&l->tracks, row_cache_owner(&l->row_cache, ev),
		ROW_FINDINGS, 0, 0),
	    ev, drawn);
}

/* ---- records ---- */

/* how records are drawn, by the track of their kind, and on which row */
static const struct {
	void (*add)(struct layout *, struct track_row *, const struct event *,
	    const struct drawn_time *);
	enum row_kind row; /* ROW_KINDS: add finds it */
} tracks[] = {
    [TRACK_NONE] = {add_other, ROW_OTHER},
    [TRACK_PROJECTION] = {add_projected, ROW_PROJECTED},
    [TRACK_STREAM] = {add_operation, ROW_STREAM},
    [TRACK_SYNC] = {add_sync, ROW_SYNC},
    [TRACK_MEMORY] = {add_memory, ROW_KINDS},
    [TRACK_GAPS] = {add_gap, ROW_KINDS},
    [TRACK_COUNTER] = {add_counter, ROW_KINDS},
    [TRACK_THREAD] = {add_on_thread, ROW_THREAD},
    [TRACK_ARROW] = {add_arrow, ROW_KINDS},
    [TRACK_CALLS] = {add_os_call, ROW_CALLS},
    [TRACK_GIL] = {add_slice, ROW_GIL},
    [TRACK_SCHED] = {add_switch, ROW_SCHED},
    [TRACK_SAMPLES] = {add_sample, ROW_SAMPLES},
    [TRACK_OVERHEAD] = {add_slice, ROW_OVERHEAD},
    [TRACK_MESSAGES] = {add_message, ROW_KINDS},
};

static inline enum track_kind
track_of(const struct event *ev)
{
	return ev->kind < KIND_COUNT ? schema_kinds[ev->kind].track
				     : TRACK_NONE;
}

/*
 * Frames of Python have a row of their own, beside the ranges and API calls
 * that they would enclose, and that may cross them.
 */
static inline bool
is_of_python(const struct event *ev)
{
	return ev->kind == KIND_range &&
	       event_is(ev, KEY_domain, SPAN("python"));
}

static inline bool
is_finding(const struct event *ev)
{
	return ev->kind == KIND_mark &&
	       event_is(ev, KEY_domain, SPAN("tq-advise"));
}

static inline void
draw_record(
    struct layout *l, const struct event *ev, const struct drawn_time *drawn)
{
	enum track_kind track = track_of(ev);
	enum row_kind kind = tracks[track].row;
	struct track_row *row = NULL;

	if (kind == ROW_CALLS)
		kind = l->calls_row;
	if (kind == ROW_THREAD && is_of_python(ev))
		kind = ROW_PYTHON;
	if (is_finding(ev)) {
		add_finding(l, ev, drawn);
		return;
	}
	if (kind != ROW_KINDS)
		row = row_cache_find(&l->row_cache, ev, kind);
	tracks[track].add(l, row, ev, drawn);
}

static inline struct drawn_time
drawn_time(const struct layout *l, const struct event *ev, int64_t ts)
{
	return axis_time(&l->axis, ts, event_int(ev, KEY_dur, 0));
}

/* ---- the beginning ---- */

static bool
is_message(const struct event *ev)
{
	return track_of(ev) == TRACK_MESSAGES;
}

/*
 * A profiler's messages about its start may be long before anything else: they
 * wait, and do not move the beginning.
 */
static bool
waits_for_begin(struct layout *l, const struct event *ev, int64_t ts)
{
	if (!is_message(ev) || ts >= 0 || l->early_count == EARLY)
		return false;
	saved_append(&l->early, saved_new(&l->draw.pool, ev, NULL));
	l->early_count++;
	return true;
}

static void
begin_section(struct layout *l, int64_t ts)
{
	struct saved_event *r;

	if (axis_begin(&l->axis, ts))
		l->draw.sink->begin(l->draw.arg, l->axis.utc);
	l->draw.zero = l->axis.zero;
	while ((r = saved_take(&l->early)) != NULL) {
		const struct event *ev = draw_saved(&l->draw, r);
		struct drawn_time drawn =
		    drawn_time(l, ev, event_int(ev, KEY_ts, 0));

		draw_record(l, ev, &drawn);
	}
	l->early_count = 0;
}

static void
draw_timed(struct layout *l, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct drawn_time drawn;

	l->in++;
	if (!l->axis.section_begun) {
		if (waits_for_begin(l, ev, ts))
			return;
		begin_section(l, ts);
	}
	drawn = drawn_time(l, ev, ts);
	if (drawn.end > l->draw.end)
		l->draw.end = drawn.end;
	l->moved += drawn.moved && !is_message(ev);
	draw_record(l, ev, &drawn);
}

/* ---- sections ---- */

void
layout_end(struct layout *l)
{
	if (l->early_count > 0)
		begin_section(l, 0);
	outer_first_finish(&l->outer_first);
	arrows_reset(&l->arrows);
	draw_open_slices(&l->draw);
	draw_running(l);
	tracks_end(&l->tracks);
}

/* the time in UTC is a string of digits */
static int64_t
origin_of(const struct event *ev)
{
	struct span v = ev->value[KEY_origin_utc_ns];
	int64_t ns;

	if (!event_has(ev, KEY_origin_utc_ns) ||
	    !json_int((struct span){v.p + 1, v.len - 2}, &ns) || ns < 0)
		return AXIS_UNKNOWN;
	return ns;
}

static void
open_section(struct layout *l, const struct event *ev)
{
	struct text *host = &l->draw.scratch;

	layout_end(l);
	l->draw.end = 0;
	axis_section(&l->axis, origin_of(ev));
	counters_reset(&l->counters);
	flows_reset(&l->flows);
	stream_waits_reset(&l->stream_waits);
	host->len = 0;
	tracks_reset(&l->tracks, event_int(ev, KEY_rank, NO_ID),
	    event_str(ev, KEY_host, host));
	row_cache_reset(&l->row_cache);
	names_reset(&l->names);
	l->draw.sink->section(l->draw.arg, ev);
}

static void
define(struct layout *l, const struct event *ev)
{
	names_define(&l->names, ev);
	if (ev->kind == KIND_stream)
		owners_add(&l->tracks.owners, event_int(ev, KEY_pid, NO_ID));
}

void
layout_record(struct layout *l, const struct event *ev)
{
	enum role role = schema_role(ev->kind);

	if (ev->kind == KIND_trace)
		open_section(l, ev);
	else if (ev->kind == KIND_end)
		layout_end(l);
	else if (role == ROLE_DEF)
		define(l, ev);
	else if (event_has(ev, KEY_ts))
		draw_timed(l, ev);
}

/* ---- life ---- */

struct layout *
layout_new(const struct sink *sink, void *arg, unsigned options)
{
	struct layout *l = mem_alloc(sizeof(*l));

	l->with_flows = (options & LAYOUT_FLOWS) != 0;
	l->with_waits = (options & LAYOUT_WAITS) != 0;
	l->calls_row = options & LAYOUT_CALLS_INSIDE ? ROW_THREAD : ROW_CALLS;
	l->draw.sink = sink;
	l->draw.arg = arg;
	l->draw.names = &l->names;
	axis_init(&l->axis);
	flows_init(&l->flows);
	l->outer_first.put = put_projected;
	l->outer_first.arg = l;
	tracks_init(&l->tracks, &l->names, sink, arg);
	l->tracks.apart = (options & LAYOUT_APART) != 0;
	row_cache_init(&l->row_cache, &l->tracks);
	return l;
}

void
layout_ranks(struct layout *l, struct rank_waits *ranks)
{
	l->ranks = ranks;
}

void
layout_free(struct layout *l)
{
	event_free(&l->waits);
	text_free(&l->waits_line);
	counters_reset(&l->counters);
	draw_free(&l->draw);
	outer_first_free(&l->outer_first);
	flows_free(&l->flows);
	arrows_free(&l->arrows);
	stream_waits_reset(&l->stream_waits);
	tracks_free(&l->tracks);
	names_free(&l->names);
	saved_free_list(&l->early);
	free(l);
}

const struct names *
layout_names(const struct layout *l)
{
	return &l->names;
}

int64_t
layout_zero(const struct layout *l)
{
	return l->axis.zero;
}

/* ---- reports ---- */

static const char *
plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

static void
warn_of_ranks(const struct rank_waits *w)
{
	if (w->apart)
		warnx("warning: no two ranks are on one clock: nothing is "
		      "drawn between ranks, see tq-align(1)");
	else if (w->unmatched > 0)
		warnx("warning: %" PRId64 " operation%s of communication not "
		      "matched with those of other ranks",
		    w->unmatched, plural(w->unmatched));
}

void
layout_warn(const struct layout *l)
{
	if (l->ranks != NULL)
		warn_of_ranks(l->ranks);
	if (l->moved > 0)
		warnx("warning: %" PRId64 " event%s from before the beginning "
		      "drawn at it",
		    l->moved, plural(l->moved));
	if (l->axis.unaligned > 0)
		warnx("warning: %" PRId64 " section%s not aligned in time "
		      "with the first",
		    l->axis.unaligned, plural(l->axis.unaligned));
	if (l->names.shortened > 0)
		warnx("warning: %" PRId64 " call stack%s shortened to the "
		      "innermost frame",
		    l->names.shortened, plural(l->names.shortened));
	if (l->arrows.undrawn > 0)
		warnx("warning: %" PRId64 " end%s of arrows without a slice "
		      "or another end",
		    l->arrows.undrawn, plural(l->arrows.undrawn));
}

void
layout_summarize(const struct layout *l)
{
	const struct draw *d = &l->draw;

	note("%" PRId64 " events in, %" PRId64 " out, %" PRId64
	     " lanes added; %" PRId64 " slices, %" PRId64 " arrows",
	    l->in, d->slices + d->values, l->tracks.added, d->slices, d->flows);
}
