/*
 * screen.h - a comparison on one screen: the verdict first, then the checks
 * that are not the same, the sum, what got slower, what got faster.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include "comparison.h"

struct screen_settings {
	size_t rows; /* of each table; 0: all */
};

void screen_add(struct text *t, const struct comparison *c,
    const struct screen_settings *s);

/* "cannot tell: ...; estimate +3.22 % a step (17.977 -> 18.557 ms)" */
void screen_add_verdict(struct text *t, const struct comparison *c);

/* "+3.22 %" of a ratio */
void screen_add_percent(struct text *t, double ratio);

/* ns with three decimals in the unit that is_ms chooses, and a sign */
void screen_add_signed(struct text *t, int64_t thousandth);

/* The unit of thousandths that fits a wall: 1 is ns, 1000 us. */
int64_t screen_unit(const struct comparison *c);
const char *screen_unit_name(int64_t unit);

#endif
