/*
 * lane.h - intervals of a thread that do not overlap, such as steps: at most
 * 512 are kept.
 *
 * When there are more, neighbours that lie in one window of time become one
 * interval; the window starts at 1 us and doubles until a quarter of the room
 * is free.  So intervals that are too short to be seen go first.
 */
#ifndef LANE_H
#define LANE_H

#include <stddef.h>
#include <stdint.h>

enum { LANE_MOST = 512, LANE_WINDOW = 1000 /* ns, at first */ };

struct lane_interval {
	int64_t from, to;
	uint64_t count; /* of the intervals that it is made of */
	uint32_t name;  /* of the first of them */
};

/* {0} is an empty one */
struct lane {
	struct lane_interval *all; /* in order of time */
	size_t count, cap;
	uint64_t window; /* 0: nothing was merged so far */
	uint64_t added;  /* intervals, merged ones included */
	uint64_t time;   /* of them, in ns */
};

/* Add [from, to), to >= from; the last one began no later. */
void lane_add(struct lane *l, int64_t from, int64_t to, uint32_t name);

void lane_free(struct lane *l);

#endif
