/* number.h - numbers to decimal digits, by tables of short numbers */
#ifndef NUMBER_H
#define NUMBER_H

#include "tq/base/digits.h"

enum { NUMBER_QUADS = 10000 };

/* a byte with a sign; the text is copied whole */
struct number_small {
	char text[7];
	unsigned char len;
};

extern struct number_small number_smalls[256];

/* four digits with zeros in front, the first in the lowest byte */
extern uint32_t number_quads[NUMBER_QUADS];

static inline char *
number_put_small(char *p, unsigned char v)
{
	const struct number_small *small = &number_smalls[v];

	memcpy(p, small, sizeof(*small));
	return p + small->len;
}

/* the digits of v, which is below 10^8 */
static inline uint64_t
number_eight(uint64_t v)
{
	return number_quads[v / NUMBER_QUADS] |
	       (uint64_t)number_quads[v % NUMBER_QUADS] << 32;
}

/* all eight of them */
static inline char *
number_put_eight(char *p, uint64_t v)
{
	uint64_t digits = number_eight(v);

	memcpy(p, &digits, sizeof(digits));
	return p + sizeof(digits);
}

static inline char *
number_put(char *p, int64_t v)
{
	uint64_t digits;
	int zeros; /* in front, but not the last digit */

	if ((uint64_t)v >= DIGITS_EIGHT)
		return digits_put_int(p, v);
	digits = number_eight((uint64_t)v);
	zeros =
	    __builtin_ctzll((digits & WORDS_ONES * 0x0f) | (uint64_t)1 << 56) /
	    8;
	digits >>= zeros * 8;
	memcpy(p, &digits, sizeof(digits));
	return p + sizeof(digits) - zeros;
}

#endif
