/*
 * suggestion.h - the words that a misspelt one may have meant.
 */
#ifndef TQ_BASE_SUGGESTION_H
#define TQ_BASE_SUGGESTION_H

#include "tq/base/text.h"

enum { SUGGESTION_MOST = 3 };

/* {.word = span_of("kernal")} has no guess yet */
struct suggestion {
	struct span word;
	struct suggestion_guess {
		const char *text; /* the caller's; NULL: none */
		unsigned cost;
	} best[SUGGESTION_MOST];
};

/*
 * Consider a known word: it is a guess if few letters have to change (cost 1
 * each, swapped neighbours too), or if one of the two words contains the other.
 * The first guesses of the least cost stay.  "_", "-", "." and case do not
 * count.  True if the text is kept.
 */
bool suggestion_consider(struct suggestion *n, const char *known);

/* Add ": did you mean a, b or c?" if there is a guess. */
void suggestion_add(const struct suggestion *n, struct text *t);

/* The same as a text of its own; free(3) it. */
char *suggestion_text(const struct suggestion *n);

#endif
