/*
 * screen.h - a comparison on one screen: the verdict first, then the checks
 * that are not the same, the sum, what got slower, what got faster.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include "comparison.h"
#include "gate.h"

struct screen_settings {
	size_t rows; /* of each table; 0: all */
	const struct gates *gates;
	/* of each side, which NULL ends; NULL where one is no stream */
	char *const *operands[SIDES];
};

void screen_add(struct text *t, const struct comparison *c,
    const struct screen_settings *s);

#endif
