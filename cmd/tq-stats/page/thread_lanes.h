/*
 * thread_lanes.h - the steps and ranges of each thread as lanes, and the lane
 * of the thread that launched most of the operations of a GPU.
 *
 * The first 256 threads of a section have lanes, of ranges up to eight deep:
 * at most 16 kB each.
 */
#ifndef THREAD_LANES_H
#define THREAD_LANES_H

#include "tq/base/keyed.h"
#include "tq/base/numbered.h"
#include "tq/line/event.h"

#include "thread_intervals.h"

enum { THREAD_LANES_MOST = 256, THREAD_LANES_DEPTH = 8 };

struct laned_thread {
	int64_t pid;
	struct thread_intervals steps, ranges[THREAD_LANES_DEPTH];
	int64_t ends[THREAD_LANES_DEPTH]; /* of the ranges that are open */
	size_t depth;                     /* how many are */
};

/* operations of a GPU that a thread launched */
struct thread_launches {
	size_t gpu;
	int64_t pid;
	uint32_t thread;
	uint64_t count;
};

/* of a section; {0} is empty */
struct thread_lanes {
	NUMBERED(struct laned_thread) threads;
	KEYED(struct thread_launches) launches; /* by thread, GPU */
	size_t latest;                          /* index of launches */
};

/* A range or step [ts, end) whose name has that number. */
void thread_lanes_add_range(struct thread_lanes *s, const struct event *ev,
    int64_t ts, int64_t end, uint32_t name);
void thread_lanes_add_step(struct thread_lanes *s, const struct event *ev,
    int64_t ts, int64_t end, uint32_t name);

/* An operation of a GPU. */
void thread_lanes_add_launch(
    struct thread_lanes *s, const struct event *ev, size_t gpu);

/*
 * Copy the lane of a GPU that is active for so many ns: the steps of its
 * thread, or of another one of that process; else the outermost ranges of its
 * thread of which there are three, and which cover 40 % of that time.  NULL if
 * there is none, else thread_intervals_free() and free(3) it.
 */
struct thread_intervals *thread_lanes_get(
    const struct thread_lanes *s, size_t gpu, int64_t active, bool *steps);

/* A new section. */
void thread_lanes_reset(struct thread_lanes *s);

void thread_lanes_free(struct thread_lanes *s);

#endif
