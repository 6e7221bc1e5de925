/* mann_whitney.c - do values of B lie above those of A? */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "mann_whitney.h"
#include "quantiles.h"
#include "tq/base/mem.h"

enum {
	NORMAL_FROM = 25,  /* values on either side */
	EXACT_MOST = 500,  /* values of both sides */
	SHIFT_MOST = 1000, /* values of a side whose ratios are made */
};

static const double normal_975 = 1.959963984540054;

struct ranked {
	double value;
	bool b;
};

static int
by_value(const void *x, const void *y)
{
	double a = ((const struct ranked *)x)->value;
	double b = ((const struct ranked *)y)->value;

	return (a > b) - (a < b);
}

/*
 * Twice the mean rank of each of n values, which is an integer; returns the sum
 * for b.  *ties becomes the sum of t^3 - t over groups of t equal ones.
 */
static uint64_t
rank_all(struct ranked *all, size_t n, uint32_t *ranks, double *ties)
{
	uint64_t sum = 0;

	qsort(all, n, sizeof(*all), by_value);
	*ties = 0;
	for (size_t i = 0, end; i < n; i = end) {
		double t;

		for (end = i + 1; end < n && !(all[i].value < all[end].value);)
			end++;
		t = (double)(end - i);
		*ties += t * t * t - t;
		for (size_t k = i; k < end; k++) {
			ranks[k] = (uint32_t)(i + 1 + end);
			sum += all[k].b ? ranks[k] : 0;
		}
	}
	return sum;
}

/*
 * The probability of each sum of k of the n ranks, from 0 to *most: how often
 * it comes among all choices, which are equally likely.  free(3) it.
 *
 * Item by item, from the last: j chosen of i seen.  All is kept divided by the
 * number of choices of j from i, so that nothing overflows.
 */
static double *
sums(const uint32_t *ranks, size_t n, size_t k, uint64_t *most)
{
	size_t width = 1;
	double *p;

	for (size_t i = n - k; i < n; i++)
		width += ranks[i]; /* they ascend */
	p = mem_alloc((k + 1) * width * sizeof(*p));
	p[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1 < k ? i + 1 : k; j > 0; j--) {
			double *to = p + j * width, *from = to - width;
			/* the share of choices that take item i */
			double with = (double)j / (double)(i + 1);

			for (size_t s = width; s-- > 0;) {
				to[s] *= 1 - with;
				if (s >= ranks[i])
					to[s] += with * from[s - ranks[i]];
			}
		}
	*most = width - 1;
	for (size_t s = 0; s < width; s++)
		p[s] = p[k * width + s];
	return p;
}

static double
exact(const uint32_t *ranks, size_t n, size_t nb, uint64_t sum)
{
	uint64_t most;
	double *p = sums(ranks, n, nb, &most), below = 0, above = 0, tail;

	for (uint64_t s = 0; s <= most; s++) {
		below += s <= sum ? p[s] : 0;
		above += s >= sum ? p[s] : 0;
	}
	free(p);
	tail = below < above ? below : above;
	return tail < 0.5 ? 2 * tail : 1;
}

static double
normal(size_t na, size_t nb, uint64_t sum, double ties)
{
	double a = (double)na, b = (double)nb, n = a + b;
	double off = fabs((double)sum / 2 - b * (n + 1) / 2) - 0.5;
	double variance = a * b / 12 * (n + 1 - ties / (n * (n - 1)));

	return variance > 0 && off > 0 ? erfc(off / sqrt(2 * variance)) : 1;
}

double
mann_whitney_p(const double *a, size_t na, const double *b, size_t nb)
{
	size_t n = na + nb;
	struct ranked *all = mem_resize(NULL, n, sizeof(*all));
	uint32_t *ranks = mem_resize(NULL, n, sizeof(*ranks));
	double ties, p;
	uint64_t sum;

	for (size_t i = 0; i < n; i++) {
		bool of_b = i >= na;

		all[i] = (struct ranked){of_b ? b[i - na] : a[i], of_b};
	}
	sum = rank_all(all, n, ranks, &ties);
	p = (na >= NORMAL_FROM && nb >= NORMAL_FROM) || n > EXACT_MOST
		? normal(na, nb, sum, ties)
		: exact(ranks, n, nb, sum);
	free(all);
	free(ranks);
	return p;
}

double
mann_whitney_least(size_t na, size_t nb)
{
	double choices = 1;

	for (size_t i = 1; i <= na; i++)
		choices *= (double)(nb + i) / (double)i;
	return choices > 2 ? 2 / choices : 1;
}

/* ---- the shift ---- */

/*
 * How many ratios lie below the interval, + 1: the largest c for which U < c
 * has 2.5 % at most; 0 if there is none.
 */
static size_t
border(size_t na, size_t nb)
{
	size_t n = na + nb, c = 0;
	uint32_t *ranks = mem_resize(NULL, n, sizeof(*ranks));
	uint64_t most;
	double *p, below = 0;

	for (size_t i = 0; i < n; i++)
		ranks[i] = (uint32_t)(i + 1);
	p = sums(ranks, n, nb, &most);
	while (c < na * nb / 2) {
		below += p[nb * (nb + 1) / 2 + c];
		if (below > 0.025 + 1e-12)
			break;
		c++;
	}
	free(ranks);
	free(p);
	return c;
}

static size_t
normal_border(size_t na, size_t nb, double na_worth, double nb_worth)
{
	double share = 0.5 - normal_975 * sqrt((na_worth + nb_worth + 1) /
					       (12 * na_worth * nb_worth));
	double c = floor(share * (double)na * (double)nb + 0.5);

	return c > 0 ? (size_t)c : 0;
}

/* Up to SHIFT_MOST sorted logarithms, which stand for all; free(3) them. */
static double *
logarithms(const double *all, size_t n, size_t *kept)
{
	double *logs = mem_resize(NULL, n, sizeof(*logs));

	for (size_t i = 0; i < n; i++)
		logs[i] = log(all[i]);
	quantiles_sort(logs, n);
	*kept = n;
	if (n > SHIFT_MOST) {
		for (size_t i = 0; i < SHIFT_MOST; i++)
			logs[i] =
			    logs[(2 * i + 1) * n / ((size_t)2 * SHIFT_MOST)];
		*kept = SHIFT_MOST;
	}
	return logs;
}

struct mann_whitney_shift
mann_whitney_ratio(const double *a, size_t na, const double *b, size_t nb,
    double na_worth, double nb_worth)
{
	size_t ka, kb, n, c;
	double *x = logarithms(a, na, &ka), *y = logarithms(b, nb, &kb), *all;
	struct mann_whitney_shift shift;

	n = ka * kb;
	all = mem_resize(NULL, n, sizeof(*all));
	for (size_t i = 0; i < n; i++)
		all[i] = y[i % kb] - x[i / kb];
	quantiles_sort(all, n);
	if (na < NORMAL_FROM && nb < NORMAL_FROM && na_worth >= (double)na &&
	    nb_worth >= (double)nb)
		c = border(na, nb);
	else
		c = normal_border(ka, kb, na_worth, nb_worth);
	shift = (struct mann_whitney_shift){
	    .ratio = exp(quantiles_median(all, n)),
	    .low = exp(all[c > 0 ? c - 1 : 0]),
	    .high = exp(all[c > 0 ? n - c : n - 1]),
	    .interval = c > 0,
	};
	free(x);
	free(y);
	free(all);
	return shift;
}
