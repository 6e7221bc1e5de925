/*
 * schema.h - extended payloads of NVTX: bytes, and what they mean
 */
#ifndef TQ_CAPTURE_SCHEMA_H
#define TQ_CAPTURE_SCHEMA_H

#include "names.h"

/* an entry of a schema, as record.h has it */
struct schema_entry {
	uint64_t flags, type, detail, offset;
	struct span name, unit;
	uint64_t place; /* where its value is, in bytes */
};

/* what is told of a schema besides its entries */
struct schema_head {
	uint64_t type, flags, bytes, pack, entries;
};

/*
 * The entries of a schema one by one, with their places: begin with
 * schema_begin, false where that is no schema of this domain; then
 * schema_next, false behind the last.
 */
struct schema_walk {
	const struct names *names;
	uint32_t domain;
	struct schema_head head;
	struct cursor at;
	uint64_t left, end;
};

bool schema_begin(struct schema_walk *w, const struct names *names,
    uint32_t domain, uint64_t schema);
bool schema_next(struct schema_walk *w, struct schema_entry *e);

/* The size in bytes of one value of a type of NVTX, or of a schema; 0: none. */
uint64_t schema_size(const struct names *names, uint32_t domain, uint64_t type);

/* A value of that type as a number; false where it is none. */
bool schema_number(uint64_t type, struct span data, double *v, int64_t *exact);

/*
 * Append as JSON what the bytes mean by the schema or type, in objects and
 * arrays.  What is not known is a string of hexadecimal digits.
 */
void schema_add(struct text *t, const struct names *names, uint32_t domain,
    uint64_t schema, struct span data);

#endif
