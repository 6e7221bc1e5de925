/*
 * durations.h - a distribution of durations: how many fell into each bucket of
 * tq/base/sketch.h.
 *
 * Quantiles are wrong by less than 1 / SKETCH_ERROR (0.4 %), and do not depend
 * on the order in which the durations came.
 */
#ifndef TQ_ACCOUNT_DURATIONS_H
#define TQ_ACCOUNT_DURATIONS_H

#include <stddef.h>
#include <string.h>

#include "tq/base/sketch.h"

struct duration_bucket {
	int32_t bucket; /* sketch_middle() stands for its durations */
	int64_t n;      /* > 0 */
};

/* {0} is an empty one */
struct durations {
	struct duration_bucket *all; /* in ascending order of bucket */
	size_t count, cap;
	int64_t n; /* of all buckets */
};

/* Add n times the duration dur, in ns; a negative one counts as 0. */
void durations_add(struct durations *d, int64_t dur, int64_t n);

/* Add n to a bucket, from 0 to SKETCH_LAST. */
void durations_add_bucket(struct durations *d, int32_t bucket, int64_t n);

/* Add all of other, which stays. */
void durations_merge(struct durations *d, const struct durations *other);

/*
 * The quantile permille / 1000 by nearest rank, in ns: the middle of the bucket
 * with the least duration that is >= that share of all.  0 of an empty one.
 */
int64_t durations_quantile(const struct durations *d, unsigned permille);

/* Forget all, and keep the memory; free it. */
void durations_clear(struct durations *d);
void durations_free(struct durations *d);

#endif
