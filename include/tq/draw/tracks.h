/*
 * tracks.h - where viewers draw: groups of rows, what they are called, in
 * which order they stand, and under which numbers.
 *
 * A group is what viewers call a process: a process, or what a process has
 * on one device.  In it are rows: a stream, a thread, its OS calls.  A row
 * has a strip for each of its lanes; that is what viewers call a thread or a
 * track.
 */
#ifndef TQ_DRAW_TRACKS_H
#define TQ_DRAW_TRACKS_H

#include "tq/draw/saved.h"
#include "tq/draw/lanes.h"
#include "tq/names.h"

enum row_kind {
	/* on a device, in this order */
	ROW_STREAM,
	ROW_PROJECTED,
	ROW_SYNC,
	ROW_MEMORY,
	/* on a thread, or of a process as a whole */
	ROW_THREAD,
	ROW_CALLS,
	ROW_SCHED,
	ROW_SAMPLES,
	ROW_OVERHEAD,
	ROW_OTHER,
	ROW_MESSAGES,
	ROW_KINDS
};

struct group {
	int64_t pid;      /* for viewers: 1..2^31-1, unique */
	int64_t order;    /* 0..2^31-1, ascending */
	struct text name; /* never empty */
	struct text label;

	int64_t process, device; /* of the records; or NO_ID */
	size_t number;
	int64_t next_tid;
	struct row *last[ROW_KINDS]; /* the row that was asked for last */
	struct group *next;
};

struct row {
	struct group *group;
	enum row_kind kind;
	int64_t a, b;
	struct text name;
	struct lanes lanes;
	struct strip **strip; /* per lane */
	size_t strip_count;

	int64_t since; /* ROW_SCHED: on a processor since then; or < 0 */
	struct kept *held;
	struct row *next;
};

struct strip {
	const struct row *row;
	size_t lane;
	int64_t tid;      /* for viewers: 1..2^31-1, unique in the group */
	int64_t order;    /* likewise, ascending within the group */
	struct text name; /* never empty */

	size_t number; /* counts all strips */
	uint64_t call; /* layout: what was drawn last, if a call */
};

struct tracks {
	const struct names *names;
	void (*new_group)(void *, const struct group *);
	void (*new_strip)(void *, const struct strip *);
	void *arg;

	/* of the section */
	int64_t rank;
	struct text host;
	int64_t section;

	struct group *groups, **group_end, *last;
	struct row *rows, **row_end;
	struct map group_map, row_map, order_map;
	size_t group_count, row_count;
	int64_t undefined; /* processes that no record defines */
	int64_t ordinals;  /* processes of the sections before */

	struct map pids, tids; /* given out */
	int64_t next_pid;
	size_t strip_count;
	int64_t added; /* strips that are not the first of their row */
	bool apart;    /* as in lanes.h, of all rows to come */
};

/* new_group and new_strip are told of each before anything is drawn there */
void tracks_init(struct tracks *t, const struct names *names,
    void (*new_group)(void *, const struct group *),
    void (*new_strip)(void *, const struct strip *), void *arg);
void tracks_free(struct tracks *t);

/*
 * A new section: all groups and rows go; numbers that were given out are not
 * given again.  rank may be NO_ID, and host empty.
 */
void tracks_reset(struct tracks *t, int64_t rank, struct span host);

/*
 * The group of a process on a device, or of the process itself where device
 * is NO_ID.  All these live until tracks_reset.
 */
struct group *tracks_group(struct tracks *t, int64_t process, int64_t device);

/*
 * A row of a group.  a and b are: ROW_STREAM, ROW_SYNC: context and stream,
 * ROW_PROJECTED and what is on a thread: tid and 0; else 0 and 0.
 */
struct row *tracks_row(struct tracks *t, struct group *g, enum row_kind kind,
    int64_t a, int64_t b);

/* The strip of a row on which [start, end) can be drawn. */
static inline struct strip *tracks_place(
    struct tracks *t, struct row *row, int64_t start, int64_t end);

/* The first strip of a row, for what takes no time. */
static inline struct strip *tracks_first(struct tracks *t, struct row *row);

/* Not to be called directly: makes all strips up to that of a lane. */
void tracks_make_strips(struct tracks *t, struct row *row, size_t lane);

static inline struct strip *
tracks_strip(struct tracks *t, struct row *row, size_t lane)
{
	if (lane >= row->strip_count)
		tracks_make_strips(t, row, lane);
	return row->strip[lane];
}

static inline struct strip *
tracks_place(struct tracks *t, struct row *row, int64_t start, int64_t end)
{
	return tracks_strip(t, row, lanes_place(&row->lanes, start, end));
}

static inline struct strip *
tracks_first(struct tracks *t, struct row *row)
{
	return tracks_strip(t, row, 0);
}

#endif
