/* wide.h - integers of 128 bits: sums and products of integers of 64. */
#ifndef TQ_BASE_WIDE_H
#define TQ_BASE_WIDE_H

#include <stdint.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* v, or the limit that it is beyond */
static inline int64_t
wide_saturate(wide v)
{
	return v < INT64_MIN   ? INT64_MIN
	       : v > INT64_MAX ? INT64_MAX
			       : (int64_t)v;
}

/* a / b to the nearest, b above 0 */
static inline wide
wide_divide(wide a, wide b)
{
	return a >= 0 ? (a + b / 2) / b : -((-a + b / 2) / b);
}

#endif
