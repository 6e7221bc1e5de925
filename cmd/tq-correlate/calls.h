/*
 * calls.h - the calls that may still launch something, by process and
 * correlation id.
 *
 * A producer that counts says of a call how many operations it launched
 * (key gpu): it is forgotten when they came and it returned.  Where it does
 * not count, or the operations were filtered out, a call is forgotten when
 * CALLS_PENDING younger ones came: more than devices have room for.
 */
#ifndef CALLS_H
#define CALLS_H

#include "tq/line/event.h"

#include "ends.h"
#include "ranges.h"

enum { CALLS_PENDING = 1 << 17 };

struct call {
	struct call *next; /* of its bucket */
	int64_t corr, pid;
	int64_t end;
	struct scope *scope;
	bool entered;   /* scope is set */
	bool ambiguous; /* another call had its corr */
	bool alone;     /* its only operation so far is not of a graph */
	bool returning; /* has all its operations */
	bool gone;      /* is forgotten, but in calls.returning */

	int64_t count; /* of operations to come in all, or NO_ID */
	int64_t came;
	uint64_t devices; /* that they ran on, a bit each (modulo 64) */

	struct text
	    members; /* for its operations: tid api_ts api_dur api_name */
	size_t tid_end, ts_end, dur_end;
	struct call *older, *newer;
	int64_t ts, tid;
};

struct calls {
	struct ranges *ranges;
	struct call **buckets; /* by process and correlation id */
	size_t held, size;     /* calls; buckets, 0 or a power of two */
	unsigned shift;        /* of a hash, to a bucket */
	struct call **fresh;   /* their ranges may not all be here yet */
	size_t fresh_count, fresh_cap;
	struct ends returning;
	bool counting; /* the producer does */
	struct call *oldest, *newest, *free;
};

void calls_free(struct calls *cs);

/* Take in the call at hand, which starts at ts. */
static inline void calls_add(
    struct calls *cs, const struct event *ev, int64_t ts);
void calls_take_in(struct calls *cs, const struct event *ev, int64_t ts);

/* The call that launched corr, or NULL. */
struct call *calls_find(const struct calls *cs, int64_t pid, int64_t corr);

/* Time goes beyond that of all that came so far: no range follows for it. */
static inline void calls_enter(struct calls *cs);
void calls_enter_fresh(struct calls *cs);

/* Time has come to ts: forget what returned and has all its operations. */
static inline void calls_expire(struct calls *cs, int64_t ts);
void calls_let_go(struct calls *cs, int64_t ts);

/* An operation of the call at hand came; true for the first on device. */
bool calls_count(struct calls *cs, struct call *c, int64_t device);

/* The operation was dealt with: the call may be forgotten. */
void calls_done(struct calls *cs, struct call *c, int64_t now);

/* Forget them all. */
void calls_clear(struct calls *cs);

static inline void
calls_add(struct calls *cs, const struct event *ev, int64_t ts)
{
	/* where the producer counts, others launch nothing */
	if (event_has(ev, KEY_corr) &&
	    (event_has(ev, KEY_gpu) || !cs->counting))
		calls_take_in(cs, ev, ts);
}

static inline void
calls_enter(struct calls *cs)
{
	if (cs->fresh_count > 0)
		calls_enter_fresh(cs);
}

static inline void
calls_expire(struct calls *cs, int64_t ts)
{
	if (ends_any(&cs->returning, ts))
		calls_let_go(cs, ts);
}

#endif
