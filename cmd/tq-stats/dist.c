/* dist.c - the distribution of integers */

#include <math.h>
#include <stdlib.h>

#include "tq/mem.h"

#include "dist.h"

void
dist_add(struct dist *d, int64_t v)
{
	if (d->count == d->cap) {
		d->cap = d->cap * 2 + 4;
		d->values = mem_resize(d->values, d->cap, sizeof(*d->values));
	}
	d->values[d->count++] = v;
	d->sum += v;
	d->sorted = false;
}

void
dist_merge(struct dist *d, const struct dist *other)
{
	for (size_t i = 0; i < other->count; i++)
		dist_add(d, other->values[i]);
}

static int
compare(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

void
dist_sort(struct dist *d)
{
	if (!d->sorted && d->count > 1)
		qsort(d->values, d->count, sizeof(*d->values), compare);
	d->sorted = true;
}

int64_t
dist_min(const struct dist *d)
{
	return d->count > 0 ? d->values[0] : 0;
}

int64_t
dist_max(const struct dist *d)
{
	return d->count > 0 ? d->values[d->count - 1] : 0;
}

dist_wide
dist_median2(const struct dist *d)
{
	if (d->count == 0)
		return 0;
	return (dist_wide)d->values[(d->count - 1) / 2] +
	       d->values[d->count / 2];
}

int64_t
dist_quantile(const struct dist *d, unsigned permille)
{
	size_t rank = (d->count * permille + 999) / 1000;

	return d->count > 0 ? d->values[rank > 0 ? rank - 1 : 0] : 0;
}

/* around the mean, so that no square is larger than it must be */
long double
dist_stddev(const struct dist *d)
{
	long double mean, sum = 0;

	if (d->count < 2)
		return 0;
	mean = (long double)d->sum / (long double)d->count;
	for (size_t i = 0; i < d->count; i++) {
		long double x = (long double)d->values[i] - mean;

		sum += x * x;
	}
	return sqrtl(sum / (long double)(d->count - 1));
}

void
dist_free(struct dist *d)
{
	free(d->values);
	*d = (struct dist){0};
}
