/*
 * held_gaps.h - gaps of which launches to come decide whether they are inside
 * of a run, see runs.h: a few for each stream.
 */
#ifndef TQ_ADVICE_HELD_GAPS_H
#define TQ_ADVICE_HELD_GAPS_H

#include "tq/account/account.h"
#include "tq/account/idle_cause.h"
#include "tq/advice/dry_waits.h"
#include "tq/line/event.h"

/* a piece of idle time: what the thread did in it, and which rules may claim it
 */
struct idle_cut {
	int64_t ts, end;
	uint64_t mask;
	enum idle_cause cause;
	uint32_t place; /* see host_places.h; 0: none */
	bool claimed;   /* a rule claims the place */
	bool dry;       /* the wait at which the device ran dry exposes it */
};

/* idle time of a device, and who may claim it */
struct idle_claim {
	size_t device; /* in engine.devices */
	enum account_part part;
	int64_t ts, end, corr;
	int64_t gap, gap_ends; /* ns of the whole gap, and its end */
	uint64_t mask; /* rules, but for rules that the gap itself matches */
	struct dry_wait wait; /* at which the device ran dry */
	uint32_t began;       /* in this call, see engine.host; 0: in none */
	struct idle_cut *cuts;
	size_t cut_count;
};

struct held_gap {
	int64_t launch;          /* that ended it */
	struct idle_claim claim; /* its cuts are there once it is read */
	struct keyset has;       /* the keys of its record, */
	uint64_t extra,
	    is_bool;      /* and those of rules, see struct event_extra */
	struct text kept; /* what they are, and the cuts */
};

/* of a stream, in order of launch */
struct held_stream {
	struct held_gap *all;
	size_t first, count, cap; /* those before first are gone */
};

/* {0} is empty */
struct held_gaps {
	struct held_stream *streams; /* by index in runs.streams */
	size_t count, cap;
	struct text *spare; /* room of gaps that were dropped */
	size_t spare_count, spare_cap;
};

/*
 * Hold a gap of a stream: its event, and its claim.  The cuts are copied, the
 * rest is given away.
 */
void held_gaps_add(struct held_gaps *h, size_t stream, struct held_gap gap,
    const struct event *ev);

/*
 * Make ev its event again, with the keys of rules in extra, and give its claim
 * the cuts; all of it is good until the gap is dropped.
 */
void held_gaps_read(
    struct held_gap *g, struct event *ev, struct event_extra *extra);

/* The first gap of a stream, or NULL. */
struct held_gap *held_gaps_first(const struct held_gaps *h, size_t stream);

/* Forget it. */
void held_gaps_drop(struct held_gaps *h, size_t stream);

void held_gaps_free(struct held_gaps *h);

#endif
