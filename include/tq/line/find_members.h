/*
 * find_members.h - the places of quotes, commas and the like in a text, found
 * in blocks of 64 bytes; private to common/.
 *
 * Each set of vector instructions has a variant; all find the same.
 */
#ifndef TQ_LINE_FIND_MEMBERS_H
#define TQ_LINE_FIND_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BLOCK = 64,
	MARKS_MAX = 64, /* of a line */
	/* a newline takes a byte, and some are written ahead */
	NEWLINES_ROOM = BLOCK + 2
};

/* Where a comma is followed by a quote: there a member of an object begins. */
struct member_starts {
	size_t count;
	size_t quotes;                      /* in all of the line */
	bool plain;                         /* it is ASCII, without DEL */
	uint32_t at[MARKS_MAX + BLOCK / 2]; /* the quotes */
};

struct finder {
	const char *name;
	bool (*supported)(void);

	/*
	 * False where the line has a backslash, a control character, or more
	 * than MARKS_MAX marks.  Nothing behind len is read.
	 */
	bool (*marks)(struct member_starts *m, const char *p, size_t len);

	/*
	 * The newlines of the len bytes at p, as places behind p + base, until
	 * there are at least enough of them (room for NEWLINES_ROOM more is
	 * needed) or all were looked at: *done is how many bytes were.  Up to
	 * BLOCK bytes behind len are read.
	 */
	size_t (*newlines)(uint32_t *at, size_t enough, const char *p,
	    size_t len, size_t *done);
};

/* The best one comes first. */
extern const struct finder find_members_variants[];
extern const size_t find_members_variant_count;

/* The one to use. */
extern const struct finder *find_members;

#endif
