/* discoveries.c - many tests at once, by Benjamini and Hochberg */

#include <stdlib.h>

#include "discoveries.h"
#include "tq/base/mem.h"

static int
descending(const void *a, const void *b)
{
	double x = **(double *const *)a, y = **(double *const *)b;

	return (x < y) - (x > y);
}

void
discoveries_adjust(double *p, size_t n)
{
	double **order = mem_resize(NULL, n + 1, sizeof(*order));
	double least = 1;

	for (size_t i = 0; i < n; i++)
		order[i] = &p[i];
	qsort(order, n, sizeof(*order), descending);
	for (size_t i = 0; i < n; i++) {
		double rate = *order[i] * (double)n / (double)(n - i);

		least = rate < least ? rate : least;
		*order[i] = least;
	}
	free(order);
}
