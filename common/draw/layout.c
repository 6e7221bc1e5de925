/* layout.c - what of a stream is drawn where */

#include "tq/line/json.h"
#include "tq/draw/layout.h"

enum { EARLY = 256 /* messages, at most */ };

/* ---- slices and instants ---- */

static inline int64_t
drawn_end(const struct event *ev, const struct when *w)
{
	return draw_is_open(ev) ? LANES_OPEN : w->end;
}

static inline struct strip *
place(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	int64_t end = drawn_end(ev, w);
	struct strip *strip = tracks_place(&l->tracks, row, w->start, end);

	if (strip->call != 0)
		arrows_inside(&l->arrows, strip->call, w->start, end);
	return strip;
}

static void
slice(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	draw_slice(&l->draw, place(l, row, ev, w), ev, w);
}

static void
instant(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	struct strip *strip = tracks_first(&l->tracks, row);

	if (strip->call != 0)
		arrows_inside(&l->arrows, strip->call, w->start, w->start);
	draw_instant(&l->draw, strip, ev, w);
}

static void
other(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	if (event_has(ev, KEY_dur) || draw_is_open(ev))
		slice(l, row, ev, w);
	else
		instant(l, row, ev, w);
}

/* ---- calls and operations ---- */

static uint64_t
wait(struct layout *l, const struct event *ev, const struct strip *strip,
    const struct when *w)
{
	int64_t gpu = event_int(ev, KEY_gpu, ARROWS_UNKNOWN);

	if (gpu < 0)
		gpu = ARROWS_UNKNOWN;
	if (!l->with_arrows || !event_has(ev, KEY_corr) ||
	    !arrows_launches(&l->arrows, gpu))
		return 0;
	return arrows_call(&l->arrows, strip->row->group->process,
	    event_int(ev, KEY_corr, 0), gpu, strip, w->start, drawn_end(ev, w));
}

static void
call(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	struct strip *strip = place(l, row, ev, w);

	l->draw.call = wait(l, ev, strip, w);
	if (l->draw.call != 0)
		strip->call = l->draw.call;
	draw_slice(&l->draw, strip, ev, w);
	l->draw.call = 0;
}

static void
on_thread(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	if (ev->kind == KIND_api)
		call(l, row, ev, w);
	else if (ev->kind == KIND_mark)
		instant(l, row, ev, w);
	else
		slice(l, row, ev, w);
}

static void
operation(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	struct strip *strip = place(l, row, ev, w);
	struct arrows_call c;
	struct sink_arrow arrow;
	uint64_t call;

	draw_slice(&l->draw, strip, ev, w);
	if (!l->with_arrows || !event_has(ev, KEY_corr))
		return;
	call = arrows_operation(&l->arrows, strip->row->group->process,
	    event_int(ev, KEY_corr, 0), &c);
	if (call == 0 || c.ts > w->start)
		return;
	arrow = (struct sink_arrow){
	    .from = c.strip,
	    .to = strip,
	    .from_ts = c.anchor < w->start ? c.anchor : w->start,
	    .to_ts = w->start,
	    .call = call,
	    .nth = c.nth,
	};
	draw_arrow(&l->draw, &arrow);
}

/* ---- projected ranges ---- */

static void
put_projected(
    void *arg, void *row, const struct event *ev, const struct when *w)
{
	slice(arg, row, ev, w);
}

static void
projected(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	heads_add(&l->heads, row, ev, w);
}

/* ---- messages ---- */

static void
message(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	row = tracks_row(
	    &l->tracks, rows_process(&l->rows, ev), ROW_MESSAGES, NO_ID, 0);
	instant(l, row, ev, w);
}

/* ---- processors ---- */

static void
draw_processor(struct layout *l, const struct strip *strip,
    const struct event *ev, const struct when *w, const char *prefix)
{
	struct text *t = &l->draw.scratch;

	t->len = 0;
	text_add_str(t, prefix);
	text_add_str(t, "CPU");
	if (event_has(ev, KEY_cpu)) {
		text_add_char(t, ' ');
		text_add_span(t, ev->value[KEY_cpu]);
	}
	draw_named(&l->draw, strip, ev, w, *prefix != '\0', text_span(t));
}

/* the thread of this row was on a processor from row->since to end */
static void
on_processor(
    struct layout *l, struct row *row, int64_t end, const struct event *ev)
{
	const struct when w = {.start = row->since, .end = end};
	struct strip *strip = tracks_place(&l->tracks, row, row->since, end);

	if (ev == NULL)
		ev = draw_again(&l->draw, row->held);
	else
		keep_drop(&l->draw.keep, row->held);
	row->held = NULL;
	draw_processor(l, strip, ev, &w, "");
	row->since = -1;
}

/* two records make a slice; what finds no partner is an instant */
static void
sched(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	bool on = event_true(ev, KEY_on);

	if (row->since > w->start || (row->since < 0 && !on)) {
		draw_processor(l, tracks_first(&l->tracks, row), ev, w,
		    on ? "on " : "off ");
		return;
	}
	if (row->since >= 0)
		on_processor(l, row, w->start, on ? NULL : ev);
	if (on) {
		row->since = w->start;
		row->held = keep_record(&l->draw.keep, ev, w);
	}
}

static void
draw_running(struct layout *l)
{
	for (struct row *row = l->tracks.rows; row != NULL; row = row->next)
		if (row->since >= 0)
			on_processor(l, row, l->draw.end, NULL);
}

/* ---- values ---- */

static void
put_value(
    struct layout *l, const struct series *s, int64_t ts, struct span number)
{
	struct sink_value v = {
	    .group = s->group,
	    .ts = ts,
	    .name = text_span(&s->name),
	    .unit = text_span(&s->unit),
	    .number = number,
	};

	draw_value(&l->draw, &v);
}

static void
counter(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	int64_t id = event_int(ev, KEY_counter, NO_ID);

	(void)row;
	if (event_has(ev, KEY_value))
		put_value(l,
		    series_counter(
			&l->series, &l->names, rows_owner(&l->rows, ev), id),
		    w->start, ev->value[KEY_value]);
}

/* by what an operation changes the memory in use; sources differ in case */
static int64_t
change(const struct event *ev)
{
	int64_t bytes = event_int(ev, KEY_bytes, 0);
	char c = event_has(ev, KEY_op) ? ev->value[KEY_op].p[1] | 32 : 0;

	if (c == 'a') /* alloc, allocation */
		return bytes;
	if (c == 'f' || c == 'd') /* free, deallocation */
		return axis_subtract(0, bytes);
	return 0;
}

/* what memory was taken, given back, or missed: of the latter some last */
static void
memory(struct layout *l, struct row *row, const struct event *ev,
    const struct when *w)
{
	struct group *g = rows_owner(&l->rows, ev);
	char digits[TEXT_INT_MAX];
	int64_t bytes = change(ev);
	struct series *s;

	row = tracks_row(&l->tracks, g, ROW_MEMORY, 0, 0);
	if (ev->kind == KIND_fault &&
	    (event_has(ev, KEY_dur) || draw_is_open(ev)))
		slice(l, row, ev, w);
	else
		instant(l, row, ev, w);
	if (bytes == 0)
		return;
	l->draw.scratch.len = 0;
	s = series_memory(
	    &l->series, g, event_str(ev, KEY_mem, &l->draw.scratch));
	s->total = axis_add(s->total, bytes);
	put_value(l, s, w->start,
	    (struct span){
		digits, (size_t)(text_digits_int(digits, s->total) - digits)});
}

/* ---- records ---- */

/* how the records of each track are drawn, and on which row */
static const struct {
	void (*draw)(struct layout *, struct row *, const struct event *,
	    const struct when *);
	enum row_kind row; /* ROW_KINDS: not on one that is theirs alone */
} tracks[] = {
    [TRACK_NONE] = {other, ROW_OTHER},
    [TRACK_PROJECTION] = {projected, ROW_PROJECTED},
    [TRACK_STREAM] = {operation, ROW_STREAM},
    [TRACK_SYNC] = {slice, ROW_SYNC},
    [TRACK_MEMORY] = {memory, ROW_KINDS},
    [TRACK_COUNTER] = {counter, ROW_KINDS},
    [TRACK_THREAD] = {on_thread, ROW_THREAD},
    [TRACK_CALLS] = {slice, ROW_CALLS},
    [TRACK_SCHED] = {sched, ROW_SCHED},
    [TRACK_SAMPLES] = {instant, ROW_SAMPLES},
    [TRACK_OVERHEAD] = {slice, ROW_OVERHEAD},
    [TRACK_MESSAGES] = {message, ROW_KINDS},
};

static inline enum track
track_of(const struct event *ev)
{
	return ev->kind < KIND_COUNT ? schema_kinds[ev->kind].track
				     : TRACK_NONE;
}

static inline void
draw(struct layout *l, const struct event *ev, const struct when *w)
{
	enum track track = track_of(ev);
	enum row_kind kind = tracks[track].row;
	struct row *row = NULL;

	if (kind != ROW_KINDS)
		row = rows_find(&l->rows, ev, kind);
	tracks[track].draw(l, row, ev, w);
}

static inline struct when
when_of(const struct layout *l, const struct event *ev, int64_t ts)
{
	return axis_when(&l->axis, ts, event_int(ev, KEY_dur, 0));
}

/* ---- the beginning ---- */

static bool
is_message(const struct event *ev)
{
	return track_of(ev) == TRACK_MESSAGES;
}

/*
 * What a profiler says of its own start may be long before anything else:
 * it waits, and does not move the beginning.
 */
static bool
waits(struct layout *l, const struct event *ev, int64_t ts)
{
	if (!is_message(ev) || ts >= 0 || l->early_count == EARLY)
		return false;
	kept_add(&l->early, keep_record(&l->draw.keep, ev, NULL));
	l->early_count++;
	return true;
}

static void
begin(struct layout *l, int64_t ts)
{
	struct kept *r;

	if (axis_begin(&l->axis, ts))
		l->draw.sink->begin(l->draw.arg);
	while ((r = kept_take(&l->early)) != NULL) {
		const struct event *ev = draw_again(&l->draw, r);
		struct when w = when_of(l, ev, event_int(ev, KEY_ts, 0));

		draw(l, ev, &w);
	}
	l->early_count = 0;
}

static void
timed(struct layout *l, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct when w;

	l->in++;
	if (!l->axis.section_begun) {
		if (waits(l, ev, ts))
			return;
		begin(l, ts);
	}
	w = when_of(l, ev, ts);
	if (w.end > l->draw.end)
		l->draw.end = w.end;
	l->moved += w.moved && !is_message(ev);
	draw(l, ev, &w);
}

/* ---- sections ---- */

void
layout_end(struct layout *l)
{
	if (l->early_count > 0)
		begin(l, 0);
	heads_finish(&l->heads);
	draw_open(&l->draw);
	draw_running(l);
}

/* UTC is written as a string of digits */
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
section(struct layout *l, const struct event *ev)
{
	struct text *host = &l->draw.scratch;

	layout_end(l);
	l->draw.end = 0;
	axis_section(&l->axis, origin_of(ev));
	series_reset(&l->series);
	arrows_reset(&l->arrows);
	host->len = 0;
	tracks_reset(&l->tracks, event_int(ev, KEY_rank, NO_ID),
	    event_str(ev, KEY_host, host));
	rows_reset(&l->rows);
	names_reset(&l->names);
	l->draw.sink->section(l->draw.arg, ev);
}

void
layout_record(struct layout *l, const struct event *ev)
{
	enum role role = schema_role(ev->kind);

	if (ev->kind == KIND_trace)
		section(l, ev);
	else if (ev->kind == KIND_end)
		layout_end(l);
	else if (role == ROLE_DEF)
		names_define(&l->names, ev);
	else if (event_has(ev, KEY_ts))
		timed(l, ev);
}

void
layout_init(
    struct layout *l, const struct sink *sink, void *arg, bool with_arrows)
{
	*l = (struct layout){.with_arrows = with_arrows};
	l->draw.sink = sink;
	l->draw.arg = arg;
	l->draw.names = &l->names;
	axis_init(&l->axis);
	l->heads.put = put_projected;
	l->heads.arg = l;
	tracks_init(&l->tracks, &l->names, sink->group, sink->strip, arg);
	rows_init(&l->rows, &l->tracks);
}

void
layout_free(struct layout *l)
{
	series_reset(&l->series);
	draw_free(&l->draw);
	heads_free(&l->heads);
	arrows_free(&l->arrows);
	tracks_free(&l->tracks);
	names_free(&l->names);
	kept_free_list(&l->early);
}
