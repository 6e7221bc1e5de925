/*
 * stems.h - texts and their numbers, from 0 in order of first use.
 *
 * Programs number what they do: "aten::mm, op_id = 17".  So a text is stored
 * as a stem, which is stored once, and the number it ends with: about 25 bytes
 * for a text, and its stem.
 */
#ifndef TQ_BASE_STEMS_H
#define TQ_BASE_STEMS_H

#include "tq/base/intern.h"

struct stem_slot;

/* {0} is empty */
struct stems {
	struct intern stems;
	struct stem_text {
		uint32_t stem, low, high; /* the stem's number, and its tag */
	} * all;
	size_t count, cap;
	struct stem_slot *slots;
	size_t size; /* of slots: 0 or a power of two */
	struct text *scratch;
};

/* The number of s, a new one if it has none; s is copied. */
uint32_t stems_get(struct stems *t, struct span s);

/*
 * The same in two steps, between which memory is fetched: the next call of
 * this module is stems_get_key.  One text with two tags has two numbers; a tag
 * is at most 3.
 */
struct stem_key {
	struct stem_text text;
	uint64_t hash;
};

struct stem_key stems_key(struct stems *t, struct span s, unsigned tag);
uint32_t stems_get_key(struct stems *t, const struct stem_key *key);

/* Good until the next call with these texts. */
struct span stems_text(const struct stems *t, uint32_t n);

unsigned stems_tag(const struct stems *t, uint32_t n);

/* The order of the texts, as span_cmp has it; of the tags if they are equal. */
int stems_cmp(const struct stems *t, uint32_t a, uint32_t b);

void stems_free(struct stems *t);

#endif
