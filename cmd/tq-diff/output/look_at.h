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

/*
 * The same as commands for the operands of each side, one behind the other:
 * append them, set ends[i] to where each ends, and return how many there are.
 * Two that would be equal are one.
 */
size_t look_at_commands(struct text *t, const struct comparison *c,
    const struct screen_settings *s, size_t ends[SIDES]);

#endif
