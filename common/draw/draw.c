/* draw.c - slices, values and flows on their way to a sink */

#include <stdlib.h>

#include "draw.h"
#include "tq/base/array.h"
#include "tq/base/plain.h"
#include "tq/line/json.h"

/* ---- the name of a record ---- */

static void
add_key(struct text *t, const struct event *ev, enum key key)
{
	if (event_has(ev, key))
		json_decode(t, ev->value[key]);
}

static void
add_word(struct text *t, const char *word, const struct event *ev, enum key key)
{
	text_add_str(t, word);
	add_key(t, ev, key);
}

static void
add_copy(struct text *t, const struct event *ev)
{
	text_add_str(t, "Memcpy");
	if (event_has(ev, KEY_copy)) {
		text_add_char(t, ' ');
		add_key(t, ev, KEY_copy);
	}
	if (event_has(ev, KEY_src) && event_has(ev, KEY_dst)) {
		text_add_str(t, " (");
		add_key(t, ev, KEY_src);
		text_add_str(t, " -> ");
		add_key(t, ev, KEY_dst);
		text_add_char(t, ')');
	}
}

static void
add_memset(struct text *t, const struct event *ev)
{
	text_add_str(t, "Memset");
	if (event_has(ev, KEY_mem)) {
		text_add_str(t, " (");
		add_key(t, ev, KEY_mem);
		text_add_char(t, ')');
	}
}

static void
add_graph(struct text *t, const struct event *ev)
{
	text_add_str(t, "graph ");
	if (event_has(ev, KEY_graph))
		text_add_span(t, ev->value[KEY_graph]);
}

static void
add_symbol(struct text *t, const struct names *names, const struct event *ev)
{
	struct defined_name symbol;

	names_symbol(names, event_int(ev, KEY_sym, -1), &symbol);
	text_add_span(t, symbol.name);
}

static void
add_leaf(struct text *t, const struct names *names, const struct event *ev)
{
	const uint32_t *frames;

	if (event_has(ev, KEY_stack) &&
	    names_stack(names, event_int(ev, KEY_stack, 0), &frames) > 0)
		text_add_span(t, names_frame(names, frames[0]));
}

/* a name for a record without one */
static void
add_invented(struct text *t, const struct names *names, const struct event *ev)
{
	switch (ev->kind) {
	case KIND_kernel:
		add_symbol(t, names, ev);
		break;
	case KIND_memcpy:
		add_copy(t, ev);
		break;
	case KIND_memset:
		add_memset(t, ev);
		break;
	case KIND_sync:
		add_word(t, "sync ", ev, KEY_sync);
		break;
	case KIND_graph:
		add_graph(t, ev);
		break;
	case KIND_alloc:
		add_key(t, ev, KEY_op);
		add_word(
		    t, " ", ev, event_has(ev, KEY_mem) ? KEY_mem : KEY_pool);
		break;
	case KIND_sample:
		add_leaf(t, names, ev);
		break;
	case KIND_gap:
		add_key(t, ev, KEY_cause);
		if (event_has(ev, KEY_host))
			add_word(t, " in ", ev, KEY_host);
		break;
	case KIND_lost:
		add_word(t, "lost ", ev, KEY_what);
		break;
	case KIND_overhead:
		add_key(t, ev, KEY_what);
		break;
	case KIND_diagnostic:
		add_key(t, ev, KEY_text);
		break;
	case KIND_UNKNOWN:
		text_add_span(t, ev->kind_name);
		break;
	default:
		break;
	}
}

/*
 * The name of a record, or one that is made up: "Memcpy HtoD", the leaf of a
 * sample's stack, "(no name)".  Never empty; good until *scratch changes.
 */
static struct span
title_of(
    const struct names *names, const struct event *ev, struct text *scratch)
{
	struct span name;

	scratch->len = 0;
	name = event_str(ev, KEY_name, scratch);
	if (name.len > 0)
		return name;
	scratch->len = 0;
	add_invented(scratch, names, ev);
	while (scratch->len > 0 && scratch->p[scratch->len - 1] == ' ')
		scratch->len--;
	return scratch->len > 0 ? text_span(scratch) : SPAN("(no name)");
}

/* ---- to the sink ---- */

/* a slice that lasts to the end of the section */
struct open_slice {
	const struct track *track;
	struct saved_event *saved;
	uint64_t call;
};

void
draw_free(struct draw *d)
{
	for (size_t i = 0; i < d->open_count; i++)
		saved_free(d->open_slices[i].saved);
	free(d->open_slices);
	saved_free(d->last);
	saved_free_pool(&d->pool);
	event_free(&d->restored);
	text_free(&d->scratch);
}

/* ---- api_ts and range_ts ---- */

static const enum key times[DRAW_TIMES] = {KEY_api_ts, KEY_range_ts};

/* shapes of events are below this */
#define MOVED ((uint64_t)1 << 63)

/* The record, with these times in ns from the beginning of the trace, as its
   own time is drawn. */
__attribute__((noinline)) static const struct event *
move_times(struct draw *d, const struct event *ev)
{
	struct moved_event *m = &d->moved;
	bool plain = true;

	event_borrow(&m->event, ev);
	for (size_t i = 0; i < DRAW_TIMES; i++) {
		int64_t ts = event_int(ev, times[i], 0);
		size_t n;

		if (!event_has(ev, times[i]))
			continue;
		ts = axis_subtract(ts, d->zero);
		n = (size_t)(text_digits_int(m->times[i], ts) - m->times[i]);
		plain = plain && n <= EVENT_PLAIN_DIGITS;
		event_give(&m->event, times[i], (struct span){m->times[i], n});
	}
	m->event.plain = ev->plain && plain;
	if (ev->shape != 0)
		m->event.shape = ev->shape | MOVED;
	return &m->event;
}

static inline bool
has_times(const struct event *ev)
{
	return event_has(ev, times[0]) || event_has(ev, times[1]);
}

/* an instant has a dur of -1 */
static inline void
put_slice(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn, int64_t dur, struct span name)
{
	struct sink_slice s = {
	    .track = track,
	    .ts = drawn->start,
	    .dur = dur,
	    .moved = drawn->moved,
	    .name = name,
	    .event = d->zero != 0 && has_times(ev) ? move_times(d, ev) : ev,
	    .call = d->call,
	    .waited = d->waited,
	    .waiters = d->waiters,
	    .ranks = d->ranks,
	};

	d->slices++;
	d->sink->slice(d->arg, &s);
}

void
draw_named(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn, bool instant, struct span name)
{
	put_slice(d, track, ev, drawn, instant ? -1 : drawn->end - drawn->start,
	    name);
}

/* the name is decoded or made up */
__attribute__((noinline)) static void
put_under_title(struct draw *d, const struct track *track,
    const struct event *ev, const struct drawn_time *drawn, int64_t dur)
{
	put_slice(
	    d, track, ev, drawn, dur, title_of(d->names, ev, &d->scratch));
}

/* few names need decoding */
static inline void
put_titled(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn, int64_t dur)
{
	struct span own = ev->value[KEY_name];

	if (event_has(ev, KEY_name) && own.len > 2 &&
	    (ev->plain || !plain_may_have(own, '\\')))
		put_slice(d, track, ev, drawn, dur,
		    (struct span){own.p + 1, own.len - 2});
	else
		put_under_title(d, track, ev, drawn, dur);
}

void
draw_instant(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn)
{
	put_titled(d, track, ev, drawn, -1);
}

const struct event *
draw_saved(struct draw *d, struct saved_event *e)
{
	if (d->last != NULL)
		saved_drop(&d->pool, d->last);
	d->last = e;
	return saved_restore(e, &d->restored);
}

__attribute__((noinline)) static void
wait_for_end(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn)
{
	*array_add(&d->open_slices, &d->open_count, &d->open_cap) =
	    (struct open_slice){track, saved_new(&d->pool, ev, drawn), d->call};
}

void
draw_slice(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn)
{
	if (draw_is_open(ev))
		wait_for_end(d, track, ev, drawn);
	else
		put_titled(d, track, ev, drawn, drawn->end - drawn->start);
}

void
draw_open_slices(struct draw *d)
{
	for (size_t i = 0; i < d->open_count; i++) {
		struct open_slice *s = &d->open_slices[i];
		const struct event *ev = draw_saved(d, s->saved);
		const struct drawn_time *drawn = saved_time(s->saved);

		d->call = s->call;
		put_titled(d, s->track, ev, drawn, d->end - drawn->start);
	}
	d->open_count = 0;
	d->call = 0;
}

void
draw_value(struct draw *d, const struct sink_value *v)
{
	d->values++;
	d->sink->value(d->arg, v);
}

void
draw_flow(struct draw *d, struct sink_flow *flow)
{
	flow->id = ++d->flows;
	d->sink->flow(d->arg, flow);
}
