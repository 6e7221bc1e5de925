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
	bool has_accounts;          /* an operand is no stream */
	struct side_input *input;   /* until it is read */
};

/* Open it; operands end with NULL, there is one, and they are borrowed. */
void side_recordings_open(struct side *s, char **operands);

/* Look at its first records, before it is read. */
void side_recordings_look(struct side *s, struct common_unit_side *p);

/*
 * The classes of steps of a server that its ranges are, a bit each: enum
 * serve_class.  Before it is read, which may be done several times then.
 */
unsigned side_recordings_classes(struct side *s);

/*
 * Read it.  units are for streams.  An error in an operand ends the program
 * with a message.  again: it will be read once more, and closed after that.
 */
void side_recordings_read(
    struct side *s, const struct account_units *units, bool again);

/*
 * Read those of both sides that are open, with units of their own, at the same
 * time where that is faster.  Messages come as if one were read after the
 * other.
 */
void side_recordings_read_both(
    struct side sides[SIDES], const struct account_units units[SIDES]);
void side_recordings_close(struct side *s);

void side_recordings_free(struct side *s);

#endif
