/*
 * parts.h - a record of an arena taken apart, whatever the program did to it
 */
#ifndef TQ_CAPTURE_PARTS_H
#define TQ_CAPTURE_PARTS_H

#include <stdbool.h>

#include "tq/base/text.h"

#include "arena/record.h"

/*
 * A way through bytes of numbers and texts, each padded to eight bytes.  What
 * is not there is 0 or {NULL, 0}, and ok becomes false.
 */
struct cursor {
	const char *p;
	size_t left;
	bool ok;
};

uint64_t cursor_number(struct cursor *c);
struct span cursor_bytes(struct cursor *c, uint64_t n);
struct span cursor_text(struct cursor *c); /* its length comes first */

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

/* The bytes of RECORD_PARTs, until the record that they belong to. */
struct gather {
	struct text text, blob;
};

/* Keep what a RECORD_PART has; the first of a record begins anew. */
void gather_part(struct gather *g, const struct record *r);

/*
 * As parts_parse of a record without more fixed bytes, and with what was
 * gathered before it, which is good until the next part.
 */
bool gather_parse(struct gather *g, struct parts *x, const struct record *r);

void gather_free(struct gather *g);

#endif
