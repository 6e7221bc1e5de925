/*
 * grids.h - the launches of kernels that are the same, by grid and block.
 *
 * An account has the grids with most time of each kernel; other launches are
 * the rest of its set.  A grid that one side has is part of the rest, too, if
 * the other side may have it there.
 */
#ifndef GRIDS_H
#define GRIDS_H

#include "match.h"

/* The grids of all sets; by grid, a row of each. */
void grids_make(struct match *m);

/* By grid: add what recording r of a side has. */
void grids_cells(
    const struct match *m, int side, size_t r, struct match_cells *c);

#endif
