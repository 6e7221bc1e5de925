/*
 * recent.h - numbers of strings that came lately: most strings come again
 * soon, or never.  One that is forgotten may get another number.
 */
#ifndef RECENT_H
#define RECENT_H

#include "strings.h"

enum {
	RECENT_LONGEST = 120 /* longer ones are not remembered */
};

/* of most texts all is in one line of the cache */
struct recent_slot {
	uint32_t number; /* 0: there is none here */
	uint16_t len;
	bool asked; /* for this one, of late */
	char text[RECENT_LONGEST];
} __attribute__((aligned(128)));

/*
 * Where a string is remembered, if it is: in one of two slots, of count, a
 * power of two.
 */
static inline struct recent_slot *
recent_home(struct recent_slot *slots, size_t count, struct span s)
{
	return &slots[strings_hash(s) & (count - 2)];
}

static inline bool
recent_is(const struct recent_slot *slot, struct span s)
{
	return slot->len == s.len && strings_equal(slot->text, s);
}

/* The number of a string, of which that is the home; 0 if it is not known. */
static inline uint32_t
recent_find(struct recent_slot *home, struct span s)
{
	if (!recent_is(home, s) && !recent_is(++home, s))
		return 0;
	home->asked = true;
	return home->number;
}

/*
 * Remember a string, but for long ones.  One that is asked for again and
 * again does not go for one that came by.
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
