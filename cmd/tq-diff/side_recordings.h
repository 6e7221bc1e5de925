/*
 * side_recordings.h - the recordings of the operands of a side: streams, and
 * accounts that "tq-stats --partial -r account" wrote, also mixed.
 */
#ifndef SIDE_RECORDINGS_H
#define SIDE_RECORDINGS_H

#include "common_unit.h"
#include "tq/account/account_build.h"

struct side_input;

struct side {
	struct accounts recordings; /* in order of the operands */
	int status;                 /* 1 once an operand was cut short */
	struct side_input *input;   /* until it is read */
};

/* Open it; operands end with NULL, there is one, and they are borrowed. */
void side_recordings_open(struct side *s, char **operands);

/* Look at its first records, before it is read. */
void side_recordings_look(struct side *s, struct common_unit_side *p);

/*
 * Read it.  units are for streams.  An error in an operand ends the program
 * with a message.
 */
void side_recordings_read(struct side *s, const struct account_units *units);

void side_recordings_free(struct side *s);

#endif
