/*
 * squares.h - the exact sum of the squares of integers, whatever their order.
 */
#ifndef TQ_BASE_SQUARES_H
#define TQ_BASE_SQUARES_H

#include <stdint.h>

#include "tq/base/wide.h"

/* 192 bits; {0} is 0 */
struct squares {
	uwide low;
	uint64_t high;
};

static inline void
squares_add(struct squares *s, int64_t v)
{
	uint64_t m = v < 0 ? -(uint64_t)v : (uint64_t)v;
	uwide square = (uwide)m * m;

	s->low += square;
	s->high += s->low < square;
}

void squares_merge(struct squares *s, const struct squares *other);

/*
 * The standard deviation (n - 1) of a sample of n integers with this sum; 0 for
 * less than two.
 */
long double squares_stddev(const struct squares *s, uint64_t n, wide sum);

#endif
