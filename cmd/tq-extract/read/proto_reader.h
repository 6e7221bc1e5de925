/*
 * proto_reader.h - the fields of a message of protocol buffers, one by one; see
 * tq/draw/proto.h for the encoding.  A length that passes the message ends it.
 */
#ifndef PROTO_READER_H
#define PROTO_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/span.h"

struct proto_reader {
	const unsigned char *p, *end;
	bool broken; /* the message is no message from p on */
};

/* v: of a varint or of fixed bytes; bytes: of a field that has a length */
struct proto_field {
	uint32_t number;
	uint64_t v;
	struct span bytes; /* p is NULL of numbers */
};

static inline struct proto_reader
proto_reader(struct span message)
{
	/* no bytes may be nowhere */
	const unsigned char *p =
	    (const unsigned char *)(message.len > 0 ? message.p : "");

	return (struct proto_reader){p, p + message.len, false};
}

/* a varint of up to ten bytes; false where it is cut, or longer */
static inline bool
proto_reader_varint(struct proto_reader *r, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; shift < 70 && r->p < r->end; shift += 7) {
		unsigned char c = *r->p++;

		*v |= (uint64_t)(c & 0x7f) << (shift < 64 ? shift : 0);
		if (c < 0x80)
			return true;
	}
	return false;
}

static inline bool
proto_reader_fixed(struct proto_reader *r, size_t n, uint64_t *v)
{
	*v = 0;
	if ((size_t)(r->end - r->p) < n)
		return false;
	memcpy(v, r->p, n); /* little-endian: see words.h */
	r->p += n;
	return true;
}

/* The next field; false at the end of the message, and where it is broken. */
static inline bool
proto_reader_next(struct proto_reader *r, struct proto_field *f)
{
	enum { VARINT, FIXED64, BYTES, FIXED32 = 5 };
	uint64_t tag;
	bool ok;

	if (r->p == r->end || r->broken)
		return false;
	ok = proto_reader_varint(r, &tag) && tag >> 3 > 0 &&
	     tag >> 3 <= 0x1fffffff;
	f->number = (uint32_t)(tag >> 3);
	f->bytes = (struct span){NULL, 0};
	switch (tag & 7) {
	case VARINT:
		ok = ok && proto_reader_varint(r, &f->v);
		break;
	case FIXED64:
		ok = ok && proto_reader_fixed(r, 8, &f->v);
		break;
	case FIXED32:
		ok = ok && proto_reader_fixed(r, 4, &f->v);
		break;
	case BYTES:
		ok = ok && proto_reader_varint(r, &f->v) &&
		     f->v <= (uint64_t)(r->end - r->p);
		if (ok) {
			f->bytes = (struct span){(const char *)r->p, f->v};
			r->p += f->v;
		}
		break;
	default:
		ok = false;
	}
	r->broken = !ok;
	return ok;
}

/* The last field of this number; false where there is none. */
static inline bool
proto_reader_find(struct span message, uint32_t number, struct proto_field *f)
{
	struct proto_reader r = proto_reader(message);
	struct proto_field each;
	bool found = false;

	while (proto_reader_next(&r, &each))
		if (each.number == number) {
			*f = each;
			found = true;
		}
	return found;
}

/* The integer in that field; 0 where there is none. */
static inline int64_t
proto_reader_int(struct span message, uint32_t number)
{
	struct proto_field f;

	if (!proto_reader_find(message, number, &f) || f.bytes.p != NULL)
		return 0;
	return (int64_t)f.v;
}

/* The bytes of that field; empty where there are none. */
static inline struct span
proto_reader_bytes(struct span message, uint32_t number)
{
	struct proto_field f;

	if (!proto_reader_find(message, number, &f) || f.bytes.p == NULL)
		return SPAN("");
	return f.bytes;
}

#endif
