/*
 * row_chains.h - the rows of a table that are events, in order of time.
 *
 * Rows are nearly always written in order of time, but for some that came
 * late, or one thread after the other.  So a table is cut into intervals that
 * are in order, which make few chains, each to be read once.
 */
#ifndef ROW_CHAINS_H
#define ROW_CHAINS_H

#include "row_source.h"

/*
 * Rows that are no events do not end an interval, up to so many in a row.
 */
enum { ROW_CHAINS_GAP = 256 };

/* rows in order of time, as intervals of rowids that ascend */
struct row_chain {
	struct rowids *intervals;
	size_t count, cap;
	int64_t ts, dur; /* of the last row */
	unsigned number; /* of its table, where a chain has rows of several */
};

/* {0} has no events */
struct row_chains {
	struct row_chain *all;
	size_t count, cap;
	size_t current; /* of the last event */
	bool unsorted;  /* too many chains: sorting is cheaper */
};

void row_chains_free(struct row_chains *c);

/* Not to be called directly: an event that begins an interval. */
void row_chains_begin(struct row_chains *c, int64_t rowid, int64_t ts,
    int64_t dur, unsigned number);

static inline bool
row_chain_continues(
    const struct row_chain *c, int64_t ts, int64_t dur, unsigned number)
{
	if (c->ts != ts)
		return c->ts < ts;
	return c->dur > dur || (c->dur == dur && c->number <= number);
}

/* The chain of the last event; NULL before the first. */
static inline struct row_chain *
row_chains_current(const struct row_chains *all)
{
	return all->count > 0 ? &all->all[all->current] : NULL;
}

/* Add an event; rowids ascend.  number: of its table, see row_merge.h */
static inline void
row_chains_add(struct row_chains *all, int64_t rowid, int64_t ts, int64_t dur,
    unsigned number)
{
	struct row_chain *c = row_chains_current(all);
	struct rowids *last;

	if (all->unsorted)
		return;
	if (c == NULL || !row_chain_continues(c, ts, dur, number) ||
	    (uint64_t)rowid - (uint64_t)c->intervals[c->count - 1].last >
		ROW_CHAINS_GAP) {
		row_chains_begin(all, rowid, ts, dur, number);
		return;
	}
	last = &c->intervals[c->count - 1];
	last->last = rowid;
	c->ts = ts;
	c->dur = dur;
	c->number = number;
}

#endif
