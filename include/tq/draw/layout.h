/*
 * layout.h - what of a stream is drawn where, for any viewer: which record
 * is a slice, an instant or a value, on which row, under which name, and
 * from where to where flows go.
 */
#ifndef TQ_DRAW_LAYOUT_H
#define TQ_DRAW_LAYOUT_H

#include "tq/draw/flows.h"
#include "tq/draw/axis.h"
#include "tq/draw/draw.h"
#include "tq/draw/outer_first.h"
#include "tq/names.h"
#include "tq/draw/row_cache.h"
#include "tq/draw/counters.h"
#include "tq/draw/sink.h"
#include "tq/draw/tracks.h"

struct layout {
	struct names names;
	struct axis axis;
	struct tracks tracks;
	struct row_cache row_cache;
	struct draw draw;
	struct flows flows;
	struct outer_first outer_first;
	struct counters counters;
	bool with_flows;

	struct saved_list early; /* messages from before the beginning */
	size_t early_count;

	/* for a summary; more is in draw, tracks and axis */
	int64_t in;    /* records with a time */
	int64_t moved; /* from before the beginning, but for messages */
};

/* *sink and *arg are borrowed until layout_free. */
void layout_init(
    struct layout *l, const struct sink *sink, void *arg, bool with_flows);
void layout_free(struct layout *l);

/*
 * Draw a record, or keep it in mind; it is not needed afterwards.  One event
 * reads all of them: the sink may go by their shapes.
 */
void layout_record(struct layout *l, const struct event *ev);

/* The section is over: draw what waits for that. */
void layout_end(struct layout *l);

/* Warn of what could not be drawn as it is; say, too, what was drawn. */
void layout_tell_losses(const struct layout *l);
void layout_tell(const struct layout *l);

#endif
