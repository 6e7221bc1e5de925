/*
 * kernels_deep.c - kernels by name, to count many pieces of them at once
 *
 * The kernels of a name stand in order of their calls, in a wavelet matrix of
 * the ranks of their durations: to find how many of them are among the lowest
 * takes, for each piece, as many steps as a rank has bits.
 */

#include <math.h>
#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/lower_bound.h"

#include "kernels_deep.h"

/* DEEP: ranges around a kernel that pay; WIDEST: bits of a duration */
enum { DEEP = 64, WIDEST = 47 };

/* kernels of a name */
struct deep_kernel {
	size_t n, filled;
	uint32_t *at;    /* their indices in all, ascending */
	int64_t *sorted; /* durations */
	unsigned levels; /* bits of a rank */
	uint32_t *zeros; /* for each level: of the first 0 to n of its ranks */
	dist_wide *sums, *squares; /* of the first 0 to n, less the center */
	int64_t center;
};

/* kernels [low, high) of a name; a walk through the levels moves l and h */
struct deep_part {
	size_t low, high, l, h;
};

struct kernels_deep {
	struct deep_kernel *kernels;
	size_t count;
	struct deep_part *parts;
	size_t n, cap;
	uint32_t ranges; /* that the parts belong to */
};

/* ---- the kernels of a name ---- */

static int
by_value(const void *pa, const void *pb, void *values)
{
	const int64_t *v = values;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	if (v[a] != v[b])
		return v[a] < v[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* The ranks come in order of the calls, and are in another one at the end. */
static void
make_levels(struct deep_kernel *k, uint32_t *ranks)
{
	uint32_t *ones = mem_resize(NULL, k->n, sizeof(*ones));

	for (unsigned level = 0; level < k->levels; level++) {
		uint32_t *zeros = k->zeros + level * (k->n + 1);
		unsigned bit = k->levels - 1 - level;
		size_t zero = 0, one = 0;

		for (size_t i = 0; i < k->n; i++) {
			zeros[i] = (uint32_t)zero;
			if ((ranks[i] >> bit & 1) != 0)
				ones[one++] = ranks[i];
			else
				ranks[zero++] = ranks[i];
		}
		zeros[k->n] = (uint32_t)zero;
		memcpy(ranks + zero, ones, one * sizeof(*ones));
	}
	free(ones);
}

static void
make_kernel(struct deep_kernel *k, const struct kernels_op *all)
{
	int64_t *values = mem_resize(NULL, k->n, sizeof(*values));
	uint32_t *order = mem_resize(NULL, k->n, sizeof(*order));
	uint32_t *ranks = mem_resize(NULL, k->n, sizeof(*ranks));

	k->sorted = mem_resize(NULL, k->n, sizeof(*k->sorted));
	for (uint32_t i = 0; i < k->n; i++) {
		values[i] = kernels_duration(&all[k->at[i]]);
		order[i] = i;
	}
	qsort_r(order, k->n, sizeof(*order), by_value, values);
	for (uint32_t i = 0; i < k->n; i++) {
		k->sorted[i] = values[order[i]];
		ranks[order[i]] = i;
	}
	k->center = k->sorted[k->n / 2];
	k->sums = mem_alloc((k->n + 1) * sizeof(*k->sums));
	k->squares = mem_alloc((k->n + 1) * sizeof(*k->squares));
	for (size_t i = 0; i < k->n; i++) {
		dist_wide d = values[i] - k->center;

		k->sums[i + 1] = k->sums[i] + d;
		k->squares[i + 1] = k->squares[i] + d * d;
	}
	while ((k->n - 1) >> k->levels > 0)
		k->levels++;
	k->zeros =
	    mem_resize(NULL, k->levels * (k->n + 1) + 1, sizeof(*k->zeros));
	make_levels(k, ranks);
	free(values);
	free(order);
	free(ranks);
}

struct kernels_deep *
kernels_deep_new(const struct kernels_op *all, size_t count, size_t names,
    uint64_t references)
{
	struct kernels_deep *d;

	if (references / DEEP <= count)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (kernels_duration(&all[i]) >> WIDEST != 0)
			return NULL; /* their squares would not fit */
	d = mem_alloc(sizeof(*d));
	d->count = names;
	d->kernels = mem_alloc(names * sizeof(*d->kernels));
	for (size_t i = 0; i < count; i++)
		d->kernels[all[i].kernel].n++;
	for (size_t i = 0; i < names; i++)
		d->kernels[i].at = mem_resize(
		    NULL, d->kernels[i].n + 1, sizeof(*d->kernels[i].at));
	for (size_t i = 0; i < count; i++) {
		struct deep_kernel *k = &d->kernels[all[i].kernel];

		k->at[k->filled++] = (uint32_t)i;
	}
	for (size_t i = 0; i < names; i++)
		if (d->kernels[i].n > 0)
			make_kernel(&d->kernels[i], all);
	return d;
}

void
kernels_deep_free(struct kernels_deep *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < d->count; i++) {
		struct deep_kernel *k = &d->kernels[i];

		free(k->at);
		free(k->sorted);
		free(k->zeros);
		free(k->sums);
		free(k->squares);
	}
	free(d->kernels);
	free(d->parts);
	free(d);
}

/* ---- pieces ---- */

bool
kernels_deep_pays(const struct kernels_deep *d,
    const struct kernels_piece *pieces, uint32_t list)
{
	uint64_t counted = 0, n = 0;

	for (uint32_t i = list; i != 0; i = pieces[i - 1].next) {
		counted += pieces[i - 1].to - pieces[i - 1].from;
		n++;
	}
	return counted / DEEP > n * d->count;
}

/* how many of the kernels stand before an index in all */
static size_t
count_before(const struct deep_kernel *k, uint32_t index)
{
	size_t i;

	LOWER_BOUND(i, 0, k->n, k->at[i] < index);
	return i;
}

bool
kernels_deep_find(struct kernels_deep *d, const struct kernels_piece *pieces,
    uint32_t list, uint32_t kernel)
{
	const struct deep_kernel *k = &d->kernels[kernel];
	uint32_t last = 0;

	d->n = 0;
	d->ranges = 0;
	for (uint32_t i = list; i != 0; i = pieces[i - 1].next) {
		const struct kernels_piece *piece = &pieces[i - 1];
		size_t low = count_before(k, piece->from);
		size_t high = count_before(k, piece->to);

		if (low == high)
			continue;
		*array_add(&d->parts, &d->n, &d->cap) =
		    (struct deep_part){.low = low, .high = high};
		d->ranges += last != piece->range;
		last = piece->range;
	}
	return d->n > 0;
}

/* the value with so many before it in the parts */
static int64_t
value_at(struct kernels_deep *d, const struct deep_kernel *k, uint64_t before)
{
	size_t rank = 0;

	for (size_t i = 0; i < d->n; i++) {
		d->parts[i].l = d->parts[i].low;
		d->parts[i].h = d->parts[i].high;
	}
	for (unsigned level = 0; level < k->levels; level++) {
		const uint32_t *zeros = k->zeros + level * (k->n + 1);
		uint64_t n = 0;
		bool one;

		for (size_t i = 0; i < d->n; i++)
			n += zeros[d->parts[i].h] - zeros[d->parts[i].l];
		one = before >= n;
		rank = rank * 2 + one;
		for (size_t i = 0; i < d->n; i++) {
			struct deep_part *p = &d->parts[i];
			size_t zl = zeros[p->l], zh = zeros[p->h];

			p->l = one ? zeros[k->n] + p->l - zl : zl;
			p->h = one ? zeros[k->n] + p->h - zh : zh;
		}
		if (one)
			before -= n;
	}
	return k->sorted[rank];
}

static int64_t
quantile(struct kernels_deep *d, const struct deep_kernel *k, uint64_t count,
    unsigned permille)
{
	uint64_t rank = (count * permille + 999) / 1000;

	return value_at(d, k, rank > 0 ? rank - 1 : 0);
}

/* of the squares and the sum of n values; exact where the products fit */
static long double
deviation(dist_wide squares, dist_wide sum, uint64_t n)
{
	dist_wide a, b;
	long double count = (long double)n, v;

	if (n < 2)
		return 0;
	if (!__builtin_mul_overflow(squares, (dist_wide)n, &a) &&
	    !__builtin_mul_overflow(sum, sum, &b))
		v = (long double)(a - b) / count;
	else
		v = (long double)squares -
		    (long double)sum * (long double)sum / count;
	return v > 0 ? sqrtl(v / (count - 1)) : 0;
}

struct kernels_numbers
kernels_deep_count(struct kernels_deep *d, uint32_t kernel, bool percentiles)
{
	static const unsigned permille[4] = {500, 900, 950, 990};
	const struct deep_kernel *k = &d->kernels[kernel];
	struct kernels_numbers n = {.ranges = d->ranges};
	dist_wide sum = 0, squares = 0;

	for (size_t i = 0; i < d->n; i++) {
		size_t low = d->parts[i].low, high = d->parts[i].high;

		n.count += high - low;
		sum += k->sums[high] - k->sums[low];
		squares += k->squares[high] - k->squares[low];
	}
	n.sum = sum + (dist_wide)k->center * (dist_wide)n.count;
	n.stddev = deviation(squares, sum, n.count);
	n.median2 = (dist_wide)value_at(d, k, (n.count - 1) / 2) +
		    value_at(d, k, n.count / 2);
	n.min = value_at(d, k, 0);
	n.max = value_at(d, k, n.count - 1);
	for (size_t i = 0; percentiles && i < 4; i++)
		n.quantiles[i] = quantile(d, k, n.count, permille[i]);
	return n;
}

void
kernels_deep_cells(
    struct table *t, const struct kernels_numbers *n, bool percentiles)
{
	long double count = (long double)n->count;

	table_real(t, (long double)n->sum / count, 1);
	table_real(t, (long double)n->median2 / 2, 1);
	table_int(t, n->min);
	table_int(t, n->max);
	table_real(t, n->stddev, 1);
	if (!percentiles)
		return;
	for (size_t i = 0; i < 4; i++)
		table_int(t, n->quantiles[i]);
	if (n->sum != 0)
		table_real(t, n->stddev * count / (long double)n->sum, 3);
	else
		table_empty(t);
}
