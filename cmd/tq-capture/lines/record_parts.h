/*
 * parts.h - a record of an arena taken apart, whatever the program did to it
 */
#ifndef TQ_CAPTURE_RECORD_PARTS_H
#define TQ_CAPTURE_RECORD_PARTS_H

#include <stdbool.h>

#include "tq/base/text.h"

#include "arena/record.h"

/*
 * A way through bytes of numbers and texts, each padded to eight bytes.  What
 * is not there is 0 or {NULL, 0}, and ok becomes false.
 */
struct record_cursor {
	const char *p;
	size_t left;
	bool ok;
};

uint64_t cursor_number(struct record_cursor *c);
struct span cursor_bytes(struct record_cursor *c, uint64_t n);
struct span cursor_text(struct record_cursor *c); /* its length comes first */

/* What stands behind the fixed bytes of a record; absent is 0, {NULL, 0}. */
struct record_parts {
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
size_t record_parts_length(const char *p, size_t n);

/*
 * Take apart what is behind the first `fixed` bytes of a whole record.  The
 * spans are of the record.  False where its flags promise more than there is.
 */
bool record_parts_parse(
    struct record_parts *x, const struct record *r, size_t fixed);

/* The bytes of RECORD_PARTs, until the record that they belong to. */
struct gathered_parts {
	struct text text, blob;
};

/* Keep what a RECORD_PART has; the first of a record begins anew. */
void record_parts_gather(struct gathered_parts *g, const struct record *r);

/*
 * As record_parts_parse of a record without more fixed bytes, and with what was
 * gathered before it, which is good until the next part.
 */
bool record_parts_parse_gathered(
    struct gathered_parts *g, struct record_parts *x, const struct record *r);

void record_parts_free(struct gathered_parts *g);

#endif
