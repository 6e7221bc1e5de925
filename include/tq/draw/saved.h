/*
 * saved.h - records that are needed later: a copy of the line, and of what
 * was found in it, so that it need not be taken apart again.
 */
#ifndef TQ_DRAW_SAVED_H
#define TQ_DRAW_SAVED_H

#include "tq/draw/axis.h"
#include "tq/line/event.h"

/* one record */
struct kept;

/* records one after the other; {0} is empty */
struct kept_list {
	struct kept *first, *last;
};

/* memory for records; {0} has none */
struct keep {
	struct kept *unused;
};

/*
 * A copy of a record, and of when it is drawn unless that is NULL; for
 * keep_drop or kept_free.
 */
struct kept *keep_record(
    struct keep *k, const struct event *ev, const struct when *when);
void keep_drop(struct keep *k, struct kept *r);

/* May be given NULL. */
void kept_free(struct kept *r);

/* Free what was dropped. */
void keep_free(struct keep *k);

/* The record as it was; borrows from *r, and *ev is its own till then. */
const struct event *kept_event(const struct kept *r, struct event *ev);
const struct when *kept_when(const struct kept *r);

/* Put a record, which is on no list, or a list behind what is on the list. */
void kept_add(struct kept_list *list, struct kept *r);
void kept_join(struct kept_list *list, const struct kept_list *other);

/* Take the first, or NULL. */
struct kept *kept_take(struct kept_list *list);

void kept_free_list(struct kept_list *list);

#endif
