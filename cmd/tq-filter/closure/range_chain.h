/*
 * range_chain.h - the ranges that are open on each thread.
 *
 * A range points to the youngest one that was open when it started, and so on:
 * all ranges around a moment are in the chain of the youngest that is open
 * then.  A range that is over stays as long as a call that started in it may
 * still need the chain.
 */
#ifndef RANGE_CHAIN_H
#define RANGE_CHAIN_H

#include "tq/base/time.h"
#include "tq/join/nesting.h"

struct chained_range {
	int64_t ts, end;
	uint64_t record;
	struct chained_range *below;
	unsigned users;     /* calls, ranges above, the thread */
	bool nests;         /* can be a parent: it has one thread, and an end */
	unsigned char done; /* marks that it and all below it have */
	int64_t depth;
	uint64_t domain; /* a hash of its name */
};

enum chain_mark { CHAIN_KEEP, CHAIN_CUT };

/* {0} has no range; nesting_thread.around is the youngest of a thread */
struct range_chain {
	struct nesting nesting;
	struct chained_range *free;
};

/*
 * The youngest range of (pid, tid) that is open at ts or ended there, or
 * NULL; good until range_chain_add, or longer with range_chain_use.
 */
struct chained_range *range_chain_top(
    struct range_chain *c, int64_t pid, int64_t tid, int64_t ts);

/* Put a range on top; the ranges around it give it its depth. */
struct chained_range *range_chain_add(struct range_chain *c, int64_t pid,
    int64_t tid, const struct chained_range *added);

/* Keep r until range_chain_leave; r may be NULL. */
struct chained_range *range_chain_use(struct chained_range *r);
void range_chain_leave(struct range_chain *c, struct chained_range *r);

/*
 * Call add with the records of all ranges from top on that were open when
 * [ts, end] started: each once for each mark, or sometimes again.
 */
void range_chain_mark(struct chained_range *top, int64_t ts, int64_t end,
    enum chain_mark mark, void (*add)(void *, uint64_t), void *arg);

/* Forget all ranges; none is in use any more. */
void range_chain_clear(struct range_chain *c);

void range_chain_free(struct range_chain *c);

#endif
