/*
 * dist.h - the distribution of integers (ns, bytes, numbers): all of them are
 * kept, 8 bytes each, so that what is said of them is exact.
 */
#ifndef DIST_H
#define DIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 dist_wide;

/* {0} is an empty one */
struct dist {
	int64_t *values;
	size_t count, cap;
	bool sorted;
	dist_wide sum;
};

void dist_add(struct dist *d, int64_t v);

/* Add all of other, which stays. */
void dist_merge(struct dist *d, const struct dist *other);

/* The values in ascending order; all below need it. */
void dist_sort(struct dist *d);

/* Of an empty one: 0. */
int64_t dist_min(const struct dist *d);
int64_t dist_max(const struct dist *d);

/* Twice the median: of an even number, the sum of the middle two. */
dist_wide dist_median2(const struct dist *d);

/*
 * The quantile permille / 1000 by nearest rank: the smallest value that is
 * not exceeded by at least that share of all.
 */
int64_t dist_quantile(const struct dist *d, unsigned permille);

/* Standard deviation of a sample (n - 1); 0 of less than two values. */
long double dist_stddev(const struct dist *d);

void dist_free(struct dist *d);

#endif
