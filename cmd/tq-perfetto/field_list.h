/*
 * field_list.h - what becomes of the keys of a record: found once for each set
 * of keys, of which a stream has few.
 */
#ifndef FIELD_LIST_H
#define FIELD_LIST_H

#include "fields.h"

enum {
	FIELD_LISTS = 256,
	FIELD_LISTS_WAYS = 4 /* places of a list, one after another */
};

struct field_list {
	struct keyset keys;  /* what it is for */
	struct keyset notes; /* of these: what is no field, and no symbol */
	/* INTs come first, then INTS and STR, each in the order of the keys */
	size_t ints, lists, strings;
	struct field fields[KEY_COUNT];
};

/* {0} has that of no keys */
struct field_lists {
	struct field_list all[FIELD_LISTS];
};

static inline bool
field_list_is_for(const struct field_list *list, uint64_t low, uint64_t high)
{
	return list->keys.bits[0] == low && list->keys.bits[1] == high;
}

/* Not to be called directly: looks on from its first place, or makes one. */
const struct field_list *field_list_look_on(
    struct field_lists *all, size_t at, uint64_t low, uint64_t high);

/* What becomes of keys, the two words of a set; good until the next call. */
static inline const struct field_list *
field_list_find(struct field_lists *all, uint64_t low, uint64_t high)
{
	const uint64_t phi = 0x9e3779b97f4a7c15u; /* 2^64 / phi: mixed bits */
	uint64_t hash = (low + high * phi) * phi;
	size_t at = hash >> 56;

	if (field_list_is_for(&all->all[at], low, high))
		return &all->all[at];
	return field_list_look_on(all, at, low, high);
}

#endif
