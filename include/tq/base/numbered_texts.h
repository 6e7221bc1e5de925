/*
 * numbered_texts.h - texts and their numbers, from 0 in order of first use.
 *
 * Many texts of programs end with a number: "aten::mm, op_id = 17".  So a text
 * is stored as a stem, which is stored once, and the number it ends with: about
 * 25 bytes for a text, and its stem.
 */
#ifndef TQ_BASE_NUMBERED_TEXTS_H
#define TQ_BASE_NUMBERED_TEXTS_H

#include "tq/base/intern.h"

struct numbered_text_slot;

/* {0} is empty */
struct numbered_texts {
	struct intern stems;
	struct numbered_text {
		uint32_t stem, low, high; /* the stem's number, and its tag */
	} * all;
	size_t count, cap;
	struct numbered_text_slot *slots;
	size_t size; /* of slots: 0 or a power of two */
	struct text *scratch;
};

/* The number of s, a new one if it has none; s is copied. */
uint32_t numbered_texts_get(struct numbered_texts *t, struct span s);

/*
 * The same in two steps, between which memory is fetched: the next call of
 * this module is numbered_texts_get_key.  One text with two tags has two
 * numbers; a tag is at most 3.
 */
struct numbered_text_key {
	struct numbered_text text;
	uint64_t hash;
};

struct numbered_text_key numbered_texts_key(
    struct numbered_texts *t, struct span s, unsigned tag);
uint32_t numbered_texts_get_key(
    struct numbered_texts *t, const struct numbered_text_key *key);

/* Good until the next call with these texts. */
struct span numbered_texts_text(const struct numbered_texts *t, uint32_t n);

unsigned numbered_texts_tag(const struct numbered_texts *t, uint32_t n);

/* The order of the texts, as span_cmp has it; of the tags if they are equal. */
int numbered_texts_cmp(const struct numbered_texts *t, uint32_t a, uint32_t b);

void numbered_texts_free(struct numbered_texts *t);

#endif
