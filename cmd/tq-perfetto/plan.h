/*
 * plan.h - what becomes of the keys of a record: found once for each set of
 * keys, of which a stream has few.
 */
#ifndef PLAN_H
#define PLAN_H

#include "fields.h"
#include "strings.h"

enum { PLANS = 256 };

struct plan {
	struct keyset keys;  /* what it is for */
	struct keyset notes; /* of these: what is no field, and no symbol */
	/* INTs come first, then INTS and STR, each in the order of the keys */
	size_t ints, lists, strings;
	struct field fields[KEY_COUNT];
};

/* {0} has none */
struct plans {
	struct plan plan[PLANS];
};

/* Not to be called directly: makes one. */
void plan_make(struct plan *plan, uint64_t low, uint64_t high);

/* What becomes of keys, the two words of a set; good until the next call. */
static inline const struct plan *
plans_find(struct plans *all, uint64_t low, uint64_t high)
{
	uint64_t hash = 
	    (low + high * STRINGS_MULTIPLIER) * STRINGS_MULTIPLIER;
	struct plan *plan = &all->plan[hash >> 56];

	if (plan->keys.bits[0] != low || plan->keys.bits[1] != high)
		plan_make(plan, low, high);
	return plan;
}

#endif
