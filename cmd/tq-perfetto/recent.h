/*
 * recent.h - numbers of strings that came lately: few strings are in most
 * records, and these are found without a hash of all of their text.
 */
#ifndef RECENT_H
#define RECENT_H

#include "intern.h"

enum {
	RECENT_SLOTS = 256,
	RECENT_LONGEST = 48 /* longer ones are not remembered */
};

/* {0} is empty; a slot is one line of a cache */
struct recent {
	struct recent_slot {
		uint64_t first, last; /* eight bytes, or all */
		uint32_t number;      /* 0: there is none here */
		uint16_t len;
		bool asked;                    /* for this one, of late */
		char rest[RECENT_LONGEST - 8]; /* behind the first eight */
	} slot[RECENT_SLOTS];
};

/* Where a string would be found, and what it begins and ends with. */
static inline size_t
recent_home(struct span s, uint64_t *first, uint64_t *last)
{
	if (s.len < 8)
		*first = *last = intern_load_short(s.p, s.len);
	else {
		*first = intern_load(s.p);
		*last = intern_load(s.p + s.len - 8);
	}
	return (*first + *last * 5) * INTERN_MULTIPLIER >> 56;
}

/* The number of a string; 0 if that is not known any more. */
static inline uint32_t
recent_find(struct recent *r, struct span s)
{
	uint64_t first, last;
	struct recent_slot *slot = &r->slot[recent_home(s, &first, &last)];

	if (slot->first != first || slot->last != last || slot->len != s.len)
		return 0;
	for (size_t i = 8; i + 8 < s.len; i += 8)
		if (intern_load(slot->rest + i - 8) != intern_load(s.p + i))
			return 0;
	slot->asked = true;
	return slot->number;
}

/*
 * Remember a string, but for long ones.  One that is asked for again and
 * again does not go for one that came by.
 */
static inline void
recent_add(struct recent *r, struct span s, uint32_t number)
{
	uint64_t first, last;
	struct recent_slot *slot = &r->slot[recent_home(s, &first, &last)];

	if (s.len > RECENT_LONGEST)
		return;
	if (slot->asked) {
		slot->asked = false;
		return;
	}
	slot->first = first;
	slot->last = last;
	slot->len = (uint16_t)s.len;
	slot->number = number;
	if (s.len > 8)
		memcpy(slot->rest, s.p + 8, s.len - 8);
}

#endif
