/*
 * look_at.h - the first suspect of a comparison, as a command.
 */
#ifndef LOOK_AT_H
#define LOOK_AT_H

#include "screen.h"

/*
 * The row of the suspect that moves the wall most; append "tq-filter 'EXPR'",
 * which finds its operations in the recordings of both sides.  NULL, and
 * nothing is appended, without one that a short expression finds.
 */
const struct match_row *look_at_add(struct text *t, const struct comparison *c);

/* Append a command, the nth from 0. */
typedef void look_at_put(struct text *t, struct span command, size_t nth);

/*
 * Put the same as commands for the operands of each side, and return how many
 * there are: two that are equal are one.
 */
size_t look_at_each(struct text *t, const struct comparison *c,
    const struct screen_settings *s, look_at_put *put);

#endif
