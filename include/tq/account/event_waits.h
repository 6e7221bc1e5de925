/*
 * event_waits.h - what operations waited for in the queues of their streams: an
 * event, which another stream recorded.
 *
 * A stream wait is of the next operation that is launched to its stream.  Of a
 * stream the last STREAM_WAITS are held.
 *
 *	struct event_waits w = {0};
 *
 *	... event_waits_add(&w, ev) for each record of kind sync,
 *	wait = event_waits_of(&w, ev) for each operation, in order of ts
 *	event_waits_reset(&w);
 *	event_waits_free(&w);
 */
#ifndef TQ_ACCOUNT_EVENT_WAITS_H
#define TQ_ACCOUNT_EVENT_WAITS_H

#include "tq/base/numbered.h"
#include "tq/line/event.h"

enum { STREAM_WAITS = 32 };

struct event_wait {
	int64_t ts;              /* of the call */
	int64_t event;           /* NO_ID: unknown */
	int64_t context, stream; /* that recorded it; stream: NO_ID: unknown */
	bool other_context;      /* than that of the stream which waits */
};

/* a stream that waits */
struct stream_queue {
	int64_t launched; /* the call of its last operation */
	struct event_wait all[STREAM_WAITS]; /* a ring */
	size_t count;                        /* so far */
};

/* {0} is empty */
struct event_waits {
	NUMBERED(struct stream_queue) streams; /* see names/model.h */
};

/* A record of kind sync; others than waits of a stream are ignored. */
void event_waits_add(struct event_waits *w, const struct event *ev);

/* The last wait that was put into the stream of an operation before its call,
   and after the call of the one before; NULL if there is none.  Good until the
   next call. */
const struct event_wait *event_waits_of(
    struct event_waits *w, const struct event *ev);

/* "event 3 of stream 7" */
void event_waits_text(struct text *t, const struct event_wait *wait);

/* A new section. */
void event_waits_reset(struct event_waits *w);

void event_waits_free(struct event_waits *w);

#endif
