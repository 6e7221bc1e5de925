/*
 * intern.h - strings that are written once and then called by a number: the
 * tables of a sequence of packets, until these are cleared.
 */
#ifndef INTERN_H
#define INTERN_H

#include "tq/base/text.h"

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
	size_t bytes; /* of all strings in it, and one for each */
	struct text pool;
	uint32_t hash; /* of the string that was looked for last */
	uint32_t last[INTERN_LISTS];
};

/* {0} is empty */
void intern_free(struct intern *in);

/* Forget all; numbers go on behind first[list]. */
void intern_clear(struct intern *in, const uint32_t first[INTERN_LISTS]);

/* The number of a string; 0 if it has none. */
uint32_t intern_find(struct intern *in, enum intern_list list, struct span s);

/* Give the string that was looked for last, and has no number, one. */
uint32_t intern_add(struct intern *in, enum intern_list list, struct span s);

/* The next number of a list, for a string that is remembered elsewhere. */
static inline uint32_t
intern_number(struct intern *in, enum intern_list list)
{
	return ++in->last[list];
}

#endif
