/*
 * range_chain.h - the work of a device for ranges that nest, at a cost that
 * does not grow with their number.
 *
 * An operation of a call is work for the innermost range around the call, for
 * the one below that, and so on.  It is counted for the innermost range alone:
 * a complete range passes its work on to the range below it.  The outermost
 * ranges of a thread are on no chain, since few ranges cost less without it: an
 * operation is counted for each of them.
 *
 * Only the time in which the device is busy is not a sum, for operations
 * overlap: the time that an operation adds depends on the last end of the
 * earlier operations of each range.  The chain is the ranges around the latest
 * operation, the outermost first.  The last end grows from range to range
 * outwards, so that the chain consists of runs of ranges with the same last
 * end, mostly of one run; and the time that an operation adds to a run is noted
 * at the run's innermost range, and subtracted from the range below the run.
 *
 * The next operation mostly has the same chain, or one that differs near its
 * end: the cost is the number of ranges that leave and enter the chain.
 */
#ifndef RANGE_CHAIN_H
#define RANGE_CHAIN_H

#include "device_work.h"

struct range_chain_run {
	size_t end; /* the place of its innermost range */
	int64_t last;
};

struct range_chain {
	int64_t device;
	struct range **ranges;
	size_t count, cap;
	struct range_chain_run *runs; /* the outermost first */
	size_t run_count, run_cap;
	struct range **entering; /* the innermost first */
	size_t entering_count, entering_cap;
	struct range_chain *next;
};

/* Add an operation to the work for a range and those below it. */
void range_chain_add(struct range_chain *s, struct range *r,
    const struct device_operation *op, bool launch);

/* The range at that place, and those inside of it, leave the chain. */
void range_chain_cut(struct range_chain *s, size_t place);

void range_chain_free(struct range_chain *s);

#endif
