/*
 * waterfall.h - the sum of a comparison in HTML: from the wall of A, term by
 * term, to the wall of B.
 */
#ifndef WATERFALL_H
#define WATERFALL_H

#include "comparison.h"

/* The card. */
void waterfall_add(struct text *b, const struct comparison *c);

/* The colour of a part of a unit, the end of a style: "--c:var(--compute)". */
const char *waterfall_color(enum account_part part);

#endif
