/* quantiles.c - the middle of some numbers, and how far they spread around it
 */

#include <math.h>
#include <stdlib.h>

#include "quantiles.h"
#include "tq/base/mem.h"

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void
quantiles_sort(double *all, size_t n)
{
	if (n > 0)
		qsort(all, n, sizeof(*all), compare);
}

double
quantiles_median(const double *sorted, size_t n)
{
	return n % 2 == 1 ? sorted[n / 2]
			  : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double
quantiles_quantile(const double *sorted, size_t n, double q)
{
	double place = q * (double)(n - 1);
	size_t i = (size_t)place;

	return i + 1 < n ? sorted[i] +
			       (place - (double)i) * (sorted[i + 1] - sorted[i])
			 : sorted[n - 1];
}

double
quantiles_width(const double *all, size_t n, double centre)
{
	double *off = mem_resize(NULL, n, sizeof(*off)), width;

	for (size_t i = 0; i < n; i++)
		off[i] = fabs(all[i] - centre);
	quantiles_sort(off, n);
	width = 1.4826 * quantiles_median(off, n);
	free(off);
	return width;
}

double
quantiles_lag(const double *all, size_t n)
{
	double mean = 0, along = 0, square = 0;

	if (n < 3)
		return 0;
	for (size_t i = 0; i < n; i++)
		mean += all[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		square += (all[i] - mean) * (all[i] - mean);
		if (i + 1 < n)
			along += (all[i] - mean) * (all[i + 1] - mean);
	}
	return square > 0 ? along / square : 0;
}
