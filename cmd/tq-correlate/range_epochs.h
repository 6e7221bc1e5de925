/*
 * range_epochs.h - the ranges of a thread that cross: what is launched in them,
 * and when they are complete, at a cost that does not grow with the number of
 * open ranges.
 *
 * An epoch is a time in which no range of the thread starts or ends: the same
 * ranges are around all calls that start in it.  Between two epochs stand
 * boundaries, the starts and ends of ranges.  An epoch that is over, and whose
 * calls wait for no operation, goes: its boundaries join those of the next one.
 * When the start and the end of a range meet, no call in the range waits.
 *
 * A set of ranges for each device (range_set.h) stands at the epoch of the
 * latest operation's call.  It goes over the boundaries to the epoch of the
 * next operation's, which mostly is the same, or near.
 */
#ifndef RANGE_EPOCHS_H
#define RANGE_EPOCHS_H

#include "tq/join/expiry.h"

#include "range_set.h"

struct range_boundaries {
	struct range_boundary *first, *last;
	size_t count;
};

struct range_epoch {
	unsigned users;
	uint64_t number; /* grows with time */
	int64_t within;  /* first end of the open ranges */
	struct range_boundaries
	    *before; /* between the older one and this one */
	struct range_epoch *older, *newer;
};

/* of a thread; {.ends = EXPIRY_EMPTY} has none */
struct range_epochs {
	struct range_epoch *oldest, *newest;
	uint64_t number;
	struct range_set *sets;
	struct expiry ends; /* of ranges that are open */
	struct range **met; /* ranges that are complete */
	size_t met_count, met_cap;
	bool sorted; /* the inner ones last */
};

/* A range starts; it ends. */
void range_epochs_start(struct range_epochs *x, struct range *r);
void range_epochs_end(struct range_epochs *x, struct range *r);

/* True if all open ranges are around a call that starts at ts, now. */
static inline bool
range_epochs_all(const struct range_epochs *x, int64_t ts)
{
	return ts < x->ends.next;
}

/* The epoch of now, of which there is one once a range has started, until
   range_epochs_leave. */
struct range_epoch *range_epochs_enter(struct range_epochs *x);
void range_epochs_leave(struct range_epochs *x, struct range_epoch *e);

/* Take a range that is complete; NULL: there is none. */
struct range *range_epochs_complete(struct range_epochs *x);

/* Add an operation to the work for the ranges around a call of that epoch, see
   project_add_work. */
void range_epochs_add(struct range_epochs *x, struct range_epoch *e,
    int64_t call_end, const struct device_operation *op, bool launch);

/* All ranges get the work that sets have for them. */
void range_epochs_settle(struct range_epochs *x);

void range_epochs_free(struct range_epochs *x);

#endif
