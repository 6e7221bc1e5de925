/*
 * digits.h - numbers to decimal digits, where that is most of the work; all
 * else calls text_digits.  At p there must be room for TEXT_INT_MAX bytes.
 */
#ifndef TQ_BASE_DIGITS_H
#define TQ_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

#include "tq/base/words.h"

enum { DIGITS_EIGHT = 100000000 };

/*
 * The eight decimal digits of v, which is below 10^8, the first in the lowest
 * byte; they are 0 to 9, not yet characters.  All are found at once: halves,
 * quarters, then digits stand side by side in one word.  Dividing by 100 and
 * by 10 is a multiplication that is exact for values this small.
 */
static inline uint64_t
digits_eight(uint64_t v)
{
	uint64_t x = v / 10000 | v % 10000 << 32, high;

	high = (x * 10486 >> 20) & 0x0000007f0000007f;
	x = high | (x - high * 100) << 16;
	high = (x * 103 >> 10) & 0x000f000f000f000f;
	return high | (x - high * 10) << 8;
}

/* all eight of them */
static inline char *
digits_put_eight(char *p, uint64_t v)
{
	uint64_t digits = digits_eight(v) + WORDS_ONES * '0';

	memcpy(p, &digits, 8);
	return p + 8;
}

/* without leading zeros; bytes written behind the end are not part of it */
static inline char *
digits_put_leading(char *p, uint64_t v)
{
	uint64_t digits = digits_eight(v);
	/* bytes that are 0, but not the last */
	int zeros = __builtin_ctzll(digits | (uint64_t)1 << 56) / 8;

	digits = (digits + WORDS_ONES * '0') >> zeros * 8;
	memcpy(p, &digits, 8);
	return p + 8 - zeros;
}

static inline char *
digits_put(char *p, uint64_t v)
{
	uint64_t high;

	if (v < DIGITS_EIGHT)
		return digits_put_leading(p, v);
	high = v / DIGITS_EIGHT;
	if (high < DIGITS_EIGHT)
		p = digits_put_leading(p, high);
	else
		p = digits_put_eight(digits_put_leading(p, high / DIGITS_EIGHT),
		    high % DIGITS_EIGHT);
	return digits_put_eight(p, v % DIGITS_EIGHT);
}

static inline char *
digits_put_int(char *p, int64_t v)
{
	uint64_t size = (uint64_t)v;

	if (v < 0) {
		*p++ = '-';
		size = 0 - size;
	}
	return digits_put(p, size);
}

#endif
