/*
 * recent.h - numbers of strings that came lately: most strings come again
 * soon, or never.
 */
#ifndef RECENT_H
#define RECENT_H

#include "tq/base/hash.h"

enum {
	RECENT_LONGEST = 120 /* longer ones are not remembered */
};

/* two lines of the cache; of most texts, up to 57 bytes, all is in the first */
struct recent_slot {
	uint32_t number; /* 0: there is none here */
	uint16_t len;
	bool asked; /* for this one, of late; of the first of two slots */
	char text[RECENT_LONGEST];
} __attribute__((aligned(128)));

/*
 * Where a string is remembered, if it is: there or in the slot behind, of
 * count, a power of two; so it is an even one.
 */
static inline struct recent_slot *
recent_home(struct recent_slot *slots, size_t count, struct span s)
{
	return &slots[hash_text(s) & (count - 2)];
}

static inline bool
recent_is(const struct recent_slot *slot, struct span s)
{
	return slot->len == s.len && slot->number != 0 &&
	       hash_equal(slot->text, s);
}

/* The number of a string, of which that is the home; 0 if it is not known. */
static inline uint32_t
recent_find(struct recent_slot *home, struct span s)
{
	if (recent_is(home, s)) {
		home->asked = true;
		return home->number;
	}
	return recent_is(home + 1, s) ? home[1].number : 0;
}

/*
 * Remember a string, but for long ones.  What is in the first slot, and was
 * asked for again, does not go for one that came by.
 */
static inline void
recent_add(struct recent_slot *home, struct span s, uint32_t number)
{
	if (s.len > RECENT_LONGEST)
		return;
	if (home->asked) {
		home->asked = false;
		home++;
	}
	home->len = (uint16_t)s.len;
	home->number = number;
	memcpy(home->text, s.p, s.len);
}

#endif
