/*
 * saved.h - records for later: a copy of the line, and of where its values
 * are, so that it is not parsed again.
 */
#ifndef SAVED_H
#define SAVED_H

#include "axis.h"
#include "tq/line/event.h"

struct saved_event;

/* saved records, one after the other; {0} is empty */
struct saved_list {
	struct saved_event *first, *last;
};

/* memory of dropped records; {0} has none */
struct saved_pool {
	struct saved_event *unused;
};

/*
 * A copy of a record and, unless drawn is NULL, of its time; for saved_drop or
 * saved_free.
 */
struct saved_event *saved_new(struct saved_pool *pool, const struct event *ev,
    const struct drawn_time *drawn);

/* Its memory serves the next saved_new. */
void saved_drop(struct saved_pool *pool, struct saved_event *e);

/* e may be NULL. */
void saved_free(struct saved_event *e);

/* Free the memory of dropped records. */
void saved_free_pool(struct saved_pool *pool);

/* Make *ev the record again; it borrows from *e. */
const struct event *saved_restore(
    const struct saved_event *e, struct event *ev);
const struct drawn_time *saved_time(const struct saved_event *e);

/* Append a record that is on no list; or all of another list. */
void saved_append(struct saved_list *list, struct saved_event *e);
void saved_join(struct saved_list *list, const struct saved_list *other);

/* Take the first record off the list; NULL if there is none. */
struct saved_event *saved_take(struct saved_list *list);

void saved_free_list(struct saved_list *list);

#endif
