/*
 * nvtx_kern_deep.c - rows of nvtx_kern_sum where there are very many ranges
 * around a kernel, as where ranges are never closed
 *
 * The kernels of a name are held in order of their calls, in a wavelet matrix
 * of the ranks of their durations: how many there are of the lowest, in so many
 * pieces, takes as many steps as a rank has bits.  So the time goes with the
 * pieces and the rows, and not with what is counted.
 */

#include <math.h>
#include <stdlib.h>

#include "tq/base/mem.h"

#include "sums/groups.h"
#include "nvtx_kern.h"

enum { DEEP = 64, WIDEST = 47 }; /* WIDEST: bits of a duration */

/* kernels of a name */
struct deep_kernel {
	size_t n, filled;
	uint32_t *at;    /* their places in all, ascending */
	int64_t *sorted; /* durations */
	unsigned levels; /* bits of a rank */
	uint32_t *zeros; /* for each level: of the first 0 to n of its ranks */
	dist_wide *sums, *squares; /* of the first 0 to n, less the center */
	int64_t center;
};

struct kern_deep {
	struct deep_kernel *kernels;
	size_t count;
	size_t *low, *high, *l,
	    *h; /* pieces of a kernel, and room for a walk */
	size_t n, cap;
};

/* ---- the kernels of a name ---- */

static int
compare(const void *pa, const void *pb, void *values)
{
	const int64_t *v = values;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	if (v[a] != v[b])
		return v[a] < v[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* Of ranks in order of the calls; they are in another one at the end. */
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
make_kernel(struct deep_kernel *k, const struct kern_op *all)
{
	int64_t *values = mem_resize(NULL, k->n, sizeof(*values));
	uint32_t *order = mem_resize(NULL, k->n, sizeof(*order));
	uint32_t *ranks = mem_resize(NULL, k->n, sizeof(*ranks));

	k->sorted = mem_resize(NULL, k->n, sizeof(*k->sorted));
	for (uint32_t i = 0; i < k->n; i++) {
		values[i] = kern_duration(&all[k->at[i]]);
		order[i] = i;
	}
	qsort_r(order, k->n, sizeof(*order), compare, values);
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

/* Is that what there is to count, and can it be? */
static bool
is_wanted(const struct nvtx_kern *s)
{
	uint64_t counted = 0;

	for (size_t i = 0; i < s->piece_count; i++)
		counted += s->pieces[i].to - s->pieces[i].from;
	if (counted / DEEP <= s->count)
		return false;
	for (size_t i = 0; i < s->count; i++)
		if (kern_duration(&s->all[i]) >> WIDEST != 0)
			return false;
	return true;
}

void
nvtx_kern_deep_open(struct nvtx_kern *s)
{
	struct kern_deep *d;

	if (!is_wanted(s))
		return;
	d = s->deep = mem_alloc(sizeof(*d));
	d->count = s->kernels.count;
	d->kernels = mem_alloc(d->count * sizeof(*d->kernels));
	for (size_t i = 0; i < s->count; i++)
		d->kernels[s->all[i].kernel].n++;
	for (size_t i = 0; i < d->count; i++)
		d->kernels[i].at = mem_resize(
		    NULL, d->kernels[i].n + 1, sizeof(*d->kernels[i].at));
	for (size_t i = 0; i < s->count; i++) {
		struct deep_kernel *k = &d->kernels[s->all[i].kernel];

		k->at[k->filled++] = (uint32_t)i;
	}
	for (size_t i = 0; i < d->count; i++)
		if (d->kernels[i].n > 0)
			make_kernel(&d->kernels[i], s->all);
}

void
nvtx_kern_deep_free(struct kern_deep *d)
{
	for (size_t i = 0; d != NULL && i < d->count; i++) {
		struct deep_kernel *k = &d->kernels[i];

		free(k->at);
		free(k->sorted);
		free(k->zeros);
		free(k->sums);
		free(k->squares);
	}
	if (d == NULL)
		return;
	free(d->kernels);
	free(d->low);
	free(d->high);
	free(d->l);
	free(d->h);
	free(d);
}

/* ---- pieces ---- */

/* how many of them stand before a place in all */
static size_t
before(const struct deep_kernel *k, uint32_t place)
{
	size_t low = 0, high = k->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (k->at[mid] < place)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void
make_room(struct kern_deep *d)
{
	if (d->n < d->cap)
		return;
	d->cap = d->cap * 2 + 64;
	d->low = mem_resize(d->low, d->cap, sizeof(*d->low));
	d->high = mem_resize(d->high, d->cap, sizeof(*d->high));
	d->l = mem_resize(d->l, d->cap, sizeof(*d->l));
	d->h = mem_resize(d->h, d->cap, sizeof(*d->h));
}

/* What a kernel has of the pieces of a place; returns of how many ranges. */
static uint32_t
cut(const struct nvtx_kern *s, uint32_t place, const struct deep_kernel *k)
{
	struct kern_deep *d = s->deep;
	uint32_t ranges = 0, last = 0;

	d->n = 0;
	for (uint32_t i = s->places[place].last; i != 0;
	     i = s->pieces[i - 1].next) {
		const struct kern_piece *piece = &s->pieces[i - 1];
		size_t low = before(k, piece->from);
		size_t high = before(k, piece->to);

		if (low == high)
			continue;
		make_room(d);
		d->low[d->n] = low;
		d->high[d->n++] = high;
		ranges += last != piece->range;
		last = piece->range;
	}
	return ranges;
}

/* the value with so many before it in the pieces that were cut */
static int64_t
value_at(struct kern_deep *d, const struct deep_kernel *k, uint64_t before_it)
{
	size_t rank = 0;

	memcpy(d->l, d->low, d->n * sizeof(*d->l));
	memcpy(d->h, d->high, d->n * sizeof(*d->h));
	for (unsigned level = 0; level < k->levels; level++) {
		const uint32_t *zeros = k->zeros + level * (k->n + 1);
		uint64_t n = 0;

		for (size_t i = 0; i < d->n; i++)
			n += zeros[d->h[i]] - zeros[d->l[i]];
		rank = rank * 2 + (before_it >= n);
		for (size_t i = 0; i < d->n; i++) {
			size_t zl = zeros[d->l[i]], zh = zeros[d->h[i]];

			d->l[i] =
			    before_it < n ? zl : zeros[k->n] + d->l[i] - zl;
			d->h[i] =
			    before_it < n ? zh : zeros[k->n] + d->h[i] - zh;
		}
		if (before_it >= n)
			before_it -= n;
	}
	return k->sorted[rank];
}

static int64_t
quantile(struct kern_deep *d, const struct deep_kernel *k,
    const struct kern_numbers *n, unsigned permille)
{
	uint64_t rank = (n->count * permille + 999) / 1000;

	return value_at(d, k, rank > 0 ? rank - 1 : 0);
}

/* of squares and a sum of n values; exact where it fits */
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

static struct kern_numbers
count_pieces(struct kern_deep *d, const struct deep_kernel *k)
{
	struct kern_numbers n = {0};
	dist_wide sum = 0, squares = 0;

	for (size_t i = 0; i < d->n; i++) {
		n.count += d->high[i] - d->low[i];
		sum += k->sums[d->high[i]] - k->sums[d->low[i]];
		squares += k->squares[d->high[i]] - k->squares[d->low[i]];
	}
	n.sum = sum + (dist_wide)k->center * (dist_wide)n.count;
	n.stddev = deviation(squares, sum, n.count);
	n.median2 = (dist_wide)value_at(d, k, (n.count - 1) / 2) +
		    value_at(d, k, n.count / 2);
	n.min = value_at(d, k, 0);
	n.max = value_at(d, k, n.count - 1);
	return n;
}

/* ---- rows ---- */

bool
nvtx_kern_is_deep(const struct nvtx_kern *s, uint32_t place)
{
	uint64_t counted = 0, pieces = 0;

	if (s->deep == NULL)
		return false;
	for (uint32_t i = s->places[place].last; i != 0;
	     i = s->pieces[i - 1].next) {
		counted += s->pieces[i - 1].to - s->pieces[i - 1].from;
		pieces++;
	}
	return counted / DEEP > pieces * s->deep->count;
}

void
nvtx_kern_deep_rows(struct nvtx_kern *s, uint32_t place, bool values)
{
	static const unsigned permille[4] = {500, 900, 950, 990};
	size_t first = s->row_count;

	for (uint32_t i = 0; i < s->deep->count; i++) {
		const struct deep_kernel *k = &s->deep->kernels[i];
		uint32_t ranges = cut(s, place, k);
		struct kern_numbers n;
		struct kern_row *row;

		if (s->deep->n == 0)
			continue;
		row = nvtx_kern_row(s, place, first, i);
		if (!values)
			continue;
		n = count_pieces(s->deep, k);
		for (size_t p = 0; s->pct && p < 4; p++)
			n.quantiles[p] = quantile(s->deep, k, &n, permille[p]);
		row->ranges = ranges;
		row->deep = mem_alloc(sizeof(n));
		*row->deep = n;
	}
}

void
nvtx_kern_deep_cells(struct table *t, const struct kern_numbers *n, bool pct)
{
	long double count = (long double)n->count;

	table_real(t, (long double)n->sum / count, 1);
	table_real(t, (long double)n->median2 / 2, 1);
	table_int(t, n->min);
	table_int(t, n->max);
	table_real(t, n->stddev, 1);
	if (!pct)
		return;
	for (size_t i = 0; i < 4; i++)
		table_int(t, n->quantiles[i]);
	if (n->sum != 0)
		table_real(t, n->stddev * count / (long double)n->sum, 3);
	else
		table_empty(t);
}
