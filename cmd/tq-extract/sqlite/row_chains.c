/* row_chains.c - the rows of a table that are events, in order of time */

#include <stdlib.h>

#include "row_chains.h"
#include "tq/base/array.h"

/* with more chains than this, sorting is cheaper than as many readers */
enum { MAX_CHAINS = 512 };

void
row_chains_free(struct row_chains *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->all[i].intervals);
	free(c->all);
}

/*
 * The chain for an event: the last to end of all that end before it, or a
 * new one.  NULL where there are too many.
 */
static struct row_chain *
find_chain(struct row_chains *all, int64_t ts, int64_t dur, unsigned number)
{
	struct row_chain *best = NULL;

	for (size_t i = 0; i < all->count; i++) {
		struct row_chain *c = &all->all[i];

		if (row_chain_continues(c, ts, dur, number) &&
		    (best == NULL ||
			row_chain_continues(best, c->ts, c->dur, c->number)))
			best = c;
	}
	if (best == NULL && all->count < MAX_CHAINS) {
		best = array_add(&all->all, &all->count, &all->cap);
		*best = (struct row_chain){0};
	}
	if (best != NULL)
		all->current = (size_t)(best - all->all);
	return best;
}

void
row_chains_begin(struct row_chains *all, int64_t rowid, int64_t ts, int64_t dur,
    unsigned number)
{
	struct row_chain *c = row_chains_current(all);

	if (all->count == 0 || !row_chain_continues(c, ts, dur, number))
		c = find_chain(all, ts, dur, number);
	if (c == NULL) {
		all->unsorted = true;
		return;
	}
	*array_add(&c->intervals, &c->count, &c->cap) =
	    (struct rowids){rowid, rowid};
	c->ts = ts;
	c->dur = dur;
	c->number = number;
}
