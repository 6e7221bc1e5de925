/*
 * ascending.h - the order of numbers, for qsort().
 */
#ifndef TQ_BASE_ASCENDING_H
#define TQ_BASE_ASCENDING_H

#include <stdint.h>

/* Of two int64_t: below 0 if the first is the smaller, 0 if they are equal. */
static inline int
ascending(const void *pa, const void *pb)
{
	int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;

	return (a > b) - (a < b);
}

#endif
