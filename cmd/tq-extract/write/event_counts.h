/*
 * event_counts.h - the number of events of a recording by type and fate:
 * events = records + paired + folded + lost + not read.
 */
#ifndef EVENT_COUNTS_H
#define EVENT_COUNTS_H

#include "event_losses.h"
#include "tq/base/intern.h"

struct event_count {
	int64_t events; /* and further records of one event */
	int64_t records;
	int64_t paired; /* ends of what began */
	int64_t folded; /* their meaning is elsewhere */
	int64_t lost, unread;
};

/* {0} is empty */
struct event_counts {
	struct intern types;
	struct event_count *all; /* by number of its type */
	size_t count, cap;
	struct event_count *now; /* of the current event */
	struct event_losses losses;
};

/* An event of this type is current. */
void event_counts_begin(struct event_counts *c, struct span type);

/* An earlier event of this type is current again: it becomes a record. */
void event_counts_recall(struct event_counts *c, struct span type);

/* The current event is lost; or n of them, which are events of its type. */
void event_counts_lose(struct event_counts *c, enum event_loss why);
void event_counts_lose_more(
    struct event_counts *c, enum event_loss why, int64_t n);

/* Add the columns of a count to a row, all but the last. */
void event_counts_columns(struct table *t, const struct event_count *n);

/* Print the lines of the report. */
void event_counts_check(const struct event_counts *c, struct check_sheet *s);

void event_counts_free(struct event_counts *c);

#endif
