/*
 * dist.h - the distribution of integers (ns, bytes, numbers).
 *
 * All of them are kept, so that what is said of them is exact: 4 bytes for
 * each, 8 once one is negative or does not fit in 32 bits, and up to half as
 * much again while there are more to come.
 *
 * Where approx is set, a sketch takes the place of more than DIST_EXACT: then
 * count, sum, smallest, largest and standard deviation are exact, and others
 * are wrong by less than 1 / SKETCH_ERROR.
 *
 * What is said depends on the integers and not on the order in which they came.
 */
#ifndef DIST_H
#define DIST_H

#include <stdbool.h>
#include <stddef.h>

#include "sketch.h"

enum { DIST_EXACT = 1024 };

typedef wide dist_wide;

/* The bucket of v: 0 holds 0 and less, and n what has n binary digits. */
static inline unsigned
dist_bucket(int64_t v)
{
	return v > 0 ? 64 - (unsigned)__builtin_clzll((uint64_t)v) : 0;
}

/* The smallest of a bucket; no number is in the last. */
static inline int64_t
dist_bucket_from(unsigned n)
{
	return n == 0 ? 0 : n > 63 ? INT64_MAX : (int64_t)1 << (n - 1);
}

/* {0} is an empty one */
struct dist {
	void *values; /* uint32_t, or int64_t where they are wide; a single
		       * one is the sum */
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

/* The values in ascending order, in place; all below need it. */
void dist_sort(struct dist *d);

/* Of an empty one: 0. */
int64_t dist_min(const struct dist *d);
int64_t dist_max(const struct dist *d);

/* The value with so many before it, which are less than all there are. */
int64_t dist_at(const struct dist *d, size_t rank);

/* Twice the median: of an even number, the sum of the middle two. */
dist_wide dist_median2(const struct dist *d);

/*
 * The quantile permille / 1000 by nearest rank: the smallest value that is
 * not exceeded by at least that share of all.
 */
int64_t dist_quantile(const struct dist *d, unsigned permille);

/* How many are less than v, which is 0 or a power of two: always exact. */
size_t dist_below(const struct dist *d, int64_t v);

/* Standard deviation of a sample (n - 1); 0 of less than two values. */
long double dist_stddev(const struct dist *d);

void dist_free(struct dist *d);

#endif
