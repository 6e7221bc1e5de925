/*
 * lanes.h - slices of one row, put side by side where they would cross.
 *
 * Viewers lose or garble slices of one track that cross: each starts inside
 * the other's time and ends outside.  So a row has lanes, one at first, and
 * a slice goes to the first lane on which it nests with all that was put
 * there before.  A slice that comes in order of its start costs O(log n) of the
 * number of lanes; each lane is tried for a slice that comes late.
 *
 * Slices may come in any order.  Memory is bounded: old slices of a lane become
 * one interval, inside of which no slice is placed any more; at worst that
 * costs a lane.
 */
#ifndef LANES_H
#define LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lane_search.h"

#define LANES_OPEN INT64_MAX /* the end of a slice that never ends */

struct lanes {
	struct lanes_lane *all;
	size_t count, cap;
	struct lane_search search; /* where there are many */
	int64_t latest;            /* start of a slice */
	size_t window;             /* intervals remembered per lane */
	bool flat;                 /* no slice may lie inside another */
	bool apart; /* none may end where an earlier one starts */
};

/* The window is at least 1024. */
void lanes_init(struct lanes *l, bool flat, size_t window);
void lanes_free(struct lanes *l);

/*
 * Place the slice [start, end), and return the number of its lane.  An empty
 * slice counts as 1 ns.
 *
 * Viewers take the first of two slices with the same start for the outer one.
 * So where the longer one comes second, it gets another lane, and so does a
 * slice that starts together with an open one.
 */
size_t lanes_place(struct lanes *l, int64_t start, int64_t end);

/* a slice that was placed */
struct lanes_found {
	size_t lane;
	int64_t start, end;
	int64_t inner; /* start of the first one in it, LANES_OPEN if none */
};

/*
 * The innermost slice at ts, or that ends then, of all lanes the one that
 * started last.  False if there is none that is longer than 1 ns and
 * remembered.
 */
bool lanes_find(const struct lanes *l, int64_t ts, struct lanes_found *found);

#endif
