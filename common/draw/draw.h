/*
 * draw.h - slices, values and flows on their way to a sink: counted, and
 * held back where their end is not known yet.
 */
#ifndef DRAW_H
#define DRAW_H

#include "axis.h"
#include "saved.h"
#include "tq/draw/sink.h"

struct draw {
	const struct sink *sink;
	void *arg;
	const struct names *names;

	int64_t end; /* of what was drawn of this section */
	int64_t slices, values, flows;

	struct open_slice *open_slices; /* slices that never ended */
	size_t open_count, open_cap;
	struct saved_pool pool;
	struct saved_event *last; /* that draw_saved was asked for */
	struct event restored;
	uint64_t call; /* of the slice that is drawn next; see sink.h */
	struct text scratch;
};

void draw_free(struct draw *d);

/*
 * Draw a record as a slice; one that is open when draw_open says where the
 * section ends.
 */
void draw_slice(struct draw *d, const struct track *track,
    const struct event *ev, const struct drawn_time *drawn);
void draw_open_slices(struct draw *d);

/* An instant has no end. */
void draw_instant(struct draw *d, const struct track *track,
    const struct event *ev, const struct drawn_time *drawn);

/* The same under another name. */
void draw_named(struct draw *d, const struct track *track,
    const struct event *ev, const struct drawn_time *drawn, bool instant,
    struct span name);

void draw_value(struct draw *d, const struct sink_value *v);
/* *flow has no id yet */
void draw_flow(struct draw *d, struct sink_flow *flow);

/* Did the record never end? */
static inline bool
draw_is_open(const struct event *ev)
{
	return event_has(ev, KEY_open) && *ev->value[KEY_open].p == 't' &&
	       !event_has(ev, KEY_dur);
}

/* A record that was kept in d->keep, and is dropped by the next call. */
const struct event *draw_saved(struct draw *d, struct saved_event *r);

#endif
