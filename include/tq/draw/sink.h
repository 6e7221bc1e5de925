/*
 * sink.h - what layout.h tells of what is to be drawn; a viewer's format
 * is one way to write this down.
 *
 * Times are ns on the axis (axis.h).  A group or track is told of before
 * what uses it.
 */
#ifndef TQ_DRAW_SINK_H
#define TQ_DRAW_SINK_H

#include "tq/draw/tracks.h"

/* A slice, or an instant where dur is < 0. */
struct sink_slice {
	const struct track *track;
	int64_t ts, dur;
	bool moved;       /* it was before the beginning of the axis */
	struct span name; /* bytes, never none */
	const struct event *event;
	uint64_t call; /* of a call that may have flows: its number; or 0 */
};

struct sink_value {
	const struct track_group *group;
	int64_t ts;
	struct span name, unit; /* bytes; there may be no unit */
	struct span number;     /* JSON */
};

struct sink_flow {
	const struct track *from, *to;
	int64_t from_ts, to_ts;
	int64_t id;    /* 1, 2, 3 ... */
	uint64_t call; /* as the slice says it that it comes from */
	/*
	 * Operation of the call, from 0; of a call that does not say how many
	 * there are, ARROWS_UNKNOWN is the first and ARROWS_SOME any other
	 * (flows.h).
	 */
	int64_t nth;
};

struct sink {
	void (*begin)(void *); /* once, before all others; the axis has begun */
	void (*group)(void *, const struct track_group *);
	void (*track)(void *, const struct track *);
	void (*slice)(void *, const struct sink_slice *);
	void (*value)(void *, const struct sink_value *);
	void (*flow)(void *, const struct sink_flow *);

	/* a section was opened by that record; what was before it is drawn */
	void (*section)(void *, const struct event *);

	/* what was drawn so far is to be in the buffer, as far as it can be */
	void (*flush)(void *);

	/* the last of all; cut says that there was more to come */
	void (*finish)(void *, bool cut);
};

#endif
