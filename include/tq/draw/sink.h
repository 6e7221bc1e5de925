/*
 * sink.h - the drawing, for any viewer: groups and tracks, and the slices,
 * values and flows on them.  The format of a viewer is a way to write it down.
 *
 * Times are in ns from the beginning of the trace, and not negative.  A group
 * or a track comes before everything drawn on it.
 */
#ifndef TQ_DRAW_SINK_H
#define TQ_DRAW_SINK_H

#include "tq/line/event.h"
#include "tq/ranks/rank_waits.h"

#define SINK_NO_UTC INT64_MIN /* the beginning has no time in UTC */

enum row_kind {
	/* on a device, in this order */
	ROW_STREAM,
	ROW_PROJECTED,
	ROW_SYNC,
	ROW_MEMORY,
	ROW_GAPS,
	/* on a thread, or of a process as a whole */
	ROW_THREAD,
	ROW_CALLS,
	ROW_GIL,
	ROW_SCHED,
	ROW_SAMPLES,
	ROW_OTHER,
	ROW_MESSAGES,
	ROW_OVERHEAD,
	ROW_PYTHON,   /* of a thread, behind its other rows */
	ROW_FINDINGS, /* of a device, behind its other rows */
	ROW_WAITS,    /* of a stream, before its row */
	ROW_KINDS
};

/* True of the rows of a thread, or of a process as a whole. */
static inline bool
sink_of_thread(enum row_kind kind)
{
	return (kind >= ROW_THREAD && kind < ROW_MESSAGES) ||
	       kind == ROW_PYTHON;
}

/* Where a row stands in its group. */
enum fold {
	FOLD_NONE,   /* in the order of the tracks */
	FOLD_SINGLE, /* below: it has one slice, other rows have more */
	FOLD_WAITING /* below these: its thread only waits */
};

/* What viewers call a process: a process, or its share of one device. */
struct track_group {
	int64_t pid;       /* for viewers: 1..2^31-1, unique */
	int64_t order;     /* 0..2^31-1, ascending */
	struct span title; /* never empty */
	struct span name;  /* the title where viewers show the pid behind it */
	struct span label;
	int64_t process, device; /* of the records; or NO_ID */
	bool aside;              /* it has no GPU, other processes have */

	/* for tracks.c */
	size_t number;
	int64_t next_tid;
	bool has_more;                     /* a row of more than one slice */
	struct track_row *last[ROW_KINDS]; /* the row of the last look-up */
};

/* What viewers call a thread or a track: a lane of a row of a group. */
struct track {
	const struct track_group *group;
	enum row_kind kind;
	int64_t thread; /* tid of the records, of rows on threads; or NO_ID */
	const struct track_row *row; /* one for all lanes */
	struct span row_name;        /* of all its lanes */
	struct span short_name;      /* the same, within its thread */
	enum fold fold;              /* known when it is placed */
	size_t lane;                 /* of the row, from 0 */
	int64_t tid;      /* for viewers: 1..2^31-1, unique in the group */
	int64_t order;    /* likewise, ascending within the group */
	struct span name; /* never empty */
	size_t number;    /* counts all tracks of the trace, from 0 */

	/* for layout.c */
	struct flow_call *call; /* the last call, or NULL */
	int64_t instant;        /* time of the last one, or -1 */
};

/* A slice, or an instant where dur is < 0. */
struct sink_slice {
	const struct track *track;
	int64_t ts, dur;
	bool moved;       /* it was before the beginning of the trace */
	struct span name; /* bytes, never none */
	const struct event *event; /* its api_ts and range_ts are such times */
	uint64_t call;    /* number of a call that may have flows; or 0 */
	uint64_t waited;  /* number of its first flow to a stream that waits */
	unsigned waiters; /* such flows, at most */

	/* arrows from and to slices of other ranks, at its ts */
	struct rank_ends ranks;
};

struct sink_value {
	const struct track_group *group;
	int64_t gpu; /* of a value that has no process; or NO_ID */
	int64_t ts;
	struct span name, unit; /* bytes; the unit may be empty */
	struct span number;     /* JSON */
};

/* nth of a flow from a call that does not count its operations */
enum { SINK_LATER = -2, SINK_FIRST = -1 };

struct sink_flow {
	const struct track *from, *to;
	int64_t from_ts, to_ts;
	int64_t id; /* 1, 2, 3 ... */
	uint64_t
	    call; /* number of the slice it comes from; 0: a stream waits */
	uint64_t waited; /* its number, if a stream waits */
	int64_t nth;     /* operation of the call, from 0; or see above */

	/*
	 * Bytes, of an arrow of the recording; else there are none.  Both of
	 * its ends came before.
	 */
	struct span name, category;
};

/* An end of an arrow of the recording; it may be the only one. */
struct sink_end {
	const struct track *track;
	int64_t start, end; /* of its slice, on that track */
	uint64_t arrow;     /* one number for all ends of an arrow */
};

struct sink {
	/* once, before all others; utc is the time of the beginning */
	void (*begin)(void *, int64_t utc);

	void (*group)(void *, const struct track_group *);
	void (*track)(void *, const struct track *);

	/*
	 * The place of a track is known, behind its first slices, perhaps at
	 * the end of the section; once for each.
	 */
	void (*place)(void *, const struct track *);

	void (*slice)(void *, const struct sink_slice *);
	void (*value)(void *, const struct sink_value *);
	void (*flow)(void *, const struct sink_flow *);

	/* False if it is too late to draw anything at that slice. */
	bool (*end)(void *, const struct sink_end *);

	/* the record opens a section; all of the one before is drawn */
	void (*section)(void *, const struct event *);

	/* move held output to the buffer, as far as possible */
	void (*flush)(void *);

	/* the last of all; cut: the input broke off */
	void (*finish)(void *, bool cut);
};

#endif
