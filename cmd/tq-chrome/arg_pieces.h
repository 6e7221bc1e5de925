/*
 * arg_pieces.h - the pieces that the args of a record are put together from.
 *
 * Members of a line that follow one another as they are to be written are a
 * run, and are copied as they stand.  In all plain lines of one shape (event.h)
 * these are the same members, so that they are looked for once.
 */
#ifndef ARG_PIECES_H
#define ARG_PIECES_H

#include "tq/line/event.h"

struct arg_piece {
	char text[20]; /* what stands before it: ,"key": */
	unsigned char len;
	unsigned char first, last; /* keys of a run */
	bool special; /* it has one key, of which the value is not copied */
};

struct arg_pieces {
	uint64_t number; /* of what it is good for; see args.c */
	const struct arg_piece *end;
	struct arg_piece all[KEY_COUNT];
};

/*
 * How to write these keys of a record, none of which is KEY_args.  Another
 * record can be written the same way if both are plain and of one shape.
 */
void arg_pieces_make(
    struct arg_pieces *pieces, const struct event *ev, struct keyset keys);

/* A key alone, and special. */
struct arg_piece arg_pieces_key(enum key key);

#endif
