/*
 * event_counts.h - the number of events of a recording by type and fate:
 * events = records + paired + folded + lost + not read.
 */
#ifndef EVENT_COUNTS_H
#define EVENT_COUNTS_H

#include "source.h"
#include "tq/base/intern.h"

/* why events are lost */
#define EVENT_LOSSES(X) \
	X(SYNTAX, "syntax") \
	X(NO_OBJECT, "not an object") \
	X(NO_TYPE, "no type") \
	X(NO_TIME, "no time") \
	X(NO_VALUE, "not a number") \
	X(NO_FRAME, "no such frame") \
	X(END, "end without begin") \
	X(DROPPED, "dropped by the profiler")

enum event_loss {
#define X(id, text) EVENT_LOST_##id,
	EVENT_LOSSES(X)
#undef X
	    EVENT_LOSS_COUNT
};

struct event_count {
	int64_t events, records;
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
	int64_t lost[EVENT_LOSS_COUNT];
};

/* An event of this type is current. */
void event_counts_begin(struct event_counts *c, struct span type);

/* An earlier event of this type is current again: it becomes a record. */
void event_counts_recall(struct event_counts *c, struct span type);

/* The current event is lost; or n of them, which are events of its type. */
void event_counts_lose(struct event_counts *c, enum event_loss why);
void event_counts_lose_more(
    struct event_counts *c, enum event_loss why, int64_t n);

int64_t event_counts_lost(const struct event_counts *c);

/* Write a lost record for each reason. */
void event_counts_write(
    const struct event_counts *c, struct output *o, int64_t ts);

/* Print the lines of the report. */
void event_counts_check(const struct event_counts *c, struct check_sheet *s);

void event_counts_free(struct event_counts *c);

#endif
