/*
 * unit_bars.h - the time of a unit of both sides in HTML: a bar of its parts,
 * and the units one after the other.
 */
#ifndef UNIT_BARS_H
#define UNIT_BARS_H

#include "comparison.h"

/* The card. */
void unit_bars_add(struct text *b, const struct comparison *c);

#endif
