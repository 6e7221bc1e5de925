/*
 * lane_search.h - the first of many lanes that may take a slice.
 *
 * A lane that refuses a slice names the interval that blocks it, and a lane
 * that takes one is blocked by that one from then on.  A slice that overlaps
 * what blocks a lane is refused, unless it lies inside of that and that is not
 * solid.  So slices come in order of their start.
 */
#ifndef LANE_SEARCH_H
#define LANE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0}: no lane is known to be blocked */
struct lane_search {
	struct lane_block *tree; /* node i is over 2 * i and 2 * i + 1 */
	size_t cap;              /* of lanes: 0, or a power of two */
};

/*
 * The first lane from number i on that may take a slice;
 * the number of lanes, count, if none may.  i <= count.
 */
size_t lane_search_first(
    struct lane_search *s, size_t i, size_t count, int64_t start, int64_t end);

/*
 * What blocks a lane ends at end, and starts no later than the slice for which
 * lane_search_first() returned the lane.
 */
void lane_search_block(
    struct lane_search *s, size_t lane, int64_t end, bool solid);

void lane_search_free(struct lane_search *s);

#endif
