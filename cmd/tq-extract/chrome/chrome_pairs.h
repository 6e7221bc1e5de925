/* chrome_pairs.h - two events, a begin and an end, become one range */
#ifndef CHROME_PAIRS_H
#define CHROME_PAIRS_H

#include "chrome_records.h"

enum chrome_pair {
	PAIR_BEGIN,
	PAIR_END,
	PAIR_ASYNC_BEGIN, /* paired by id, across threads */
	PAIR_ASYNC_END
};

/* Hold the current event until all are known. */
void chrome_pairs_add(struct chrome *c, int64_t ts, enum chrome_pair what);

/*
 * Make the ranges.  Ends pair with the innermost begin of their name, else of
 * any, of their thread or id; a begin without an end is an open range.
 */
void chrome_pairs_finish(struct chrome *c);

#endif
