/*
 * report_varint.h - varints of messages that have bytes behind them which may
 * be read (REPORT_SLACK): several times faster than read/proto_reader.h.
 */
#ifndef REPORT_VARINT_H
#define REPORT_VARINT_H

#include <stddef.h>
#include <stdint.h>

/*
 * One of up to two bytes, as tags and lengths mostly are; returns its end, or
 * NULL.
 */
static inline const unsigned char *
report_varint_short(const unsigned char *p, uint32_t *v)
{
	*v = p[0];
	if (p[0] < 0x80)
		return p + 1;
	*v = (p[0] & 0x7fu) | (uint32_t)p[1] << 7;
	return p[1] < 0x80 ? p + 2 : NULL;
}

/*
 * One of up to ten bytes; returns its end, or NULL where it is longer.  The
 * continuation bit of a byte is taken away with the byte behind it.
 */
static inline const unsigned char *
report_varint(const unsigned char *p, uint64_t *v)
{
	uint64_t x = p[0];

	if (x < 0x80) {
		*v = x;
		return p + 1;
	}
#pragma GCC unroll 9
	for (unsigned i = 1; i < 10; i++) {
		x += (p[i] - (uint64_t)1) << 7 * i;
		if (p[i] < 0x80) {
			*v = x;
			return p + i + 1;
		}
	}
	return NULL;
}

#endif
