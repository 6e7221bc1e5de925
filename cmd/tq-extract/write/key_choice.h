/*
 * key_choice.h - the keys that events are written with: --keys.
 *
 * Frames of sections, definitions and losses have all their keys; an event
 * always has kind and ts.
 */
#ifndef KEY_CHOICE_H
#define KEY_CHOICE_H

#include "tq/line/schema.h"

/* {0} chooses all keys */
struct key_choice {
	bool given;
	bool listed;   /* by --keys: no others are written, unknown ones too */
	bool launches; /* API calls that launched nothing are left out */
	struct keyset keys[KIND_COUNT + 1];
};

/*
 * Set the keys of a comma separated list: KEY, or KIND.KEY for one kind; exits
 * where one is no key.
 */
void key_choice_take(struct key_choice *c, const char *list);

/* Choose all keys that are chosen so far but this one. */
void key_choice_drop(struct key_choice *c, enum key key);

/* True if records of a kind are written with all their keys. */
bool key_choice_all(const struct key_choice *c, enum kind kind);

/* The keys that records of a kind are written with. */
struct keyset key_choice_of(const struct key_choice *c, enum kind kind);

#endif
