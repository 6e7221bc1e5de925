/*
 * launched.h - the operations of a section by the calls that launched them.
 */
#ifndef LAUNCHED_H
#define LAUNCHED_H

#include "tree.h"

struct launched_op {
	int64_t pid, tid, api_ts, api_end, corr; /* of the call */
	int64_t ts, end;                         /* of the operation */
	uint32_t kernel;                         /* the number of its name */
	bool used;                               /* a range encloses the call */
	bool again; /* for nsys: of the second record of the call */
};

/* {0} is empty */
struct launched {
	struct launched_op *all;
	size_t count, cap;
};

/* Add an operation; NULL if it has no call.  Good until the next. */
struct launched_op *launched_add(struct launched *l, const struct event *ev);

/* In order of process, thread, start and end of the call, and corr. */
void launched_sort(struct launched *l);

/*
 * The first operation, from i on, whose call is of the thread of r and does not
 * start before r, or is of a thread behind it.  Ranges come in order.
 */
size_t launched_from(
    const struct launched *l, size_t i, const struct tree_range *r);

/* True if the call at i, at or behind launched_from(), starts in r. */
bool launched_within(
    const struct launched *l, size_t i, const struct tree_range *r);

void launched_free(struct launched *l);

#endif
