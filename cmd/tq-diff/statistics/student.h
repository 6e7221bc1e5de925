/*
 * student.h - Student's distribution, and the probability of one more value.
 */
#ifndef STUDENT_H
#define STUDENT_H

#include <stddef.h>

/*
 * P(|T| <= t) of n degrees of freedom, a finite sum (Abramowitz and Stegun
 * 26.7.3 and 26.7.4); t >= 0, n > 0.
 */
double student_within(size_t n, double t);

/* The t with student_within(n, t) = p, 0 <= p < 1, to the last digits. */
double student_quantile(size_t n, double p);

/* Where one more of n > 1 values will be, with 95 %. */
struct student_interval {
	double low, high,
	    p; /* p: that one as far off as value comes, or more */
};

/*
 * Predict from the logarithms of n > 1 positive values: m +- t s sqrt(1 + 1/n),
 * as values; and test a further value > 0.  Equal values predict that value,
 * and p is 1 or 0.
 */
struct student_interval student_predict(
    const double *values, size_t n, double value);

#endif
