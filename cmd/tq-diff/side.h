/*
 * side.h - the recordings of the operands of a side: streams, and accounts that
 * "tq-stats --partial -r account" wrote, also mixed.
 */
#ifndef SIDE_H
#define SIDE_H

#include "tq/account/account_build.h"

struct side {
	struct accounts recordings; /* in order of the operands */
	int status;                 /* 1 once an operand was cut short */
};

/*
 * Read them; operands end with NULL, and there is one.  units are those of
 * streams.  What is wrong with an operand ends the program with a message.
 */
void side_read(
    struct side *s, char **operands, const struct account_units *units);

void side_free(struct side *s);

#endif
