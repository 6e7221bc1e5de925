/*
 * idle_shares.h - what the time of a gap of a device went into: causes, and the
 * things that they are of.
 *
 * A gap is cut as idle_cuts.h has it.  The shares of a gap add up to it, and
 * those of a part to the part.
 *
 *	struct idle_shares s = {
 *	    .cuts = {.of = &lanes, .things = true}};
 *
 *	... idle_shares_event(&s, ev, ts, end) for each record of the host,
 *	idle_shares_operation(&s, ev) for each operation before its lane has it,
 *	idle_shares_divide(&s, gap) for each gap, as it ends
 *	idle_shares_reset(&s);
 *	idle_shares_free(&s);
 */
#ifndef TQ_ACCOUNT_IDLE_SHARES_H
#define TQ_ACCOUNT_IDLE_SHARES_H

#include "tq/account/first_uses.h"
#include "tq/account/idle_cuts.h"
#include "tq/base/keyed.h"

/* time of one cause and thing */
struct idle_share {
	enum gap_cause group;
	enum idle_cause cause;
	uint32_t thing; /* of idle_shares.things */
	uint64_t gap;   /* the last one that has it, */
	int64_t time;   /* and how long; at most its length */
};

/* set of and things of cuts, and fold; all else is 0 at first */
struct idle_shares {
	struct idle_cuts cuts;
	/* Shortens the name of a range in place; or NULL. */
	void (*fold)(struct text *name);

	struct first_uses uses;
	uint64_t gaps;   /* so far */
	struct map ends; /* (group, cause, name and file) -> index + 1 */
	KEYED(struct idle_share) all; /* so far, of all gaps */
	size_t *now;                  /* those of the gap, by index */
	size_t now_count, now_cap;
	struct intern things; /* the first is empty */
	struct text scratch;
};

/* A record of kind api, osrt, overhead, range, gil, sched or sync. */
static inline void
idle_shares_event(
    struct idle_shares *s, const struct event *ev, int64_t ts, int64_t end)
{
	idle_cuts_event(&s->cuts, ev, ts, end);
}

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
