/*
 * correlate.h - a section as it goes by: its records are written as they
 * come, and what they tell of each other is added.
 *
 * What a record tells already is left as it is, so that a stream goes
 * through a second time unchanged: an operation that has api_ts passes, and
 * so does a range that has depth, whose gpu-range is taken to be in the
 * stream.
 */
#ifndef CORRELATE_H
#define CORRELATE_H

#include "tq/io/output.h"

#include "calls.h"
#include "hold.h"
#include "ranges.h"

struct tally {
	int64_t resolved, by_graph, unresolved, ambiguous;
};

struct correlate {
	struct ranges ranges;
	struct tally tally; /* of operations */

	struct output *out;
	struct output *to; /* where records go now: out, or hold.lines */
	struct calls calls;
	struct hold hold;
	int64_t now;
	uint64_t time_word; /* the digits of a time but for the last eight */
	int64_t time_high;  /* what they stand for */
};

/*
 * Sections are written to out; c does not move.  per_process: a range has the
 * calls of all threads of its process; paths: say the names of all ranges
 * around a call.
 */
void correlate_init(
    struct correlate *c, struct output *out, bool per_process, bool paths);

void correlate_free(struct correlate *c);

/* What correlate_event needs to know of a record, as for event_parse. */
const struct keyset *correlate_keys(void);

/* A record that is neither trace nor end. */
void correlate_event(struct correlate *c, const struct event *ev);

/* The section is over: write all that waits.  tally is complete now. */
void correlate_finish(struct correlate *c);

/* Forget it. */
void correlate_reset(struct correlate *c);

#endif
