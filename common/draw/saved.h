/*
 * saved.h - records that are needed later: a copy of the line, and of what
 * was found in it, so that it need not be taken apart again.
 */
#ifndef SAVED_H
#define SAVED_H

#include "axis.h"
#include "tq/line/event.h"

/* one record */
struct saved_event;

/* records one after the other; {0} is empty */
struct saved_list {
	struct saved_event *first, *last;
};

/* memory for records; {0} has none */
struct saved_pool {
	struct saved_event *unused;
};

/*
 * A copy of a record, and of when it is drawn unless that is NULL; for
 * keep_drop or kept_free.
 */
struct saved_event *saved_new(struct saved_pool *k, const struct event *ev,
    const struct drawn_time *drawn);
void saved_drop(struct saved_pool *k, struct saved_event *r);

/* May be given NULL. */
void saved_free(struct saved_event *r);

/* Free what was dropped. */
void saved_free_pool(struct saved_pool *k);

/* The record as it was; borrows from *r, and *ev is its own till then. */
const struct event *saved_restore(
    const struct saved_event *r, struct event *ev);
const struct drawn_time *saved_time(const struct saved_event *r);

/* Put a record, which is on no list, or a list behind what is on the list. */
void saved_append(struct saved_list *list, struct saved_event *r);
void saved_join(struct saved_list *list, const struct saved_list *other);

/* Take the first, or NULL. */
struct saved_event *saved_take(struct saved_list *list);

void saved_free_list(struct saved_list *list);

#endif
