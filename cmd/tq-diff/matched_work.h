/*
 * matched_work.h - how much of the work that both sides have each of them did.
 */
#ifndef MATCHED_WORK_H
#define MATCHED_WORK_H

#include "match/match.h"

/* The number of launches in B, divided by the number in A: of each row of
   kernels, weighted by its time. */
struct matched_work {
	bool known;               /* there are such rows with launches enough */
	double median, low, high; /* and its quartiles */
};

/* Of a unit; units of each side > 0. */
struct matched_work matched_work_of(
    const struct match *m, const int64_t units[SIDES]);

#endif
