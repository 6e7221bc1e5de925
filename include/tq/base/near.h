/*
 * near.h - the words that a misspelt one may have meant.
 */
#ifndef TQ_BASE_NEAR_H
#define TQ_BASE_NEAR_H

#include "tq/base/text.h"

enum { NEAR_MOST = 3 };

/* {.word = span_of("kernal")} has no guess yet */
struct near {
	struct span word;
	struct near_guess {
		const char *text; /* the caller's; NULL: none */
		unsigned cost;
	} best[NEAR_MOST];
};

/*
 * Consider a known word: it is a guess if few letters have to change (cost 1
 * each, swapped neighbours too), or if one of the two words contains the other.
 * The first guesses of the least cost stay.  "_", "-", "." and case do not
 * count.  True if the text is kept.
 */
bool near_consider(struct near *n, const char *known);

/* Add ": did you mean a, b or c?" if there is a guess. */
void near_add(const struct near *n, struct text *t);

/* The same as a text of its own; free(3) it. */
char *near_text(const struct near *n);

#endif
