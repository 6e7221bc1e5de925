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
	size_t bytes;     /* of all strings, and one for each */
	struct text pool; /* behind its end: the string at hand */
	uint32_t hash;    /* of that */
	uint32_t last[INTERN_LISTS];
};

/* {0} is empty */
void intern_free(struct intern *in);

/* Forget all; numbers go on behind first[list]. */
void intern_clear(struct intern *in, const uint32_t first[INTERN_LISTS]);

/*
 * Take a string at hand, up to the next one.  Where many are known, it takes
 * time to fetch from memory what is found by its hash; this is begun here, so
 * intern_find does well to come long after.
 */
void intern_take(struct intern *in, enum intern_list list, struct span s);

/* The number of the string at hand; 0 if it has none. */
uint32_t intern_find(const struct intern *in);

/* Give it a number, where it has none. */
uint32_t intern_add(struct intern *in);

/* The string at hand, and its list. */
struct span intern_string(const struct intern *in, enum intern_list *list);

#define INTERN_MULTIPLIER 0x9e3779b97f4a7c15u /* bits well mixed: 2^64/phi */

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

typedef uint64_t intern_block __attribute__((vector_size(16)));

static inline intern_block
intern_differ(const char *p, const char *q)
{
	intern_block a, b;

	memcpy(&a, p, sizeof(a));
	memcpy(&b, q, sizeof(b));
	return a ^ b;
}

/* up to 48 bytes are compared as the first, middle and last 16 */
static inline bool
intern_equal(const char *p, struct span s)
{
	intern_block differ;
	size_t last = s.len - 16, middle = last / 2;

	if (s.len < 8)
		return intern_load_short(p, s.len) ==
		       intern_load_short(s.p, s.len);
	if (s.len <= 16)
		return intern_load(p) == intern_load(s.p) &&
		       intern_load(p + s.len - 8) ==
			   intern_load(s.p + s.len - 8);
	if (s.len > 48)
		return memcmp(p, s.p, s.len) == 0;
	differ = intern_differ(p, s.p) |
		 intern_differ(p + middle, s.p + middle) |
		 intern_differ(p + last, s.p + last);
	return (differ[0] | differ[1]) == 0;
}

#endif
