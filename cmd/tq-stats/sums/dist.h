/*
 * dist.h - the distribution of integers (ns, bytes, numbers).
 *
 * It stores them all, and its numbers are exact: 4 bytes each, 8 once one of
 * them is negative or needs more than 32 bits, and up to half as much again
 * while it grows.
 *
 * With approx, a sketch replaces more than DIST_EXACT of them: count, sum,
 * least, largest and standard deviation stay exact, quantiles are wrong by less
 * than 1 / SKETCH_ERROR.
 *
 * The numbers do not depend on the order in which the integers came.
 */
#ifndef DIST_H
#define DIST_H

#include <stdbool.h>
#include <stddef.h>

#include "tq/base/sketch.h"

enum { DIST_EXACT = 1024 };

typedef wide dist_wide;

/* The bucket of v: 0 for v <= 0, else the number of binary digits. */
static inline unsigned
dist_bucket(int64_t v)
{
	return v > 0 ? 64 - (unsigned)__builtin_clzll((uint64_t)v) : 0;
}

/* The least number of a bucket; the last one is empty. */
static inline int64_t
dist_bucket_from(unsigned n)
{
	return n == 0 ? 0 : n > 63 ? INT64_MAX : (int64_t)1 << (n - 1);
}

/* {0} is an empty one */
struct dist {
	void *values; /* uint32_t, or int64_t if wide; NULL for one value,
		       * which is the sum */
	size_t count, cap;
	struct sketch *sketch; /* instead of values */
	bool wide, sorted, approx;
	dist_wide sum;
};

void dist_add(struct dist *d, int64_t v);

/* Add all of other, which stays. */
void dist_merge(struct dist *d, const struct dist *other);

/* From now on it is approximate. */
void dist_approximate(struct dist *d);

/* Sort the values in place, for all functions below. */
void dist_sort(struct dist *d);

/* Of an empty one: 0. */
int64_t dist_min(const struct dist *d);
int64_t dist_max(const struct dist *d);

/* The value at a rank, from 0; rank < count. */
int64_t dist_at(const struct dist *d, size_t rank);

/* Twice the median: for an even count, the sum of the middle two. */
dist_wide dist_median2(const struct dist *d);

/*
 * The quantile permille / 1000 by nearest rank: the least value that is >= that
 * share of all values.
 */
int64_t dist_quantile(const struct dist *d, unsigned permille);

/* The number of values < v, which is 0 or a power of two: always exact. */
size_t dist_below(const struct dist *d, int64_t v);

/* Standard deviation of a sample (n - 1); 0 of less than two values. */
long double dist_stddev(const struct dist *d);

void dist_free(struct dist *d);

#endif
