/* utf8.h - characters of a text; private to common/ */
#ifndef TQ_BASE_UTF8_H
#define TQ_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "tq/base/span.h"

enum { UTF8_NONE = 0x110000 }; /* and above: a byte that is no UTF-8 */

/*
 * The character at *p, which is before end and is moved behind it.  A byte
 * that is not part of valid UTF-8 (RFC 3629) is UTF8_NONE + its value.
 */
static inline unsigned
utf8_next(const unsigned char **p, const unsigned char *end)
{
	static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *s = *p;
	unsigned c = *s, n;

	*p = s + 1;
	if (c < 0x80)
		return c;
	n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
	if (c < 0xc0 || c > 0xf7 || (size_t)(end - s) < n)
		return UTF8_NONE + *s;
	c &= 0x7fu >> n;
	for (unsigned i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return UTF8_NONE + *s;
		c = c << 6 | (s[i] & 0x3fu);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return UTF8_NONE + *s;
	*p = s + n;
	return c;
}

/*
 * True if a character does something to what is around it: a control character,
 * C1 too, or one that turns the direction of the text behind it.
 */
static inline bool
utf8_is_control(unsigned c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) ||
	       (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* The character at the start of s, which is not empty and loses it. */
static inline unsigned
utf8_take(struct span *s)
{
	const unsigned char *start = (const unsigned char *)s->p, *p = start;
	unsigned c = utf8_next(&p, start + s->len);
	size_t n = (size_t)(p - start);

	*s = (struct span){s->p + n, s->len - n};
	return c;
}

#endif
