/*
 * text.h - growable text, numbers to digits, JSON strings.
 */
#ifndef TQ_BASE_TEXT_H
#define TQ_BASE_TEXT_H

#include "tq/base/span.h"

/* growable bytes; {0} is an empty one */
struct text {
	char *p;
	size_t len, cap;
};

enum { TEXT_INT_MAX = 20 }; /* bytes of the longest 64 bit integer */

static inline struct span
text_span(const struct text *t)
{
	return (struct span){t->p, t->len};
}

void text_free(struct text *t);

/* Not to be called directly: makes room for n more bytes. */
void text_grow(struct text *t, size_t n);

/* Room for n more bytes; the caller writes them and adds to t->len. */
static inline char *
text_reserve(struct text *t, size_t n)
{
	if (t->cap - t->len <= n) /* also of a text without memory, of n = 0 */
		text_grow(t, n);
	return t->p + t->len;
}

/* The bytes written there end at p. */
static inline void
text_end(struct text *t, const char *p)
{
	t->len = (size_t)(p - t->p);
}

static inline void
text_add(struct text *t, const char *p, size_t n)
{
	if (n == 0)
		return; /* p, and t->p, may be NULL */
	memcpy(text_reserve(t, n), p, n);
	t->len += n;
}

static inline void
text_add_span(struct text *t, struct span s)
{
	text_add(t, s.p, s.len);
}

static inline void
text_add_char(struct text *t, char c)
{
	*text_reserve(t, 1) = c;
	t->len++;
}

static inline void
text_add_str(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

/* As printf(3). */
__attribute__((format(printf, 2, 3))) void text_printf(
    struct text *t, const char *fmt, ...);

/*
 * Decimal digits of v at p (room for TEXT_INT_MAX); returns the end.
 */
char *text_digits(char *p, uint64_t v);
char *text_digits_int(char *p, int64_t v);

void text_add_int(struct text *t, int64_t v);

/*
 * A number that reads back as v: an integer where v is one below 2^53, else
 * the shortest of 15 to 17 significant digits, spelt as jq spells it.
 * Infinities become the largest number, NaN null.
 */
void text_add_double(struct text *t, double v);

/* 0x and hexadecimal digits. */
void text_add_hex(struct text *t, uint64_t v);

/*
 * The len bytes at p as a JSON string, quotes included: control characters
 * (with DEL, as jq does), quote and backslash are escaped, all else stays as it
 * is, but each byte that is not part of valid UTF-8 becomes U+FFFD.  Returns
 * the number of bytes so replaced.
 */
size_t text_add_json(struct text *t, const char *p, size_t len);

/* The escape of one of these characters, as it stands in such a string. */
void text_add_escape(struct text *t, unsigned char c);

/*
 * The text as it may reach a terminal: a control character, among them C1
 * (U+0080 to U+009F, or such a byte that is no UTF-8), or one that turns the
 * direction of a text, becomes "?".  Those in keep stay.
 */
void text_add_visible(struct text *t, struct span s, const char *keep);

/* The name for a message: itself, or its visible text in *t. */
const char *text_visible_name(struct text *t, const char *name);

#endif
