/*
 * parts.h - a record of an arena taken apart, whatever the program did to it
 */
#ifndef TQ_CAPTURE_PARTS_H
#define TQ_CAPTURE_PARTS_H

#include <stdbool.h>

#include "tq/text.h"

#include "record.h"

/* What stands behind the fixed bytes of a record; absent is 0, {NULL, 0}. */
struct parts {
	uint64_t id;
	uint32_t argb, category;
	uint64_t payload_type, payload;
	uint64_t string;
	struct span text, blob;
	uint64_t range;
};

/*
 * The record that begins at p, of which there are n bytes; its length in
 * bytes, or 0 where it is none.
 */
size_t parts_length(const char *p, size_t n);

/*
 * Take apart what is behind the first `fixed` bytes of a whole record.  The
 * spans are of the record.  False where its flags promise more than there is.
 */
bool parts_parse(struct parts *x, const struct record *r, size_t fixed);

#endif
