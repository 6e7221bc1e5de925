/*
 * plan.h - what becomes of the keys of a record: found once for each set of
 * keys, of which a stream has few.
 */
#ifndef PLAN_H
#define PLAN_H

#include "fields.h"
#include "strings.h"

enum { PLANS = 256, PLANS_WAYS = 4 /* places of a plan, one after another */ };

struct plan {
	struct keyset keys;  /* what it is for */
	struct keyset notes; /* of these: what is no field, and no symbol */
	/* INTs come first, then INTS and STR, each in the order of the keys */
	size_t ints, lists, strings;
	struct field fields[KEY_COUNT];
};

/* {0} has that of no keys */
struct plans {
	struct plan plan[PLANS];
};

static inline bool
plan_is_for(const struct plan *plan, uint64_t low, uint64_t high)
{
	return plan->keys.bits[0] == low && plan->keys.bits[1] == high;
}

/* Not to be called directly: looks on from its first place, or makes one. */
const struct plan *plans_look_on(
    struct plans *all, size_t at, uint64_t low, uint64_t high);

/* What becomes of keys, the two words of a set; good until the next call. */
static inline const struct plan *
plans_find(struct plans *all, uint64_t low, uint64_t high)
{
	uint64_t hash = (low + high * STRINGS_MULTIPLIER) * STRINGS_MULTIPLIER;
	size_t at = hash >> 56;

	if (plan_is_for(&all->plan[at], low, high))
		return &all->plan[at];
	return plans_look_on(all, at, low, high);
}

#endif
