/*
 * scan.h - canonical values, eight bytes at a time; a part of sequential.c.
 *
 * Each scan_ function returns the end of the value that starts at p, or NULL
 * where it is not canonical, or not of the type.  Up to EVENT_PADDING bytes
 * behind end are read.
 */
#ifndef TQ_LINE_FAST_SCAN_H
#define TQ_LINE_FAST_SCAN_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "tq/line/json.h"
#include "tq/line/schema.h"
#include "tq/base/words.h"

/*
 * Which of the SCAN_STEP bytes at p no string has as they are (a quote, a
 * backslash, a control character, DEL), SCAN_BITS bits each of which the lowest
 * of a byte is exact; and how many digits stand at p, SCAN_DIGITS at most.
 */
#ifdef __SSE2__
enum { SCAN_STEP = 16, SCAN_BITS = 1, SCAN_DIGITS = 15 };

static inline uint64_t
scan_specials(const char *p)
{
	const __m128i last = _mm_set1_epi8(0x1f);
	__m128i v = _mm_loadu_si128((const void *)p), hit;

	hit = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
	    _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
	hit = _mm_or_si128(hit, _mm_cmpeq_epi8(_mm_max_epu8(v, last), last));
	hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7f)));
	return (unsigned)_mm_movemask_epi8(hit);
}

static inline unsigned
scan_are(__m128i v, char c)
{
	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
}

/* a bit for each byte that is none, as it is found */
static inline unsigned
scan_no_digits(__m128i v)
{
	/* so that the digits are the least of all signed bytes */
	v = _mm_add_epi8(v, _mm_set1_epi8(0x80 - '0'));
	return (unsigned)_mm_movemask_epi8(
	    _mm_cmpgt_epi8(v, _mm_set1_epi8(-0x80 + 9)));
}

static inline size_t
scan_digits(const char *p)
{
	__m128i v = _mm_loadu_si128((const void *)p);

	return (unsigned)__builtin_ctz(scan_no_digits(v) | 1u << SCAN_DIGITS);
}
#else
enum { SCAN_STEP = 8, SCAN_BITS = 8, SCAN_DIGITS = 8 };

static inline uint64_t
scan_specials(const char *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return words_equal(v, '"') | words_equal(v, '\\') |
	       words_below(v, ' ') | words_equal(v, 0x7f);
}

static inline size_t
scan_digits(const char *p)
{
	uint64_t v, hit;

	memcpy(&v, p, 8);
	v ^= WORDS_ONES * '0';
	/* above 9; again the lowest hit is exact */
	hit = ((v + WORDS_ONES * (0x80 - 10)) | v) & WORDS_HIGHS;
	return hit != 0 ? (size_t)__builtin_ctzll(hit) / 8 : SCAN_DIGITS;
}
#endif

/* the end of the escape that starts at p, if text_add_json writes it so */
static const char *
scan_escape(const char *p, const char *end)
{
	static const char plain[] = "\b\t\n\f\r";
	unsigned c;

	if (end - p < 2)
		return NULL;
	if (p[1] != 'u')
		return memchr("\"\\bfnrt", p[1], 7) != NULL ? p + 2 : NULL;
	if (end - p < 6 || memcmp(p, "\\u00", 4) != 0 || p[4] < '0' ||
	    p[4] > '7' ||
	    !((p[5] >= '0' && p[5] <= '9') || (p[5] >= 'a' && p[5] <= 'f')))
		return NULL;
	c = (unsigned)(p[4] - '0') * 16 +
	    (unsigned)(p[5] <= '9' ? p[5] - '0' : p[5] - 'a' + 10);
	if (c != 0x7f && (c >= 0x20 || memchr(plain, (int)c, 5) != NULL))
		return NULL;
	return p + 6;
}

/* the same of a string whose first escape is at p */
static const char *
scan_escaped(const char *p, const char *end)
{
	while (p < end && *p != '"')
		if (*p == '\\') {
			if ((p = scan_escape(p, end)) == NULL)
				return NULL;
		} else if ((unsigned char)*p < ' ' || *p == 0x7f)
			return NULL;
		else
			p++;
	return p < end ? p + 1 : NULL;
}

/* the end of the string that starts at p with a quote */
static inline const char *
scan_string(const char *p, const char *end)
{
	uint64_t hit;

	p++;
	while ((hit = scan_specials(p)) == 0) /* may read the padding */
		if ((p += SCAN_STEP) >= end)
			return NULL;
	p += __builtin_ctzll(hit) / SCAN_BITS;
	if (p >= end)
		return NULL;
	return *p == '"' ? p + 1 : scan_escaped(p, end);
}

/* an integer that may be negative, zero, or long */
static const char *
scan_any_int(const char *p)
{
	const char *start;
	size_t n;

	p += *p == '-';
	start = p;
	do {
		n = scan_digits(p);
		p += n;
	} while (n == SCAN_DIGITS);
	if (p == start || p - start > 18 ||
	    (*start == '0' && (p - start > 1 || start[-1] == '-')))
		return NULL;
	return p;
}

/* the line ends with a brace, so that the digits end before it */
static inline const char *
scan_int(const char *p)
{
	size_t n = scan_digits(p); /* may read the padding */

	if (*p < '1' || *p > '9' || n == SCAN_DIGITS)
		return scan_any_int(p);
	return p + n;
}

/* p is behind the bracket */
static const char *
scan_any_ints(const char *p, const char *end)
{
	if (*p == ']')
		return p + 1;
	for (;; p++) {
		if ((p = scan_int(p)) == NULL || p == end)
			return NULL;
		if (*p != ',')
			return *p == ']' ? p + 1 : NULL;
	}
}

/* most arrays are short, and have nothing but digits and commas in them */
static inline const char *
scan_ints(const char *p, const char *end)
{
#ifdef __SSE2__
	__m128i v = _mm_loadu_si128((const void *)++p);
	unsigned digits = ~scan_no_digits(v) & 0xffff;
	unsigned commas = scan_are(v, ','), zeros = scan_are(v, '0');
	/* numbers begin behind commas, with a digit and no zero before others
	 */
	unsigned good = digits & ~(zeros & digits >> 1);
	unsigned bad = (commas << 1 | 1) & ~good;
	unsigned stop = ~(digits | commas);

	/* bad where the array ends is a comma before it */
	if ((bad & (stop ^ (stop - 1))) == 0 && p[__builtin_ctz(stop)] == ']')
		return p + __builtin_ctz(stop) + 1;
	return scan_any_ints(p, end);
#else
	return scan_any_ints(p + 1, end);
#endif
}

static inline const char *
scan_strings(const char *p, const char *end)
{
	if (p[1] == ']')
		return p + 2;
	do {
		if (p[1] != '"' || (p = scan_string(p + 1, end)) == NULL)
			return NULL;
	} while (*p == ',');
	return *p == ']' ? p + 1 : NULL;
}

static const char *scan_any(const char *p, const char *end, int depth);

/* an object or array; depth is the levels left */
static const char *
scan_nested(const char *p, const char *end, int depth)
{
	bool object = *p == '{';
	char close = object ? '}' : ']';

	if (depth == 0)
		return NULL;
	if (p[1] == close)
		return p + 2;
	do {
		p++;
		if (object && (*p != '"' || (p = scan_string(p, end)) == NULL ||
				  *p++ != ':'))
			return NULL;
		if ((p = scan_any(p, end, depth - 1)) == NULL)
			return NULL;
	} while (*p == ',');
	return *p == close ? p + 1 : NULL;
}

/* a value of any type */
static const char *
scan_any(const char *p, const char *end, int depth)
{
	const char *error, *ints;

	if (p >= end)
		return NULL;
	if (*p == '"')
		return scan_string(p, end);
	if (*p == '[' && (ints = scan_ints(p, end)) != NULL)
		return ints;
	if (*p == '{' || *p == '[')
		return scan_nested(p, end, depth);
	return json_value(p, end, &error);
}

static const char *
scan_other_value(const char *p, const char *end, enum type type)
{
	const char *error;

	switch (type) {
	case TYPE_INT:
	case TYPE_STR:
		break;
	case TYPE_INTS:
		return *p == '[' ? scan_ints(p, end) : NULL;
	case TYPE_OBJ:
		return *p == '{' ? scan_nested(p, end, JSON_DEPTH) : NULL;
	case TYPE_NUM:
		if (*p != '-' && (*p < '0' || *p > '9'))
			return NULL;
		return json_value(p, end, &error);
	case TYPE_BOOL:
		if (*p != 't' && *p != 'f')
			return NULL;
		return json_value(p, end, &error);
	case TYPE_STRS:
		return *p == '[' ? scan_strings(p, end) : NULL;
	}
	return NULL;
}

static inline const char *
scan_value(const char *p, const char *end, enum type type)
{
	if (type == TYPE_INT)
		return scan_int(p);
	if (type == TYPE_STR)
		return *p == '"' ? scan_string(p, end) : NULL;
	return scan_other_value(p, end, type);
}

/* the closing quote of the key that starts at p */
static inline const char *
scan_key(const char *p, const char *end)
{
	for (; p < end; p++) {
		if (*p == '"')
			return p;
		if (*p == '\\' || (unsigned char)*p < 0x20)
			return NULL;
	}
	return NULL;
}

#endif
