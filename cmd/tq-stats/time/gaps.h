/*
 * gaps.h - the values of the report gaps that the page reads: gaps of devices.
 */
#ifndef GAPS_H
#define GAPS_H

#include "tq/account/gap.h"
#include "tq/account/idle_shares.h"
#include "tq/account/wall.h"

#include "report.h"

/* Gaps of devices are left out where a GPU of several processes has them. idle:
   idle->now are the gap's shares. */
typedef void gaps_watch(
    void *watcher, const struct lane_gap *g, const struct idle_shares *idle);

/* The lanes of the report, which reads operations before those behind it. */
const struct device_lanes *gaps_lanes(const struct report *r);

/* From now on watch is called for each gap. */
void gaps_set_watch(struct report *r, gaps_watch *watch, void *watcher);

/* What the cause of a gap means, as a sentence: for a wall that may be cut. */
const char *gaps_meaning(const struct wall *w, enum gap_cause cause);

/* one of the longest gaps; texts live as long as the report */
struct gap_listed {
	uint32_t device;       /* its number, see names/model.h */
	enum idle_cause cause; /* of its largest share, */
	struct span thing;     /* and its thing; or empty */
	int64_t start, dur;
	struct span next;  /* the operation that ended it */
	struct span range; /* of its launch, or empty */
};

/* The n-th longest, from 0; false if there are fewer. */
bool gaps_longest(const struct report *r, size_t n, struct gap_listed *listed);

#endif
