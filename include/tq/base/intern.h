/*
 * intern.h - texts and their numbers: each text is stored once, and has the
 * number 0, 1, 2 ... in order of first use, which indexes arrays beside it.
 *
 *	uint32_t n = intern_get(&s->names, name);
 *
 *	if (n == s->count)
 *		*array_add(&s->groups, &s->count, &s->cap) = (struct group){0};
 *	s->groups[n].calls++;
 *
 * A text is any bytes, NUL included.  Texts are compared byte by byte where
 * hashes agree, so that numbers are right for any input.  A look-up takes a
 * few steps; the hash is public, and n texts made to have one hash take n
 * steps each, n * n together.
 */
#ifndef TQ_BASE_INTERN_H
#define TQ_BASE_INTERN_H

#include "tq/base/region.h"

struct intern_slot;

/* {0} is empty */
struct intern {
	struct span *texts; /* by number */
	size_t count, cap;
	struct intern_slot *slots;
	size_t size; /* of slots: 0 or a power of two */
	struct region region;
};

#define INTERN_NONE UINT32_MAX

/*
 * The number of s, a new one (the count so far) if it has none; s is copied.
 * More than 2^31 texts end the program as lack of memory does.
 */
uint32_t intern_get(struct intern *in, struct span s);

/* The number of s; INTERN_NONE if it has none. */
uint32_t intern_find(const struct intern *in, struct span s);

/*
 * The text of a number, with a NUL behind it; it does not move, and lives
 * until intern_clear or intern_free.
 */
static inline struct span
intern_text(const struct intern *in, uint32_t n)
{
	return in->texts[n];
}

/* The numbers in the order of their texts; free(3) them. */
uint32_t *intern_order(const struct intern *in);

/* Forget all; numbers begin at 0 again. */
void intern_clear(struct intern *in);

/* The same, and free all memory; *in may be used again. */
void intern_free(struct intern *in);

#endif
