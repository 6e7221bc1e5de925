/*
 * payloads.h - extended payloads of NVTX ranges and marks, by the schemas that
 * the program registered.
 *
 * A payload is a head of 32 bytes and the bytes of the program: the head has
 * the domain (32 bits), the schema (32 bits at 8), the size of the bytes (64
 * bits at 16) and of both (64 bits at 24), the lowest byte first.
 */
#ifndef PAYLOADS_H
#define PAYLOADS_H

#include "string_ids.h"
#include "tq/base/keyed.h"

/* an integer or a real of a schema */
struct payload_field {
	struct text name; /* JSON */
	uint64_t offset;
	unsigned char type; /* of NVTX */
};

struct payload_schema {
	struct payload_field *fields;
	size_t count, cap;
	bool odd; /* it has fields that are not decoded */
};

/* {0} but for db and strings: nothing was read yet */
struct nsys_payloads {
	const struct database *db;
	struct string_ids *strings;
	bool read;
	KEYED(struct payload_schema) schemas; /* by domain and schema */
};

void payloads_free(struct nsys_payloads *p);

/*
 * Append "payload":{...} with the fields of a payload; nothing, and false,
 * where the export has no schema for it, or one with other fields than numbers.
 */
bool payloads_add(struct nsys_payloads *p, struct text *t, struct span payload);

#endif
