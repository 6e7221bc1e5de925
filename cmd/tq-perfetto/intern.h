/*
 * intern.h - strings that are written once and then called by a number: the
 * tables of a sequence of packets, until these are cleared.
 */
#ifndef INTERN_H
#define INTERN_H

#include "tq/text.h"

/* each list numbers its own */
enum intern_list {
	INTERN_CATEGORY,
	INTERN_NAME,
	INTERN_KEY, /* of annotations */
	INTERN_STRING,
	INTERN_FUNCTION,
	INTERN_COLOR,   /* correlation ids */
	INTERN_CONTEXT, /* digits of a pid */
	INTERN_STAGE,
	INTERN_KERNEL, /* name, NUL, full name */
	INTERN_ARG,
	INTERN_LISTS
};

struct intern {
	struct intern_slot *slot;
	size_t count, size;
	struct text pool;
	uint32_t last[INTERN_LISTS];
};

/* {0} is empty */
void intern_free(struct intern *in);

/* Forget all; numbers go on behind first[list]. */
void intern_clear(struct intern *in, const uint32_t first[INTERN_LISTS]);

/* What a string is found by, in memory that begins to be fetched. */
uint32_t intern_hash(
    const struct intern *in, enum intern_list list, struct span s);

/* The number of a string; *fresh says that it is a new one. */
uint32_t intern_number(struct intern *in, enum intern_list list, struct span s,
    uint32_t hash, bool *fresh);

/* The same of one that has a number already; else 0. */
uint32_t intern_find(const struct intern *in, enum intern_list list,
    struct span s, uint32_t hash);

/* ---- texts, eight bytes at a time, which may overlap ---- */

static inline uint64_t
intern_load(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* all of up to eight bytes */
static inline uint64_t
intern_load_short(const char *p, size_t len)
{
	uint32_t low, high;

	if (len == 8)
		return intern_load(p);
	if (len >= 4) {
		memcpy(&low, p, 4);
		memcpy(&high, p + len - 4, 4);
		return low | (uint64_t)high << 32;
	}
	return len == 0 ? 0
			: (uint64_t)(unsigned char)p[0] |
			      (uint64_t)(unsigned char)p[len / 2] << 8 |
			      (uint64_t)(unsigned char)p[len - 1] << 16;
}

static inline uint64_t
intern_differ(const char *p, const char *q, size_t at)
{
	return intern_load(p + at) ^ intern_load(q + at);
}

static inline bool
intern_equal(const char *p, struct span s)
{
	uint64_t differ;

	if (s.len <= 8)
		return intern_load_short(p, s.len) ==
		       intern_load_short(s.p, s.len);
	if (s.len > 32)
		return memcmp(p, s.p, s.len) == 0;
	differ = intern_differ(p, s.p, 0) | intern_differ(p, s.p, s.len - 8);
	if (s.len > 16)
		differ |= intern_differ(p, s.p, 8) |
			  intern_differ(p, s.p, s.len - 16);
	return differ == 0;
}

#endif
