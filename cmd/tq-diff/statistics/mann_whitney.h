/*
 * mann_whitney.h - do values of B lie above those of A?  The test of Mann and
 * Whitney, and the shift of Hodges and Lehmann that goes with it.
 *
 * All is counted, not drawn: equal values, in any order, give equal results.
 */
#ifndef MANN_WHITNEY_H
#define MANN_WHITNEY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The two-sided p: twice the smaller tail, up to 1, of all ways to divide the
 * values into na and nb.  Ties count with their mean rank.  From 25 + 25 on,
 * and above 500 together, the normal approximation with ties and continuity
 * corrected.  na, nb > 0; no value is NaN.
 */
double mann_whitney_p(const double *a, size_t na, const double *b, size_t nb);

/* The smallest p that so many values without ties can give: 2 / C(na+nb, na) */
double mann_whitney_least(size_t na, size_t nb);

struct mann_whitney_shift {
	double ratio;     /* the median of all b / a */
	double low, high; /* the ratio lies between them, with 95 % at least */
	bool interval;    /* false: too few values for one */
};

/*
 * The ratio of positive values and its interval, of the order statistics of all
 * b / a that the distribution of U gives.  Of more than 1000 values on a side
 * 1000 quantiles stand for all.
 *
 * na_worth, nb_worth: of how many independent values these are worth, na and
 * nb if they are; less widens the interval, by the normal approximation.
 */
struct mann_whitney_shift mann_whitney_ratio(const double *a, size_t na,
    const double *b, size_t nb, double na_worth, double nb_worth);

#endif
