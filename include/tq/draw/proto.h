/*
 * proto.h - messages of protocol buffers, appended to a text field by field.
 *
 *	message = { tag value }
 *	tag     = varint of field << 3 | wire
 *	value   = varint (wire 0) | 8 bytes, lowest first (1)
 *	        | varint length, bytes (2)
 *
 * Fields are written in the order of the calls, each as short as it can be,
 * so a message that is open and closed again is valid whatever was in it.
 *
 * This is no library, for it is faster: nothing is gathered in structures
 * first, and no length is counted ahead.
 */
#ifndef TQ_DRAW_PROTO_H
#define TQ_DRAW_PROTO_H

#include "tq/base/text.h"

enum proto_wire { PROTO_VARINT, PROTO_FIXED64, PROTO_BYTES };

enum {
	PROTO_VARINT_MAX = 10, /* bytes */
	PROTO_SMALL = 1 << 28  /* values of proto_put_small are below */
};

/* Put v to p, which has room for PROTO_VARINT_MAX; returns the end. */
static inline char *
proto_put(char *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (char)(v | 0x80);
	*p++ = (char)v;
	return p;
}

/*
 * The same of v < PROTO_SMALL, without a branch for each byte: groups of seven
 * bits are moved apart, first two of them at once.  Four bytes are written.
 */
static inline char *
proto_put_small(char *p, uint64_t v)
{
	static const uint32_t more[] = {0, 0x80, 0x8080, 0x808080};
	uint32_t x = (uint32_t)v;
	unsigned last; /* byte */

	x = (x & 0x00003fff) | (x & 0x0fffc000) << 2;
	x = (x & 0x007f007f) | (x & 0x3f803f80) << 1;
	last = (31 ^ (unsigned)__builtin_clz(x | 1)) / 8;
	x |= more[last];
	memcpy(p, &x, sizeof(x)); /* little-endian: see words.h */
	return p + last + 1;
}

/* The field is a constant, 1 to 2^29 - 1. */
static inline char *
proto_put_tag(char *p, unsigned field, enum proto_wire wire)
{
	return proto_put(p, (uint64_t)field << 3 | wire);
}

/* An integer or a boolean; a negative one as its 64 bits. */
static inline void
proto_uint(struct text *t, unsigned field, uint64_t v)
{
	char *p = text_reserve(t, 2 * (size_t)PROTO_VARINT_MAX);

	p = proto_put_tag(p, field, PROTO_VARINT);
	text_end(t, proto_put(p, v));
}

static inline void
proto_fixed64(struct text *t, unsigned field, uint64_t v)
{
	char *p = text_reserve(t, PROTO_VARINT_MAX + sizeof(v));

	p = proto_put_tag(p, field, PROTO_FIXED64);
	memcpy(p, &v, sizeof(v)); /* little-endian: see words.h */
	text_end(t, p + sizeof(v));
}

static inline void
proto_double(struct text *t, unsigned field, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	proto_fixed64(t, field, bits);
}

/*
 * A message in a message, or any field of bytes, is appended between the two
 * calls.  Opened last, closed first; proto_close gets the result of proto_open.
 */
static inline char *
proto_put_open(char *p, unsigned field)
{
	p = proto_put_tag(p, field, PROTO_BYTES);
	*p = 0;
	return p + 1;
}

static inline size_t
proto_open(struct text *t, unsigned field)
{
	char *p = text_reserve(t, PROTO_VARINT_MAX + 1);

	return t->len = (size_t)(proto_put_open(p, field) - t->p);
}

/* For proto_close only: a field of 128 bytes or more. */
void proto_close_long(struct text *t, size_t start);

static inline void
proto_close(struct text *t, size_t start)
{
	if (t->len - start < 0x80)
		t->p[start - 1] = (char)(t->len - start);
	else
		proto_close_long(t, start);
}

/* Bytes as they are. */
void proto_bytes(struct text *t, unsigned field, struct span s);

/* Text: each byte that is not part of valid UTF-8 becomes U+FFFD. */
void proto_string(struct text *t, unsigned field, struct span s);

#endif
