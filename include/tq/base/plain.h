/*
 * plain.h - is a text plain, ASCII that stands for itself in JSON?  Sixteen
 * bytes at a time.
 */
#ifndef TQ_BASE_PLAIN_H
#define TQ_BASE_PLAIN_H

#include "tq/base/text.h"
#include "tq/base/words.h"

enum { PLAIN_BLOCK = 16 };

typedef unsigned char plain_block __attribute__((vector_size(PLAIN_BLOCK)));

static inline plain_block
plain_load(const char *p)
{
	plain_block v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/*
 * High bits where a byte is no ASCII, a backslash, or DEL, which is spelt as
 * an escape; others mean nothing.
 */
static inline plain_block
plain_odd(plain_block v)
{
	return v | (v + 1) | (plain_block)(v == '\\');
}

/* Is there no high bit? */
static inline bool
plain_none(plain_block odd)
{
	uint64_t w[2];

	memcpy(w, &odd, sizeof(w));
	return ((w[0] | w[1]) & WORDS_HIGHS) == 0;
}

/* A bit for each of sixteen bytes that are 0 or 1, the first one the lowest. */
static inline uint64_t
plain_bits(plain_block v)
{
	const uint64_t gather = 0x0102040810204080u;
	uint64_t w[2];

	memcpy(w, &v, sizeof(w));
	return (w[0] * gather >> 56) | (w[1] * gather >> 56) << 8;
}

/* Is there any bit? */
static inline bool
plain_any(plain_block v)
{
	uint64_t w[2];

	memcpy(w, &v, sizeof(w));
	return (w[0] | w[1]) != 0;
}

/*
 * A line of JSON of which all strings are plain.  Looks at up to 15 bytes
 * behind it too: false may mean that these are not.
 */
static inline bool
plain_line(struct span line)
{
	plain_block odd = {0}, other = odd;
	size_t i = 0;

	for (; i + PLAIN_BLOCK < line.len; i += (size_t)2 * PLAIN_BLOCK) {
		odd |= plain_odd(plain_load(line.p + i));
		other |= plain_odd(plain_load(line.p + i + PLAIN_BLOCK));
	}
	if (i < line.len)
		odd |= plain_odd(plain_load(line.p + i));
	return plain_none(odd | other);
}

typedef signed char plain_signed __attribute__((vector_size(PLAIN_BLOCK)));

/* bytes that a string has to escape, and bytes beyond ASCII */
static inline plain_block
plain_escaped(plain_block v)
{
	return (plain_block)((plain_signed)v < 0x20) | (plain_block)(v == '"') |
	       (plain_block)(v == '\\') | (plain_block)(v == 0x7f);
}

/*
 * A text that stands for itself between the quotes of a string.  Up to 15
 * bytes behind it are read, and do not count.
 */
static inline bool
plain_string(struct span s)
{
	static const char behind[2 * PLAIN_BLOCK] = {
	    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
	plain_block odd = {0};
	size_t i = 0;

	for (; i + PLAIN_BLOCK < s.len; i += PLAIN_BLOCK)
		odd |= plain_escaped(plain_load(s.p + i));
	if (i < s.len)
		odd |= plain_escaped(plain_load(s.p + i)) &
		       plain_load(behind + PLAIN_BLOCK - (s.len - i));
	return plain_none(odd);
}

/* Is there such a byte in a text, or perhaps in up to 15 behind it? */
static inline bool
plain_may_have(struct span s, unsigned char c)
{
	plain_block found = {0};

	for (size_t i = 0; i < s.len; i += PLAIN_BLOCK)
		found |= (plain_block)(plain_load(s.p + i) == c);
	return !plain_none(found);
}

/*
 * Copy a text to p, with up to 15 bytes from behind it, for which there is
 * room; returns where it ends.
 */
static inline char *
plain_put(char *p, struct span s)
{
	size_t i = 0;
	plain_block v, w;

	for (; i + PLAIN_BLOCK < s.len; i += (size_t)2 * PLAIN_BLOCK) {
		v = plain_load(s.p + i);
		w = plain_load(s.p + i + PLAIN_BLOCK);
		memcpy(p + i, &v, sizeof(v));
		memcpy(p + i + PLAIN_BLOCK, &w, sizeof(w));
	}
	if (i < s.len) {
		v = plain_load(s.p + i);
		memcpy(p + i, &v, sizeof(v));
	}
	return p + s.len;
}

#endif
