/*
 * draw.h - slices, values and flows on their way to a sink: counted, and held
 * back while their end is unknown.
 */
#ifndef DRAW_H
#define DRAW_H

#include "axis.h"
#include "saved.h"
#include "tq/draw/sink.h"
#include "tq/names.h"

enum { DRAW_TIMES = 2 }; /* api_ts and range_ts of a record */

/* a record with these times in ns from the beginning of the trace */
struct moved_event {
	struct event event; /* it borrows from the record */
	char times[DRAW_TIMES][TEXT_INT_MAX + EVENT_PADDING];
};

struct draw {
	const struct sink *sink;
	void *arg;
	const struct names *names;

	int64_t zero; /* the ts of this section that is drawn at 0 */
	int64_t end;  /* of all that is drawn of this section */
	int64_t slices, values, flows;

	struct open_slice *open_slices; /* they have no end */
	size_t open_count, open_cap;
	struct saved_pool pool;
	struct saved_event *last; /* of draw_saved */
	struct event restored;
	struct moved_event moved;
	uint64_t call;          /* of the next slice; see sink.h */
	uint64_t waited;        /* likewise */
	unsigned waiters;       /* likewise */
	struct rank_ends ranks; /* likewise */
	struct text scratch;
};

void draw_free(struct draw *d);

/* Draw a record as a slice; one without an end waits for draw_open_slices. */
void draw_slice(struct draw *d, const struct track *track,
    const struct event *ev, const struct drawn_time *drawn);

/* Draw the slices that wait, to the end of the section. */
void draw_open_slices(struct draw *d);

/* Draw a record as an instant. */
void draw_instant(struct draw *d, const struct track *track,
    const struct event *ev, const struct drawn_time *drawn);

/* Draw a slice or an instant that has not the name of its record. */
void draw_named(struct draw *d, const struct track *track,
    const struct event *ev, const struct drawn_time *drawn, bool instant,
    struct span name);

void draw_value(struct draw *d, const struct sink_value *v);

/* *flow gets its id here. */
void draw_flow(struct draw *d, struct sink_flow *flow);

/* True if the record has no end. */
static inline bool
draw_is_open(const struct event *ev)
{
	return event_has(ev, KEY_open) && *ev->value[KEY_open].p == 't' &&
	       !event_has(ev, KEY_dur);
}

/* A record that was saved in d->pool; the next call drops it. */
const struct event *draw_saved(struct draw *d, struct saved_event *e);

#endif
