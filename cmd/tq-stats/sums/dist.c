/* dist.c - the distribution of integers */

#include <stdlib.h>

#include "tq/base/lower_bound.h"
#include "tq/base/mem.h"

#include "dist.h"
#include "radix.h"

static int64_t
value(const struct dist *d, size_t i)
{
	if (d->values == NULL)
		return (int64_t)d->sum;
	return d->wide ? ((const int64_t *)d->values)[i]
		       : ((const uint32_t *)d->values)[i];
}

/* ---- values come ---- */

static void
resize(struct dist *d, size_t cap)
{
	size_t size = d->wide ? sizeof(int64_t) : sizeof(uint32_t);

	d->values = mem_resize(d->values, cap, size);
	d->cap = cap;
}

/* from the last to the first, lest one overwrites another */
static void
widen(struct dist *d)
{
	d->wide = true;
	resize(d, d->cap);
	for (size_t i = d->count; i-- > 0;)
		((int64_t *)d->values)[i] = ((const uint32_t *)d->values)[i];
}

static void
make_sketch(struct dist *d)
{
	d->sketch = mem_alloc(sizeof(*d->sketch));
	for (size_t i = 0; i < d->count; i++)
		sketch_add(d->sketch, value(d, i), i == 0);
	free(d->values);
	d->values = NULL;
	d->cap = 0;
}

static void
append(struct dist *d, int64_t v)
{
	if (d->values == NULL || d->count == d->cap)
		resize(d, d->cap + d->cap / 2 + 4);
	if (!d->wide && (uint64_t)v > UINT32_MAX)
		widen(d);
	if (d->wide)
		((int64_t *)d->values)[d->count++] = v;
	else
		((uint32_t *)d->values)[d->count++] = (uint32_t)v;
}

void
dist_add(struct dist *d, int64_t v)
{
	if (d->count == 0 && d->sketch == NULL) {
		d->count = 1;
		d->sum = v;
		return;
	}
	if (d->values == NULL && d->sketch == NULL) {
		d->count = 0;
		append(d, (int64_t)d->sum);
	}
	d->sum += v;
	d->sorted = false;
	if (d->approx && d->sketch == NULL && d->count == DIST_EXACT)
		make_sketch(d);
	if (d->sketch != NULL) {
		sketch_add(d->sketch, v, d->count++ == 0);
		return;
	}
	append(d, v);
}

void
dist_merge(struct dist *d, const struct dist *other)
{
	if (other->sketch == NULL) {
		for (size_t i = 0; i < other->count; i++)
			dist_add(d, value(other, i));
		return;
	}
	if (d->sketch == NULL)
		make_sketch(d);
	sketch_merge(d->sketch, other->sketch, d->count == 0);
	d->count += other->count;
	d->sum += other->sum;
}

void
dist_approximate(struct dist *d)
{
	d->approx = true;
	if (d->sketch == NULL && d->count > DIST_EXACT)
		make_sketch(d);
}

/* ---- numbers of all values ---- */

void
dist_sort(struct dist *d)
{
	if (!d->sorted && d->values != NULL && d->wide)
		radix_sort_wide(d->values, d->count);
	else if (!d->sorted && d->values != NULL)
		radix_sort(d->values, d->count);
	d->sorted = true;
}

int64_t
dist_at(const struct dist *d, size_t rank)
{
	return d->sketch != NULL ? sketch_at(d->sketch, rank) : value(d, rank);
}

int64_t
dist_min(const struct dist *d)
{
	if (d->sketch != NULL)
		return d->sketch->min;
	return d->count > 0 ? value(d, 0) : 0;
}

int64_t
dist_max(const struct dist *d)
{
	if (d->sketch != NULL)
		return d->sketch->max;
	return d->count > 0 ? value(d, d->count - 1) : 0;
}

dist_wide
dist_median2(const struct dist *d)
{
	if (d->count == 0)
		return 0;
	return (dist_wide)dist_at(d, (d->count - 1) / 2) +
	       dist_at(d, d->count / 2);
}

int64_t
dist_quantile(const struct dist *d, unsigned permille)
{
	size_t rank = (size_t)(((uwide)d->count * permille + 999) / 1000);

	return d->count > 0 ? dist_at(d, rank > 0 ? rank - 1 : 0) : 0;
}

size_t
dist_below(const struct dist *d, int64_t v)
{
	size_t i;

	if (d->sketch != NULL)
		return sketch_below(d->sketch, v);
	LOWER_BOUND(i, 0, d->count, value(d, i) < v);
	return i;
}

long double
dist_stddev(const struct dist *d)
{
	struct squares squares = {0};

	if (d->sketch != NULL)
		return squares_stddev(&d->sketch->squares, d->count, d->sum);
	for (size_t i = 0; i < d->count; i++)
		squares_add(&squares, value(d, i));
	return squares_stddev(&squares, d->count, d->sum);
}

void
dist_free(struct dist *d)
{
	if (d->sketch != NULL)
		sketch_free(d->sketch);
	free(d->sketch);
	free(d->values);
	*d = (struct dist){0};
}
