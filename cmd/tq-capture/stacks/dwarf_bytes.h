/*
 * dwarf_bytes.h - values of the encodings of DWARF, out of bytes that may end
 * at any place
 *
 * Definitions: DWARF 5, section 7.6.
 */
#ifndef TQ_CAPTURE_DWARF_BYTES_H
#define TQ_CAPTURE_DWARF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const unsigned char *p, *end;
	uint64_t address; /* of end */
	bool bad;         /* they ended too early */
};

static inline uint64_t
address_of(const struct bytes *b)
{
	return b->address - (uint64_t)(b->end - b->p);
}

static inline uint64_t
take_fixed(struct bytes *b, size_t size)
{
	uint64_t v = 0;

	if ((size_t)(b->end - b->p) < size) {
		b->bad = true;
		b->p = b->end;
		return 0;
	}
	memcpy(&v, b->p, size); /* little endian, as x86-64 is */
	b->p += size;
	return v;
}

static inline uint64_t
take_uleb(struct bytes *b)
{
	uint64_t v = 0;
	unsigned shift = 0;

	for (;;) {
		uint64_t byte = take_fixed(b, 1);

		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
		if ((byte & 0x80) == 0 || b->bad)
			return v;
	}
}

static inline int64_t
take_sleb(struct bytes *b)
{
	uint64_t v = 0, byte;
	unsigned shift = 0;

	do {
		byte = take_fixed(b, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
	} while ((byte & 0x80) != 0 && !b->bad);
	if (shift < 64 && (byte & 0x40) != 0)
		v |= ~UINT64_C(0) << shift;
	return (int64_t)v;
}

static inline void
skip(struct bytes *b, uint64_t size)
{
	if (size > (uint64_t)(b->end - b->p)) {
		b->bad = true;
		size = (uint64_t)(b->end - b->p);
	}
	b->p += size;
}

#endif
