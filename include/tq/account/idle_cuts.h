/*
 * idle_cuts.h - the time of a gap of a device, cut by its causes.
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
 * wait for the profiler is of that.
 *
 *	struct idle_cuts c = {.of = &lanes, .cut = add_part, .arg = state};
 *
 *	... idle_cuts_event(&c, ev, ts, end) for each record of the host,
 *	idle_cuts_operation(&c, ev, first_use) for each operation before its
 *	lane has it, idle_cuts_divide(&c, gap) for each gap, as it ends
 *	idle_cuts_reset(&c);
 *	idle_cuts_free(&c);
 */
#ifndef TQ_ACCOUNT_IDLE_CUTS_H
#define TQ_ACCOUNT_IDLE_CUTS_H

#include "tq/account/device_lanes.h"
#include "tq/account/event_waits.h"
#include "tq/account/host_time.h"

enum { IDLE_QUEUED = 10000 /* ns after a call, at least, are a queue */ };

/* [from, to) of a gap, which is not empty */
struct idle_part {
	enum gap_cause group;
	enum idle_cause cause;   /* IDLE_RANGE: a range with a name */
	struct host_thing thing; /* texts of idle_cuts.host */
	int64_t from, to;
};

/* set the first part; all else is 0 at first */
struct idle_cuts {
	const struct device_lanes *of;
	bool things; /* parts have things */
	void (*cut)(void *arg, const struct idle_part *part);
	void *arg;

	struct host_time host;
	struct event_waits waits;
	bool first_use; /* the call of the operation at hand loads it, */
	const struct event_wait *wait; /* and what it waits for; or NULL */
	struct text scratch;
};

/* The keys that parts need, beside ts, dur, pid, tid and name of all, and
   device, context, stream, api_ts and api_dur of operations. */
void idle_cuts_keys(struct keyset *want);

/* A record of kind api, osrt, overhead, range, gil, sched or sync. */
void idle_cuts_event(
    struct idle_cuts *c, const struct event *ev, int64_t ts, int64_t end);

/* An operation; first_use: as of first_uses_add(). */
void idle_cuts_operation(
    struct idle_cuts *c, const struct event *ev, bool first_use);

/* Hand out the parts of a gap of a device, in order of time: they leave nothing
   out. */
void idle_cuts_divide(struct idle_cuts *c, const struct lane_gap *gap);

/* A new section. */
void idle_cuts_reset(struct idle_cuts *c);

void idle_cuts_free(struct idle_cuts *c);

#endif
