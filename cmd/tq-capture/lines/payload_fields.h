/*
 * payload_fields.h - types and schemas of extended payloads of NVTX
 */
#ifndef TQ_CAPTURE_PAYLOAD_FIELDS_H
#define TQ_CAPTURE_PAYLOAD_FIELDS_H

#include "dictionary.h"

/* flags of an entry: NVTX_PAYLOAD_ENTRY_FLAG_* */
enum {
	FIELD_POINTER = 1 << 1,
	FIELD_FROM_BASE = 1 << 2, /* offsets, as wide as pointers */
	FIELD_FROM_HERE = 1 << 3,
	FIELD_ARRAY = 7 << 4, /* mask of these three: */
	FIELD_FIXED = 1 << 4,
	FIELD_TERMINATED = 2 << 4,
	FIELD_LENGTH_INDEX = 3 << 4,
	FIELD_HIDE = 1 << 9
};

/* how a type is written */
enum payload_form {
	FORM_NONE,
	FORM_CHAR,
	FORM_INT,
	FORM_UINT,
	FORM_FLOAT,
	FORM_ADDRESS,
	FORM_HEX,
	FORM_COLOR,
	FORM_CATEGORY,
	FORM_STRING
};

/* a type of NVTX itself: bytes, 0 of one that it does not have; enum
 * payload_form */
struct payload_type {
	unsigned char size, form;
};

const struct payload_type *payload_fields_type(uint64_t type);

/* an entry of a schema, as record.h has it */
struct schema_field {
	uint64_t flags, type, detail, offset;
	struct span name, unit;
	uint64_t place; /* offset of its value, in bytes */
};

/* a schema without its entries */
struct schema_head {
	uint64_t type, flags, bytes, pack, entries;
};

/*
 * The entries of a schema one by one, with their places: payload_fields_begin,
 * false if the domain has no such schema; then payload_fields_next, false
 * behind the last.
 */
struct schema_walk {
	const struct dictionary *names;
	uint32_t domain;
	struct schema_head head;
	struct record_cursor at;
	uint64_t left, end;
};

bool payload_fields_begin(struct schema_walk *w, const struct dictionary *names,
    uint32_t domain, uint64_t schema);
bool payload_fields_next(struct schema_walk *w, struct schema_field *e);

bool payload_fields_is_pointer(const struct schema_field *e);

/* The size in bytes of one value of a type of NVTX, or of a schema; 0: none. */
uint64_t payload_fields_size(
    const struct dictionary *names, uint32_t domain, uint64_t type);

/* A little-endian number of size bytes, at most 8; data has so many. */
uint64_t payload_fields_load(struct span data, size_t size, bool is_signed);

/*
 * A value of that type as a number; *exact is the same if it is an integer of
 * 64 bits, else 0.  False if the type is no number.
 */
bool payload_fields_number(
    uint64_t type, struct span data, double *v, int64_t *exact);

#endif
