/* student.c - Student's distribution, and the probability of one more value */

#include <math.h>

#include "student.h"

/* of logarithms: less is none */
static const double ROUNDING = 1e-12;

double
student_within(size_t n, double t)
{
	const double half_pi = acos(0);
	double angle = atan(t / sqrt((double)n));
	double c = cos(angle), term = n % 2 == 0 ? 1 : c, sum = 0;

	/* of the powers of c up to n - 2; one degree of freedom has none */
	for (size_t k = n % 2; k + 2 <= n; k += 2) {
		sum += term;
		term *= c * c * (double)(k + 1) / (double)(k + 2);
	}
	sum *= sin(angle);
	return n % 2 == 0 ? sum : (angle + sum) / half_pi;
}

double
student_quantile(size_t n, double p)
{
	double low = 0, high = 1, middle;

	while (student_within(n, high) < p && high < 1e12)
		high *= 2;
	for (;;) {
		middle = low + (high - low) / 2;
		if (middle <= low || middle >= high)
			return middle;
		if (student_within(n, middle) < p)
			low = middle;
		else
			high = middle;
	}
}

struct student_interval
student_predict(const double *values, size_t n, double value)
{
	double mean = 0, square = 0, scale, half, off;

	for (size_t i = 0; i < n; i++)
		mean += log(values[i]) / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (log(values[i]) - mean) * (log(values[i]) - mean);
	scale = sqrt(square / (double)(n - 1) * (1 + 1 / (double)n));
	half = student_quantile(n - 1, 0.95) * scale;
	off = fabs(log(value) - mean);
	return (struct student_interval){
	    .low = exp(mean - half),
	    .high = exp(mean + half),
	    .p = off < ROUNDING     ? 1
		 : scale < ROUNDING ? 0
				    : 1 - student_within(n - 1, off / scale),
	};
}
