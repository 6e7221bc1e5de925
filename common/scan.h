/*
 * scan.h - canonical values, eight bytes at a time; a part of canonical.c.
 *
 * Each scan_ function returns the end of the value that starts at p, or NULL
 * where it is not canonical, or not of the type.  Up to EVENT_PADDING bytes
 * behind end are read.
 */
#ifndef SCAN_H
#define SCAN_H

#include "tq/json.h"
#include "tq/schema.h"
#include "tq/words.h"

/* the end of the string that starts at p with a quote */
static inline const char *
scan_string(const char *p, const char *end)
{
	const char *error;
	const char *start = p++;

	for (;;) {
		uint64_t v, hit;

		if (p >= end)
			return NULL;
		memcpy(&v, p, 8); /* may read the padding */
		hit = words_equal(v, '"') | words_equal(v, '\\') |
		      words_below(v, ' ');
		if (hit == 0) {
			p += 8;
			continue;
		}
		/* the lowest hit is exact; those above it need not be */
		p += __builtin_ctzll(hit) / 8;
		if (p >= end)
			return NULL;
		if (*p == '"')
			return p + 1;
		return json_string(start, end, &error);
	}
}

/* the line ends with a brace, so that the digits end before it */
static inline const char *
scan_int(const char *p)
{
	const char *start;
	uint64_t v, hit;

	p += *p == '-';
	start = p;
	do {
		memcpy(&v, p, 8); /* may read the padding */
		v ^= WORDS_ONES * '0';
		/* above 9; again the lowest hit is exact */
		hit = ((v + WORDS_ONES * (0x80 - 10)) | v) & WORDS_HIGHS;
		p += hit != 0 ? __builtin_ctzll(hit) / 8 : 8;
	} while (hit == 0);
	if (p == start || p - start > 18 ||
	    (*start == '0' && (p - start > 1 || start[-1] == '-')))
		return NULL;
	return p;
}

static inline const char *
scan_ints(const char *p, const char *end)
{
	if (p[1] == ']')
		return p + 2;
	do {
		if ((p = scan_int(p + 1)) == NULL || p == end)
			return NULL;
	} while (*p == ',');
	return *p == ']' ? p + 1 : NULL;
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

static inline const char *
scan_value(const char *p, const char *end, enum type type)
{
	const char *error;

	switch (type) {
	case TYPE_INT:
		return scan_int(p);
	case TYPE_STR:
		return *p == '"' ? scan_string(p, end) : NULL;
	case TYPE_INTS:
		return *p == '[' ? scan_ints(p, end) : NULL;
	case TYPE_OBJ:
		return *p == '{' ? json_value(p, end, &error) : NULL;
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
