/*
 * record_parts.h - a record of an arena taken apart, whatever the program made
 * of its bytes
 */
#ifndef TQ_CAPTURE_RECORD_PARTS_H
#define TQ_CAPTURE_RECORD_PARTS_H

#include <stdbool.h>

#include "tq/base/text.h"

#include "arena/record.h"

/*
 * Reads numbers and texts, each padded to eight bytes, one behind the other.
 * Behind the end they are 0 and {NULL, 0}, and ok is false from then on.
 */
struct record_cursor {
	const char *p;
	size_t left;
	bool ok;
};

static inline uint64_t
cursor_number(struct record_cursor *c)
{
	uint64_t v = 0;

	if (c->left < sizeof(v)) {
		c->ok = false;
		return 0;
	}
	memcpy(&v, c->p, sizeof(v));
	c->p += sizeof(v);
	c->left -= sizeof(v);
	return v;
}

static inline struct span
cursor_bytes(struct record_cursor *c, uint64_t n)
{
	struct span s = {c->p, n};
	size_t padded;

	if (n > c->left) {
		c->ok = false;
		return (struct span){NULL, 0};
	}
	padded = (n + 7) & ~(size_t)7;
	if (padded > c->left)
		padded = c->left;
	c->p += padded;
	c->left -= padded;
	return s;
}

/* a text behind the number of its bytes */
static inline struct span
cursor_text(struct record_cursor *c)
{
	uint64_t n = cursor_number(c);

	return cursor_bytes(c, n);
}

/* the optional parts of a record; an absent one is 0, {NULL, 0} */
struct record_parts {
	uint64_t id;
	uint32_t argb, category;
	uint64_t payload_type, payload;
	uint64_t string;
	struct span text, blob;
	uint64_t range;
};

/* The length in bytes of the record at p, where n bytes are; 0: it is none. */
size_t record_parts_length(const char *p, size_t n);

/*
 * Take apart the bytes behind the first `fixed` ones of a whole record.  The
 * spans point into the record.  False if its flags promise more than there is.
 */
bool record_parts_parse(
    struct record_parts *x, const struct record *r, size_t fixed);

/* the bytes of RECORD_PARTs, until the record comes that they belong to */
struct gathered_parts {
	struct text text, blob;
};

/* Add the bytes of a RECORD_PART; the first part of a record begins anew. */
void record_parts_gather(struct gathered_parts *g, const struct record *r);

/*
 * As record_parts_parse of a record without more fixed bytes, and with the
 * parts gathered before it, which are good until the next part.
 */
bool record_parts_parse_gathered(
    struct gathered_parts *g, struct record_parts *x, const struct record *r);

void record_parts_free(struct gathered_parts *g);

#endif
