/* median.h - medians of integers, exact but for the rounding of halves */
#ifndef TQ_ALIGN_MEDIAN_H
#define TQ_ALIGN_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/* The median of n > 0 values, whose order changes; of an even number the lower
   one. */
int64_t median_of(int64_t *values, size_t n);

/* The median of |values - center|; values become these. */
int64_t median_distance(int64_t *values, size_t n, int64_t center);

#endif
