/*
 * tracks.h - groups, rows and tracks: their names, order and numbers.
 *
 * A group (see sink.h) has rows: a stream, a thread, its OS calls.  A row has a
 * track for each of its lanes.
 */
#ifndef TRACKS_H
#define TRACKS_H

#include "lanes.h"
#include "owners.h"
#include "saved.h"
#include "tq/base/map.h"
#include "tq/base/region.h"
#include "tq/draw/sink.h"
#include "tq/names.h"

/* for a context: what b of ROW_STREAM names is a hardware queue */
#define TRACKS_QUEUE (NO_ID + 1)

/* A thread, as far as its rows depend on it. */
struct track_thread {
	bool active; /* it does more than call the operating system */
	bool shown;  /* a row of it stands in the order of the tracks */
	int64_t waiting, working; /* ns in calls that wait; in others, on CPU */
};

struct track_row {
	struct track_group *group;
	enum row_kind kind;
	int64_t a, b;
	struct span name, short_name;
	struct track_thread *thread; /* or NULL */
	int64_t slices;              /* until it is placed */
	bool placed;
	enum fold fold;
	struct lanes lanes;
	struct track **tracks; /* per lane */
	size_t track_count;

	int64_t since; /* ROW_SCHED: start on a processor; or < 0 */
	struct saved_event *running;  /* the record of that start */
	struct waiting_stream *waits; /* ROW_STREAM: for layout.c, or NULL */
	struct track_row *next;
};

struct tracks {
	const struct names *names;
	const struct sink *sink;
	void *arg; /* of the sink */

	/* of the section */
	int64_t rank;
	struct text host;
	int64_t section;
	struct owners owners; /* processes of streams that are defined */

	struct region region; /* groups, rows, tracks, names */
	struct track_group *last;
	struct track_row *rows, **row_end;
	struct map group_map, gpu_map, row_map, order_map, thread_map;
	size_t group_count, row_count;
	int64_t undefined; /* processes that no record defines */
	int64_t ordinals;  /* processes of the sections before */

	struct map pids, tids; /* that are taken */
	int64_t next_pid;
	size_t track_count;
	int64_t added; /* tracks that are not the first of their row */
	bool apart;    /* as in lanes.h */
	struct text name, label; /* scratch */
};

/*
 * The sink gets each group and track before anything is drawn there; *sink and
 * *arg are borrowed.
 */
void tracks_init(struct tracks *t, const struct names *names,
    const struct sink *sink, void *arg);
void tracks_free(struct tracks *t);

/*
 * A new section: all groups and rows go, and their numbers are not used again.
 * rank may be NO_ID, and host empty.
 */
void tracks_reset(struct tracks *t, int64_t rank, struct span host);

/*
 * The group of a process on a device, or of the process itself where device
 * is NO_ID.  All these live until tracks_reset.
 */
struct track_group *tracks_group(
    struct tracks *t, int64_t process, int64_t device);

/*
 * The group of values of a GPU, which have no process: where one process alone
 * has streams there, its group of this GPU, so that no other one is called so.
 */
struct track_group *tracks_gpu_group(struct tracks *t, int64_t gpu);

/*
 * A row of a group.  a and b are context and stream for ROW_STREAM and
 * ROW_SYNC, tid and stream or NO_ID for ROW_PROJECTED, tid and 0 for rows of
 * threads; else 0 and 0.
 */
struct track_row *tracks_row(struct tracks *t, struct track_group *g,
    enum row_kind kind, int64_t a, int64_t b);

/* A row of the threads of a process; NULL if there is none so far. */
struct track_row *tracks_find(
    const struct tracks *t, int64_t process, enum row_kind kind, int64_t tid);

/* The row of a stream with that number on a device, likewise. */
struct track_row *tracks_find_stream(
    const struct tracks *t, int64_t device, int64_t stream);

/* The track of a row on which [start, end) can be drawn. */
static inline struct track *tracks_place(
    struct tracks *t, struct track_row *row, int64_t start, int64_t end);

/* The first track of a row, for instants. */
static inline struct track *tracks_first(
    struct tracks *t, struct track_row *row);

/*
 * The section ends: place the rows that are not yet placed, those of threads
 * that only wait, and those of one slice where others have more, below.
 */
void tracks_end(struct tracks *t);

/* For tracks_of_lane only: one more slice comes. */
void tracks_count(struct tracks *t, struct track_row *row);

/* For tracks_of_lane only: make the tracks of lanes up to that one. */
void tracks_make(struct tracks *t, struct track_row *row, size_t lane);

/* The track of a lane, which may be new. */
static inline struct track *
tracks_of_lane(struct tracks *t, struct track_row *row, size_t lane)
{
	if (lane >= row->track_count)
		tracks_make(t, row, lane);
	if (!row->placed)
		tracks_count(t, row);
	return row->tracks[lane];
}

static inline struct track *
tracks_place(
    struct tracks *t, struct track_row *row, int64_t start, int64_t end)
{
	return tracks_of_lane(t, row, lanes_place(&row->lanes, start, end));
}

static inline struct track *
tracks_first(struct tracks *t, struct track_row *row)
{
	return tracks_of_lane(t, row, 0);
}

#endif
