/*
 * radix.c - integers in ascending order, in place
 *
 * Eight bits at a time, from the highest in which two integers differ: swap
 * each into its bucket, then sort each bucket by the next eight bits.  The
 * depth is at most the number of bytes.
 */

#include <stdbool.h>

#include "radix.h"

enum { DIGITS = 256, FEW = 32 };

/* wide is constant wherever these are inlined */
#define INLINE static inline __attribute__((always_inline))

/* an unsigned integer with the same order */
INLINE uint64_t
get(const void *v, bool wide, size_t i)
{
	if (!wide)
		return ((const uint32_t *)v)[i];
	return (uint64_t)((const int64_t *)v)[i] ^ (uint64_t)1 << 63;
}

INLINE void
put(void *v, bool wide, size_t i, uint64_t x)
{
	if (!wide)
		((uint32_t *)v)[i] = (uint32_t)x;
	else
		((int64_t *)v)[i] = (int64_t)(x ^ (uint64_t)1 << 63);
}

INLINE void
sort_few(void *v, bool wide, size_t from, size_t to)
{
	for (size_t i = from + 1; i < to; i++) {
		uint64_t x = get(v, wide, i);
		size_t at = i;

		for (; at > from && get(v, wide, at - 1) > x; at--)
			put(v, wide, at, get(v, wide, at - 1));
		put(v, wide, at, x);
	}
}

/* the ends of buckets; false if one bucket has all */
INLINE bool
count(const void *v, bool wide, size_t from, size_t to, unsigned shift,
    size_t ends[DIGITS])
{
	size_t sum = from;

	for (size_t i = 0; i < DIGITS; i++)
		ends[i] = 0;
	for (size_t i = from; i < to; i++)
		ends[get(v, wide, i) >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		if (ends[i] == to - from)
			return false;
		sum += ends[i];
		ends[i] = sum;
	}
	return true;
}

INLINE void
distribute(
    void *v, bool wide, size_t from, unsigned shift, const size_t ends[DIGITS])
{
	size_t next[DIGITS];

	for (size_t i = 0; i < DIGITS; i++)
		next[i] = i > 0 ? ends[i - 1] : from;
	for (size_t i = 0; i < DIGITS; i++)
		while (next[i] < ends[i]) {
			uint64_t x = get(v, wide, next[i]), y;
			size_t digit = x >> shift & (DIGITS - 1);

			for (; digit != i; x = y) {
				y = get(v, wide, next[digit]);
				put(v, wide, next[digit]++, x);
				digit = y >> shift & (DIGITS - 1);
			}
			put(v, wide, next[i]++, x);
		}
}

static void sort_narrow(void *v, size_t from, size_t to, unsigned shift);
static void sort_wide(void *v, size_t from, size_t to, unsigned shift);

/* integers that differ in no digit above shift */
INLINE void
sort(void *v, bool wide, size_t from, size_t to, unsigned shift)
{
	size_t ends[DIGITS];

	if (to - from <= FEW) {
		sort_few(v, wide, from, to);
		return;
	}
	while (!count(v, wide, from, to, shift, ends)) {
		if (shift == 0)
			return;
		shift = shift > 8 ? shift - 8 : 0;
	}
	distribute(v, wide, from, shift, ends);
	if (shift == 0)
		return;
	shift = shift > 8 ? shift - 8 : 0;
	for (size_t i = 0; i < DIGITS; i++) {
		if (ends[i] - from > 1 && wide)
			sort_wide(v, from, ends[i], shift);
		else if (ends[i] - from > 1)
			sort_narrow(v, from, ends[i], shift);
		from = ends[i];
	}
}

static void
sort_narrow(void *v, size_t from, size_t to, unsigned shift)
{
	sort(v, false, from, to, shift);
}

static void
sort_wide(void *v, size_t from, size_t to, unsigned shift)
{
	sort(v, true, from, to, shift);
}

/* the bits in which they differ; 0 if they are in order already */
INLINE uint64_t
disorder(const void *v, bool wide, size_t n)
{
	uint64_t last = n > 0 ? get(v, wide, 0) : 0, differ = 0;
	bool ordered = true;

	for (size_t i = 1; i < n; i++) {
		uint64_t x = get(v, wide, i);

		ordered &= last <= x;
		differ |= last ^ x;
		last = x;
	}
	return ordered ? 0 : differ;
}

INLINE unsigned
first_shift(uint64_t differ)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(differ);

	return bits > 8 ? bits - 8 : 0;
}

void
radix_sort(uint32_t *v, size_t n)
{
	uint64_t differ = disorder(v, false, n);

	if (differ != 0)
		sort_narrow(v, 0, n, first_shift(differ));
}

void
radix_sort_wide(int64_t *v, size_t n)
{
	uint64_t differ = disorder(v, true, n);

	if (differ != 0)
		sort_wide(v, 0, n, first_shift(differ));
}
