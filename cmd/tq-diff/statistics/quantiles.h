/*
 * quantiles.h - the middle of some numbers, and how far they spread around it.
 */
#ifndef QUANTILES_H
#define QUANTILES_H

#include <stddef.h>

/* Sort n numbers, the smallest first; none is NaN. */
void quantiles_sort(double *all, size_t n);

/* The median of n > 0 sorted numbers; of an even n the mean of the two. */
double quantiles_median(const double *sorted, size_t n);

/* The value below which a part q of n > 0 sorted numbers lies, 0 <= q <= 1. */
double quantiles_quantile(const double *sorted, size_t n, double q);

/*
 * 1.4826 * median |x - centre| of n > 0 numbers: the standard deviation, if
 * they are normal.
 */
double quantiles_width(const double *all, size_t n, double centre);

/*
 * The correlation of each number with the next, -1 to 1; 0 for less than 3, or
 * if all are equal.
 */
double quantiles_lag(const double *all, size_t n);

#endif
