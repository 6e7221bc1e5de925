/*
 * event_losses.h - why events of a recording are lost, and how many
 */
#ifndef EVENT_LOSSES_H
#define EVENT_LOSSES_H

#include "source.h"
#include "tq/evidence/evidence.h"

/* in the order of their records */
#define EVENT_LOSSES(X) \
	X(SYNTAX, "syntax") \
	X(NO_OBJECT, "not an object") \
	X(NO_TYPE, "no type") \
	X(NO_PHASE, "no phase") \
	X(PHASE, "unknown phase") \
	X(NO_TIME, "no time") \
	X(ZERO_TIME, EVIDENCE_NO_TIME) \
	X(BACKWARD, EVIDENCE_BACKWARD) \
	X(NO_VALUE, "not a number") \
	X(NO_FRAME, "no such frame") \
	X(COUNTER, "counter value") \
	X(END, "end without begin") \
	X(TRACK_VALUE, "counter value") \
	X(COMPRESSED, "compressed packet") \
	X(DROPPED, "dropped by the profiler")

enum event_loss {
#define X(id, text) EVENT_LOST_##id,
	EVENT_LOSSES(X)
#undef X
	    EVENT_LOSS_COUNT
};

struct event_losses {
	int64_t of[EVENT_LOSS_COUNT];
};

/* The number of events that are lost. */
int64_t event_losses_sum(const struct event_losses *l);

/* TQ_FAIL if the recording is at fault; TQ_OK if its profiler is. */
int event_losses_status(const struct event_losses *l);

/* Write a lost record for each reason; or add how many these are. */
void event_losses_write(const struct event_losses *l, struct output *o,
    int64_t ts, const char *what);
void event_losses_count(
    const struct event_losses *l, int64_t counts[KIND_COUNT]);

/* Print the lines of the report. */
void event_losses_check(const struct event_losses *l, struct check_sheet *s);

#endif
