/*
 * matched_work.h - how much of the work that both sides have each of them did.
 */
#ifndef MATCHED_WORK_H
#define MATCHED_WORK_H

#include "match/match.h"

/* launches of B by those of A, over the rows of kernels, weighted by time */
struct matched_work {
	bool known;               /* there are such rows with launches enough */
	double median, low, high; /* and its quartiles */
};

/* Of a unit; units of each side > 0. */
struct matched_work matched_work_of(
    const struct match *m, const int64_t units[SIDES]);

#endif
