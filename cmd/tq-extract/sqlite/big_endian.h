/* big_endian.h - numbers of an SQLite file: the first byte counts most */
#ifndef BIG_ENDIAN_H
#define BIG_ENDIAN_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t
get2(const unsigned char *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t
get4(const unsigned char *p)
{
	return get2(p) << 16 | get2(p + 2);
}

/*
 * A varint of 1 to 4 bytes; one that is longer has the high bit set in its
 * fourth.
 */
static inline const unsigned char *
short_varint(const unsigned char *p, int64_t *v)
{
	*v = p[0];
	if (p[0] < 0x80)
		return p + 1;
	*v = (*v & 0x7f) << 7 | (p[1] & 0x7f);
	if (p[1] < 0x80)
		return p + 2;
	*v = *v << 7 | (p[2] & 0x7f);
	if (p[2] < 0x80)
		return p + 3;
	*v = *v << 7 | (p[3] & 0x7f);
	return p + 4;
}

/* a varint of 1 to 9 bytes; NULL where it does not end before end */
static inline const unsigned char *
varint(const unsigned char *p, const unsigned char *end, uint64_t *v)
{
	uint64_t x = 0;

	if (p < end && *p < 0x80) {
		*v = *p;
		return p + 1;
	}
	for (int i = 0; i < 9; i++, p++) {
		if (p >= end)
			return NULL;
		if (i == 8) {
			*v = x << 8 | *p;
			return p + 1;
		}
		x = x << 7 | (*p & 0x7f);
		if (*p < 0x80) {
			*v = x;
			return p + 1;
		}
	}
	return NULL;
}

#endif
