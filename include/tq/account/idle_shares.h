/*
 * idle_shares.h - what the time of a gap of a device went into: causes, and the
 * things that they are of.
 *
 * The gap is cut along the time of the thread that launched the operation which
 * ends it (host_time.h), within the parts that gap.h has:
 *
 *	host     what the thread was in: a range, an OS call, a call of an API
 *	sync     the call that waited, and what ran last on the device
 *	launch   the call; or first-use of the kernel, if the call loads its
 *	         code, or code is loaded meanwhile; or queue, from the end of
 *	         the call on, if that is 10 us or more before the operation
 *	queue    the event that the stream of the operation waits for
 *	unknown  page-fault, of the side that touched it, if the operation
 *	         moves a page of unified memory that nobody prefetched
 *
 * The others are as they are.  In host and launch, time in which all threads
 * wait for the profiler is of that.  The shares of a gap add up to it, and
 * those of a part to the part.
 *
 *	struct idle_shares s = {.of = &lanes};
 *
 *	... idle_shares_event(&s, ev, ts, end) for each record of the host,
 *	idle_shares_operation(&s, ev) for each operation before its lane has it,
 *	idle_shares_divide(&s, gap) for each gap, as it ends
 *	idle_shares_reset(&s);
 *	idle_shares_free(&s);
 */
#ifndef TQ_ACCOUNT_IDLE_SHARES_H
#define TQ_ACCOUNT_IDLE_SHARES_H

#include "tq/account/device_lanes.h"
#include "tq/account/event_waits.h"
#include "tq/account/first_uses.h"
#include "tq/account/host_time.h"
#include "tq/base/keyed.h"

/* time of one cause and thing */
struct idle_share {
	enum gap_cause group;
	enum idle_cause cause;
	uint32_t thing; /* of idle_shares.things */
	uint64_t gap;   /* the last one that has it, */
	int64_t time;   /* and how long; at most its length */
};

/* set of and fold; all else is 0 at first */
struct idle_shares {
	const struct device_lanes *of;
	/* Shortens the name of a range in place; or NULL. */
	void (*fold)(struct text *name);

	struct host_time host;
	struct first_uses uses;
	struct event_waits waits;
	bool first_use; /* the call of the operation at hand loads it, */
	const struct event_wait *wait; /* and what it waits for; or NULL */
	uint64_t gaps;                 /* so far */
	struct map ends; /* (group, cause, name and file) -> index + 1 */
	KEYED(struct idle_share) all; /* so far, of all gaps */
	size_t *now;                  /* those of the gap, by index */
	size_t now_count, now_cap;
	struct intern things; /* the first is empty */
	struct text scratch;
};

/* A record of kind api, osrt, overhead, range, gil, sched or sync. */
void idle_shares_event(
    struct idle_shares *s, const struct event *ev, int64_t ts, int64_t end);

/* An operation. */
void idle_shares_operation(struct idle_shares *s, const struct event *ev);

/* A lane of devices had a gap: s->now are its shares, in any order. */
void idle_shares_divide(struct idle_shares *s, const struct lane_gap *gap);

/* A text as people read it, which is empty where nothing has a name. */
static inline struct span
idle_shares_thing(const struct idle_shares *s, const struct idle_share *share)
{
	return s->things.count > 0 ? intern_text(&s->things, share->thing)
				   : SPAN("");
}

/* A new section. */
void idle_shares_reset(struct idle_shares *s);

void idle_shares_free(struct idle_shares *s);

#endif
