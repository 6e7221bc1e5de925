/*
 * range_depth.h - how many ranges of its domain and thread are around a range
 * that tq-correlate has not seen.
 */
#ifndef RANGE_DEPTH_H
#define RANGE_DEPTH_H

#include "tq/base/span.h"
#include "tq/join/expiry.h"
#include "tq/join/nesting.h"

struct deep_range;

/* RANGE_DEPTH_EMPTY has no range */
struct range_depth {
	struct nesting nesting;
	struct expiry expiry;
	struct deep_range *spare;
};

#define RANGE_DEPTH_EMPTY ((struct range_depth){.expiry = EXPIRY_EMPTY})

/* Add a range, which has an end, and return its depth. */
int64_t range_depth_add(struct range_depth *d, int64_t pid, int64_t tid,
    struct span domain, int64_t ts, int64_t end);

/* Forget all ranges. */
void range_depth_clear(struct range_depth *d);

void range_depth_free(struct range_depth *d);

#endif
