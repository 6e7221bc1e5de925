/* median.c - medians of integers */

#include "tq/base/squares.h"

#include "median.h"

static void
swap(int64_t *a, int64_t *b)
{
	int64_t v = *a;

	*a = *b;
	*b = v;
}

/* the middle of three, which no order of values makes slow to look for */
static int64_t
pivot_of(const int64_t *v, size_t n)
{
	int64_t a = v[n / 4], b = v[n / 2], c = v[n - 1 - n / 4];

	if (a > b)
		swap(&a, &b);
	return c < a ? a : c > b ? b : c;
}

/* Move the values below the limit to the front, and return their number.  There
   is no branch: the processor would guess it wrongly half of the time. */
static size_t
gather(int64_t *v, size_t n, int64_t limit)
{
	size_t below = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t x = v[i];

		v[i] = v[below];
		v[below] = x;
		below += x < limit;
	}
	return below;
}

/* quickselect with three parts: values below, at and above the pivot */
int64_t
median_of(int64_t *v, size_t n)
{
	size_t k = (n - 1) / 2;

	for (;;) {
		int64_t pivot = pivot_of(v, n);
		size_t below = gather(v, n, pivot), at;

		if (k < below) {
			n = below;
			continue;
		}
		at = pivot < INT64_MAX ? gather(v + below, n - below, pivot + 1)
				       : n - below;
		if (k < below + at)
			return pivot;
		v += below + at;
		k -= below + at;
		n -= below + at;
	}
}

int64_t
median_distance(int64_t *v, size_t n, int64_t center)
{
	for (size_t i = 0; i < n; i++) {
		wide d = (wide)v[i] - center;

		d = d < 0 ? -d : d;
		v[i] = d < INT64_MAX ? (int64_t)d : INT64_MAX;
	}
	return median_of(v, n);
}
