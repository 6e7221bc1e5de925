/*
 * recent.h - a cache of the numbers of strings: most strings come again soon,
 * or never.
 */
#ifndef RECENT_H
#define RECENT_H

#include "tq/base/hash.h"

enum {
	RECENT_LONGEST = 120 /* bytes; longer strings are not remembered */
};

/* two cache lines; most strings, of up to 57 bytes, lie in the first */
struct recent_slot {
	uint32_t number; /* 0: the slot is free */
	uint16_t len;
	bool used; /* again, of late; in the first of two slots */
	char text[RECENT_LONGEST];
} __attribute__((aligned(128)));

/*
 * The first of the two slots where a string may be; count is the number of
 * slots, a power of two.
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

/* The number of a string; home is its first slot.  0: it is not remembered. */
static inline uint32_t
recent_find(struct recent_slot *home, struct span s)
{
	if (recent_is(home, s)) {
		home->used = true;
		return home->number;
	}
	return recent_is(home + 1, s) ? home[1].number : 0;
}

/*
 * Remember a string that is not too long.  One in the first slot that was used
 * again stays once.
 */
static inline void
recent_add(struct recent_slot *home, struct span s, uint32_t number)
{
	if (s.len > RECENT_LONGEST)
		return;
	if (home->used) {
		home->used = false;
		home++;
	}
	home->len = (uint16_t)s.len;
	home->number = number;
	memcpy(home->text, s.p, s.len);
}

#endif
