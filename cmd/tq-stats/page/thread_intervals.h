/*
 * thread_intervals.h - intervals of a thread that do not overlap, such as
 * steps: at most 512 are kept.
 *
 * When there are more, neighbours that lie in one window of time become one
 * interval; the window starts at 1 us and doubles until a quarter of the room
 * is free.  So intervals that are too short to be seen go first.
 */
#ifndef THREAD_INTERVALS_H
#define THREAD_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

enum { LANE_MOST = 512, LANE_WINDOW = 1000 /* ns, at first */ };

struct thread_interval {
	int64_t from, to;
	uint64_t count; /* of the intervals that it is made of */
	uint32_t name;  /* of the first of them */
};

/* {0} is an empty one */
struct thread_intervals {
	struct thread_interval *all; /* in order of time */
	size_t count, cap;
	uint64_t window; /* 0: nothing was merged so far */
	uint64_t added;  /* intervals, merged ones included */
	uint64_t time;   /* of them, in ns */
};

/* Add [from, to), to >= from; the last one began no later. */
void thread_intervals_add(
    struct thread_intervals *l, int64_t from, int64_t to, uint32_t name);

void thread_intervals_free(struct thread_intervals *l);

#endif
