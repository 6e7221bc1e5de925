/*
 * plan.h - the pieces that the args of a record are put together from.
 *
 * Members of a line that follow one another as they are to be written are a
 * run, and are copied as they stand.  In all plain lines of one shape (event.h)
 * these are the same members, so that they are looked for once.
 */
#ifndef PLAN_H
#define PLAN_H

#include "tq/line/event.h"

struct piece {
	char text[20]; /* what stands before it: ,"key": */
	unsigned char len;
	unsigned char first, last; /* keys of a run */
	bool special; /* it has one key, of which the value is not copied */
};

struct plan {
	uint64_t number; /* of what it is good for; see args.c */
	const struct piece *end;
	struct piece piece[KEY_COUNT];
};

/*
 * How to write these keys of a record, none of which is KEY_args.  Another
 * record can be written the same way if both are plain and of one shape.
 */
void plan_make(struct plan *plan, const struct event *ev, struct keyset keys);

/* A key alone, and special. */
struct piece plan_key(enum key key);

#endif
