/*
 * slot_row.h - rows that a source decodes itself, in the terms of
 * row_format.h: each value has a slot of one size, and its type a byte.
 *
 * The bytes of a row are its head, which has the types, and the slots.  A slot
 * has the integer, or the bits of the real, as an SQLite file has them; of a
 * row with texts it is wider, and may have a struct span, which is borrowed.
 */
#ifndef SLOT_ROW_H
#define SLOT_ROW_H

#include "row_format.h"

enum slot_type {
	SLOT_NULL,
	SLOT_ZERO,  /* the integer 0 */
	SLOT_ONE,   /* 1 */
	SLOT_SMALL, /* 2 to 127 */
	SLOT_SHORT, /* 0 to 2^31 - 1 */
	SLOT_LONG,  /* any integer */
	SLOT_REAL,
	SLOT_TEXT
};

enum {
	SLOT_ROW_VALUES = 64, /* of a row, at most */
	SLOT_ROW_TYPES = 8,   /* where the types are in the head */
	SLOT_ROW_SLACK = 8,   /* bytes that may be read behind the slots */
};

/* The shape of rows: how many values, and log2 of the bytes of a slot. */
struct slot_shape {
	unsigned char count, shift;
};

static inline struct slot_shape
slot_row_shape(unsigned count, bool texts)
{
	return (struct slot_shape){(unsigned char)count, texts ? 4 : 3};
}

static inline size_t
slot_row_head(struct slot_shape s)
{
	return SLOT_ROW_TYPES + (s.count + 7u) / 8 * 8;
}

/* The bytes of a row, with the bytes behind it that may be read. */
static inline size_t
slot_row_size(struct slot_shape s)
{
	return slot_row_head(s) + ((size_t)s.count << s.shift) + SLOT_ROW_SLACK;
}

/* Begin a row at p, aligned to 8 bytes: all of its values are NULL. */
static inline void
slot_row_begin(unsigned char *p, struct slot_shape s)
{
	size_t head = slot_row_head(s);

	p[0] = (unsigned char)head;
	p[1] = s.count;
	p[2] = s.shift;
	for (size_t i = SLOT_ROW_TYPES; i < head; i += 8)
		memset(p + i, 0, 8);
}

static inline unsigned char *
slot_row_types(unsigned char *p)
{
	return p + SLOT_ROW_TYPES;
}

static inline unsigned char *
slot_row_slots(unsigned char *p)
{
	return p + p[0];
}

/* Set value i of a row, of a type that fits. */
static inline void
slot_row_set(unsigned char *p, unsigned i, enum slot_type type, int64_t v)
{
	uint64_t bits = __builtin_bswap64((uint64_t)v);

	slot_row_types(p)[i] = (unsigned char)type;
	memcpy(slot_row_slots(p) + ((size_t)i << p[2]), &bits, sizeof(bits));
}

static inline void
slot_row_set_int(unsigned char *p, unsigned i, int64_t v)
{
	slot_row_set(p, i,
	    v == 0   ? SLOT_ZERO
	    : v == 1 ? SLOT_ONE
		     : SLOT_LONG,
	    v);
}

/* Set a text of a row whose shape has texts. */
static inline void
slot_row_set_text(unsigned char *p, unsigned i, struct span text)
{
	slot_row_types(p)[i] = SLOT_TEXT;
	memcpy(slot_row_slots(p) + ((size_t)i << p[2]), &text, sizeof(text));
}

/* The integer i of a row; false where it is of another type. */
static inline bool
slot_row_int(const unsigned char *p, int i, int64_t *v)
{
	unsigned type = p[SLOT_ROW_TYPES + i];
	uint64_t bits;

	if (type < SLOT_ZERO || type > SLOT_LONG)
		return false;
	memcpy(&bits, p + p[0] + ((size_t)i << p[2]), sizeof(bits));
	*v = (int64_t)__builtin_bswap64(bits);
	return true;
}

/* Where a value of a row is, by its type and the offset of its slot in bytes.
 */
struct value_ref slot_row_ref(enum slot_type type, unsigned offset);

/* Value i of a row. */
struct sql_value slot_row_value(const unsigned char *p, unsigned i);

/* All values of a row, also of one whose format has constants. */
void slot_row_values(const struct row *r, struct sql_value *values);

/*
 * The format of a row, which is one of all; NULL where it would be one too
 * many.
 */
struct row_format *slot_row_format(
    struct row_formats *all, const unsigned char *p);

#endif
