/*
 * stream_waits.h - which operation an operation waited for: a stream that waits
 * for an event goes on when the operations are done that another stream had got
 * before it recorded the event.
 *
 * Operations of a stream run in the order of their correlation ids.
 */
#ifndef STREAM_WAITS_H
#define STREAM_WAITS_H

#include "tq/base/map.h"
#include "tq/base/region.h"
#include "tq/draw/sink.h"

enum {
	STREAM_WAITS_RECENT = 256,  /* operations of a stream that are known */
	STREAM_WAITS_PENDING = 256, /* waits of a stream; the oldest goes */
	STREAM_WAITS_FAN = 8        /* flows from an operation, at most */
};

/* {0} has no stream */
struct stream_waits {
	struct map map; /* (process and context, stream) -> stream */
	struct map contexts;
	struct region region;
};

/* an operation that is drawn */
struct stream_operation {
	const struct track *track;
	int64_t corr, start, end;
	uint64_t flow;  /* number of the next flow from it */
	unsigned flows; /* that are left */
};

/* Forget all streams: a new section. */
void stream_waits_reset(struct stream_waits *w);

/* A stream; the same one until stream_waits_reset. */
struct waiting_stream *stream_waits_stream(
    struct stream_waits *w, int64_t pid, int64_t context, int64_t stream);

/*
 * The call corr makes s wait for the event that the call recorded put into
 * other.
 */
void stream_waits_add(struct stream_waits *w, struct waiting_stream *s,
    struct waiting_stream *other, int64_t corr, int64_t recorded);

/*
 * The flows that an operation may need that comes next in s: as many streams as
 * have waited for one of its operations so far.  A viewer's file must have them
 * at the operation, often before a stream waits for it.
 */
unsigned stream_waits_fan(const struct waiting_stream *s);

/* The operation o comes next in s. */
void stream_waits_operation(struct stream_waits *w, struct waiting_stream *s,
    const struct stream_operation *o);

/*
 * The next operation that the call corr had to wait for on its stream s, and
 * that ended by start, and has a flow; NULL if there is none any more.
 */
struct stream_operation *stream_waits_next(
    struct waiting_stream *s, int64_t corr, int64_t start);

/* True if stream_waits_next is worth a call. */
bool stream_waits_pending(const struct waiting_stream *s);

#endif
