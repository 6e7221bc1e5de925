/*
 * draw.h - slices, values and arrows on their way to a sink: counted, and
 * held back where their end is not known yet.
 */
#ifndef TQ_DRAW_DRAW_H
#define TQ_DRAW_DRAW_H

#include "tq/draw/axis.h"
#include "tq/draw/saved.h"
#include "tq/draw/sink.h"

struct draw {
	const struct sink *sink;
	void *arg;
	const struct names *names;

	int64_t end; /* of what was drawn of this section */
	int64_t slices, values, arrows;

	struct draw_held *open; /* slices that never ended */
	size_t open_count, open_cap;
	struct keep keep;
	struct kept *last; /* that draw_again was asked for */
	struct event again;
	uint64_t call; /* of the slice that is drawn next; see sink.h */
	struct text scratch;
};

void draw_free(struct draw *d);

/*
 * Draw a record as a slice; one that is open when draw_open says where the
 * section ends.
 */
void draw_slice(struct draw *d, const struct strip *strip,
    const struct event *ev, const struct when *w);
void draw_open(struct draw *d);

/* An instant has no end. */
void draw_instant(struct draw *d, const struct strip *strip,
    const struct event *ev, const struct when *w);

/* The same under another name. */
void draw_named(struct draw *d, const struct strip *strip,
    const struct event *ev, const struct when *w, bool instant,
    struct span name);

void draw_value(struct draw *d, const struct sink_value *v);
/* *arrow has no id yet */
void draw_arrow(struct draw *d, struct sink_arrow *arrow);

/* Did the record never end? */
static inline bool
draw_is_open(const struct event *ev)
{
	return event_has(ev, KEY_open) && *ev->value[KEY_open].p == 't' &&
	       !event_has(ev, KEY_dur);
}

/* A record that was kept in d->keep, and is dropped by the next call. */
const struct event *draw_again(struct draw *d, struct kept *r);

#endif
