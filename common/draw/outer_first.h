/*
 * outer_first.h - projected ranges, which come inside out, in an order that
 * viewers draw right.
 *
 * A projected range comes after the ranges inside it, and often starts with
 * the first of them.  Of two slices with the same start viewers take the first
 * one for the outer one.  So a range waits for its parent; one that starts
 * later than the first child does not have to.
 */
#ifndef OUTER_FIRST_H
#define OUTER_FIRST_H

#include "saved.h"

/* {0} is empty */
struct outer_first {
	struct waiting_range *waiting; /* oldest first */
	size_t count;

	/* draws a range on its row */
	void (*put)(void *arg, void *row, const struct event *ev,
	    const struct drawn_time *drawn);
	void *arg;

	struct saved_pool pool;
	struct event restored; /* a range that waited */
};

/* Put a range now or later; the ranges inside it that waited follow it. */
void outer_first_add(struct outer_first *o, void *row, const struct event *ev,
    const struct drawn_time *drawn);

/* Put all that still wait: their parents do not come. */
void outer_first_finish(struct outer_first *o);

void outer_first_free(struct outer_first *o);

#endif
