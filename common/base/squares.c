/*
 * squares.c - the sum of the squares of integers
 *
 * The variance is (n * squares - sum^2) / (n * (n - 1)).  The numerator is
 * computed in 256 bits: the difference of two large numbers stays exact.
 */

#include <math.h>
#include <stdbool.h>

#include "tq/base/squares.h"

struct limbs {
	uwide high, low;
};

void
squares_merge(struct squares *s, const struct squares *other)
{
	s->low += other->low;
	s->high += other->high + (s->low < other->low);
}

static struct limbs
times(const struct squares *s, uint64_t n)
{
	uwide a = (uwide)(uint64_t)s->low * n;
	uwide b = (s->low >> 64) * n + (a >> 64);

	return (struct limbs){
	    (uwide)s->high * n + (b >> 64), b << 64 | (uint64_t)a};
}

/* of less than 127 bits */
static struct limbs
square(uwide v)
{
	uwide high = v >> 64, low = (uint64_t)v;
	uwide a = low * low;
	uwide b = 2 * high * low + (a >> 64);

	return (struct limbs){high * high + (b >> 64), b << 64 | (uint64_t)a};
}

long double
squares_stddev(const struct squares *s, uint64_t n, wide sum)
{
	struct limbs a, b;
	long double x;

	if (n < 2)
		return 0;
	a = times(s, n);
	b = square(sum < 0 ? -(uwide)sum : (uwide)sum);
	if (a.high < b.high || (a.high == b.high && a.low < b.low))
		return 0; /* no integers have these sums */
	x = ldexpl((long double)(a.high - b.high - (a.low < b.low)), 128) +
	    (long double)(a.low - b.low);
	return sqrtl(x / (long double)((uwide)n * (n - 1)));
}
