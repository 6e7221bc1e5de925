/*
 * lanes.h - slices of one row, put side by side where they would cross.
 *
 * Viewers lose or garble slices of one track that cross: each starts inside
 * the other's time and ends outside.  So a row has lanes, one at first, and
 * a slice goes to the first lane on which it nests with all that was put
 * there before.
 *
 * Slices may come in any order.  Memory is bounded: what is long past on a
 * lane is merged to one interval that takes nothing more, which costs at
 * worst a lane.
 */
#ifndef LANES_H
#define LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LANES_OPEN INT64_MAX /* the end of what never ends */

struct lanes {
	struct lanes_lane *lane;
	size_t count;
	size_t window; /* intervals remembered per lane */
	bool flat;     /* no slice may lie inside another */
	bool apart;    /* nor end where one starts that came before it */
};

/* A window below 1024 counts as that. */
void lanes_init(struct lanes *l, bool flat, size_t window);
void lanes_free(struct lanes *l);

/*
 * The number of the lane for [start, end); what takes no time counts as 1 ns.
 *
 * Of two slices with the same start the longer has to come first, for that
 * is how viewers know the outer one; where it does not, it gets another
 * lane.  The same goes for whatever starts where an open slice does.
 */
size_t lanes_place(struct lanes *l, int64_t start, int64_t end);

#endif
