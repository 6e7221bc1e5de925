/*
 * words.h - eight bytes at a time: which of them have a given value.
 *
 * Results have the high bit of a byte set where it is one.  The lowest such
 * bit is exact; above it there may be some too many.
 */
#ifndef TQ_BASE_WORDS_H
#define TQ_BASE_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
    "the first byte of a word is its lowest");

#define WORDS_ONES 0x0101010101010101u
#define WORDS_HIGHS 0x8080808080808080u

static inline uint64_t
words_zero(uint64_t v)
{
	return (v - WORDS_ONES) & ~v & WORDS_HIGHS;
}

static inline uint64_t
words_equal(uint64_t v, char c)
{
	return words_zero(v ^ WORDS_ONES * (unsigned char)c);
}

/* less than limit, which is at most 128 */
static inline uint64_t
words_below(uint64_t v, unsigned char limit)
{
	return (v - WORDS_ONES * limit) & ~v & WORDS_HIGHS;
}

/* other than 0x20 to 0x7e, which a terminal shows as they are */
static inline uint64_t
words_not_plain(uint64_t v)
{
	return (v & WORDS_HIGHS) | words_below(v, 0x20) | words_equal(v, 0x7f);
}

/*
 * The number that n digits stand for, 1 to 8; eight bytes are read at p.
 * Pairs of digits become bytes, and then two pairs of pairs one number.
 */
static inline uint64_t
words_number(const char *p, size_t n)
{
	const uint64_t pairs = 0x000000ff000000ff;
	uint64_t v;

	memcpy(&v, p, 8);
	v <<= 64 - 8 * n; /* so that zeros come before it */
	v &= WORDS_ONES * 0x0f;
	v = v * 10 + (v >> 8);
	return ((v & pairs) * ((uint64_t)1000000 << 32 | 100) +
		   (v >> 16 & pairs) * ((uint64_t)10000 << 32 | 1)) >>
	       32;
}

#endif
