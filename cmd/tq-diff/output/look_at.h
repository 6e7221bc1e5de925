/*
 * look_at.h - the first suspect of a comparison, as a command.
 */
#ifndef LOOK_AT_H
#define LOOK_AT_H

#include "comparison.h"

/*
 * The row of the suspect that moves the wall most; append "tq-filter 'EXPR'",
 * which finds its operations in the recordings of both sides.  NULL, and
 * nothing is appended, without one that a short expression finds.
 */
const struct match_row *look_at_add(struct text *t, const struct comparison *c);

#endif
