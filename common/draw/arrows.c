/* arrows.c - arrows of a recording */

#include <stdlib.h>

#include "arrows.h"
#include "tq/base/array.h"
#include "tq/base/hash.h"

/* where an arrow begins or ends */
struct arrow_end {
	uint64_t arrow;            /* hash of its id, name and category */
	uint64_t number;           /* of the arrow, for the sink */
	const struct track *track; /* NULL: there is no slice */
	int64_t ts;                /* of the record, as it is drawn */
	int64_t start, end;        /* of the slice */
	int64_t at;                /* when viewers find it, not after ts */
	char phase;
	bool joined; /* an arrow is drawn from or to here */
};

/* ---- slices ---- */

/*
 * A time at which the slice is the last one that started: Perfetto takes the
 * last one of a track, even if it is over.
 */
static int64_t
anchor(const struct lanes_found *s, const struct track *k, int64_t ts)
{
	int64_t inner = s->inner;

	if (k->instant > s->start && k->instant < inner)
		inner = k->instant;
	if (inner <= ts && inner > s->start)
		return s->start;
	return ts < s->end ? ts : s->end - 1;
}

/* the end is in the innermost slice of that row, if that started later */
static void
find_slice(struct arrow_end *e, const struct track_row *row)
{
	struct lanes_found s;

	if (row == NULL || !lanes_find(&row->lanes, e->ts, &s) ||
	    (e->track != NULL && s.start <= e->start))
		return;
	e->track = row->tracks[s.lane];
	e->start = s.start;
	e->end = s.end;
	e->at = anchor(&s, e->track, e->ts);
}

/*
 * Ranges and API calls of a thread, or its frames of Python; else, as Chrome's
 * traces have devices as processes, a stream.
 */
static void
find_end(struct arrow_end *e, const struct tracks *t, const struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t tid = event_int(ev, KEY_tid, NO_ID);
	struct track_row *row = tracks_find(t, pid, ROW_THREAD, tid);
	struct track_row *python = tracks_find(t, pid, ROW_PYTHON, tid);

	if (row == NULL && python == NULL)
		row = tracks_find_stream(t, pid, tid);
	find_slice(e, row);
	find_slice(e, python);
}

/* ---- ends ---- */

static uint64_t
arrow_of(struct arrows *a, const struct event *ev)
{
	static const enum key keys[] = {KEY_flow, KEY_name, KEY_category};

	a->id.len = 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (event_has(ev, keys[i]))
			text_add_span(&a->id, ev->value[keys[i]]);
		text_add_char(&a->id, ',');
	}
	return hash_text(text_span(&a->id));
}

static char
phase_of(const struct event *ev)
{
	struct span v = ev->value[KEY_phase];

	if (!event_has(ev, KEY_phase) || v.len != 3 ||
	    strchr("stf", v.p[1]) == NULL)
		return '\0';
	return v.p[1];
}

/* the latest end of an arrow; false if there is none */
static bool
find_other(struct arrows *a, uint64_t arrow, struct arrow_end **other)
{
	uint64_t *number = map_find(&a->map, arrow, 0);

	if (number == NULL)
		return false;
	*other = &a->ends[*number % ARROWS_WAITING];
	return true;
}

/* an end goes */
static void
drop(struct arrows *a, const struct arrow_end *e, uint64_t number)
{
	uint64_t *latest = map_find(&a->map, e->arrow, 0);

	a->undrawn += !e->joined;
	if (latest != NULL && *latest == number)
		map_remove(&a->map, e->arrow, 0);
}

static void
keep(struct arrows *a, const struct arrow_end *e)
{
	uint64_t number = a->last++;
	struct arrow_end *slot;

	if (a->count < ARROWS_WAITING)
		*array_add(&a->ends, &a->count, &a->cap) = *e;
	else {
		slot = &a->ends[number % ARROWS_WAITING];
		drop(a, slot, number - ARROWS_WAITING);
		*slot = *e;
	}
	*map_get(&a->map, e->arrow, 0) = number;
}

/* ---- arrows ---- */

/* its name in a viewer, never empty */
static struct span
word_of(const struct event *ev, enum key key, struct text *t)
{
	struct span s = SPAN("");

	t->len = 0;
	if (event_has(ev, key))
		s = event_str(ev, key, t);
	return s.len > 0 ? s : SPAN("flow");
}

static void
join(struct draw *d, struct arrow_end *from, struct arrow_end *to,
    const struct event *ev)
{
	struct text name = {0}, category = {0};
	struct sink_flow flow = {
	    .from = from->track,
	    .to = to->track,
	    .from_ts = from->at,
	    .to_ts = to->at >= from->at ? to->at : to->ts,
	    .name = word_of(ev, KEY_name, &name),
	    .category = word_of(ev, KEY_category, &category),
	};

	from->joined = to->joined = true;
	draw_flow(d, &flow);
	text_free(&name);
	text_free(&category);
}

/* True if the arrow leads from x to y. */
static bool
leads_to(const struct arrow_end *x, const struct arrow_end *y)
{
	return x->track != NULL && y->track != NULL && x->phase != 'f' &&
	       y->phase != 's' && x->ts <= y->ts;
}

/* True if the ends are of one arrow: ids may be used again. */
static bool
are_one(const struct arrow_end *other, const struct arrow_end *e)
{
	return other != NULL &&
	       (e->phase != 's' || (other->phase == 'f' && other->ts == e->ts));
}

/* False if the end cannot be drawn. */
static bool
put_end(struct draw *d, const struct arrow_end *e)
{
	const struct sink_end end = {
	    .track = e->track,
	    .start = e->start,
	    .end = e->end,
	    .arrow = e->number,
	};

	return e->track != NULL && d->sink->end(d->arg, &end);
}

void
arrows_add(struct arrows *a, struct draw *d, const struct tracks *t,
    const struct event *ev, const struct drawn_time *drawn)
{
	struct arrow_end e = {.arrow = arrow_of(a, ev),
	    .ts = drawn->start,
	    .phase = phase_of(ev)};
	struct arrow_end *other;
	bool known = find_other(a, e.arrow, &other);

	if (e.phase != '\0')
		find_end(&e, t, ev);
	e.number = known && are_one(other, &e) ? other->number : ++a->arrows;
	if (!put_end(d, &e))
		e.track = NULL;
	if (known && leads_to(other, &e))
		join(d, other, &e, ev);
	else if (known && leads_to(&e, other))
		join(d, &e, other, ev);
	/* further ends may come from where the first came from */
	if (e.phase != 'f' || !known)
		keep(a, &e);
	else
		a->undrawn += !e.joined;
}

/* ---- life ---- */

void
arrows_reset(struct arrows *a)
{
	for (size_t i = 0; i < a->count; i++)
		a->undrawn += !a->ends[i].joined;
	a->count = 0;
	a->last = 0;
	map_clear(&a->map);
}

void
arrows_free(struct arrows *a)
{
	free(a->ends);
	map_free(&a->map);
	text_free(&a->id);
}
