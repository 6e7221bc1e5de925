/*
 * outer_first.h - ranges that come inside out, brought in an order that viewers
 * draw right.
 *
 * A projected range comes after those inside of it, and often starts with
 * the first of them, its head.  Of two slices with the same start viewers
 * take the one that comes first for the outer one.  So the head of a range
 * waits for the range; what starts later than the head does not have to.
 */
#ifndef TQ_DRAW_OUTER_FIRST_H
#define TQ_DRAW_OUTER_FIRST_H

#include "tq/draw/saved.h"

/* {0} is empty */
struct heads {
	struct head *head; /* in the order in which they came */
	size_t count;

	/* a range can be drawn on its row */
	void (*put)(void *arg, void *row, const struct event *ev,
	    const struct when *when);
	void *arg;

	struct keep keep;
	struct event again; /* a range that waited */
};

/* The head of everything that is still waited for is put. */
void heads_finish(struct heads *h);

void heads_free(struct heads *h);

/*
 * A range, and when it is drawn.  It is put now or later, with what waited
 * for it behind it.
 */
void heads_add(struct heads *h, void *row, const struct event *ev,
    const struct when *when);

#endif
