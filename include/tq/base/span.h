/*
 * span.h - bytes that somebody else owns.
 */
#ifndef TQ_BASE_SPAN_H
#define TQ_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
	const char *p;
	size_t len;
};

#define SPAN(literal) ((struct span){literal, sizeof(literal) - 1})

static inline struct span
span_of(const char *s)
{
	return (struct span){s, strlen(s)};
}

static inline bool
span_eq(struct span a, struct span b)
{
	return a.len == b.len &&
	       (a.len == 0 || (*a.p == *b.p && memcmp(a.p, b.p, a.len) == 0));
}

/* True if s has start as its first bytes. */
static inline bool
span_begins(struct span s, struct span start)
{
	return s.len >= start.len &&
	       span_eq((struct span){s.p, start.len}, start);
}

/* True if s has end as its last bytes. */
static inline bool
span_ends(struct span s, struct span end)
{
	return s.len >= end.len &&
	       span_eq((struct span){s.p + s.len - end.len, end.len}, end);
}

/* The hash FNV-1a. */
uint64_t span_hash(struct span s);

/* < 0, 0, > 0 in the order of memcmp; a prefix comes first. */
int span_cmp(struct span a, struct span b);

/*
 * The next line of a text, without its newline; *text becomes the rest.  False
 * behind the last one, which may lack its newline.
 */
bool span_next_line(struct span *text, struct span *line);

/* Its first bytes that are 0x20 to 0x7e: a terminal shows them as they are,
   each in a column. */
size_t span_plain(struct span s);

/* Without blanks, tabs and carriage returns at both ends. */
struct span span_trimmed(struct span s);

#endif
