/*
 * rank_waits.h - kernels of communication and their partners on other ranks:
 * which rank waited, and for which.
 *
 * It is computed in a first reading of the stream, and looked up in a second
 * one, kernel by kernel.  100 bytes are held for each operation of
 * communication, and what tq/ranks/job.h holds.
 */
#ifndef TQ_RANKS_RANK_WAITS_H
#define TQ_RANKS_RANK_WAITS_H

#include "tq/ranks/job.h"

/*
 * The ends of arrows that a kernel has: an arrow leads from who entered first
 * to who entered later, to the rank that others wait for, or from a root that
 * nobody has to wait for.  from and to are the number of the first one, of
 * consecutive ones.
 */
struct rank_ends {
	uint64_t from, to;
	unsigned from_count, to_count;
};

struct kernel_wait {
	uint64_t kernel;    /* number of its record, from 0 */
	int64_t peers;      /* ranks of its instance; 0: it is of none */
	int64_t wait;       /* ns from its start; 0: it did not wait */
	int64_t rank;       /* number of the rank that all wait for; NO_ID:
			     * they wait for none */
	uint32_t awaited;   /* its index in the job, if there is one */
	int32_t last_share; /* of its instances that one was the last in so
			     * many percent */
	struct rank_ends ends;
};

struct wait_candidate;

/* {0} is empty */
struct rank_waits {
	struct kernel_wait *all; /* in order of kernels */
	size_t count;
	size_t next;
	uint64_t kernels; /* seen so far */
	uint64_t arrows;
	int64_t unmatched;
	bool apart; /* there are no two ranks on one clock */

	/* while it reads */
	struct names names;
	struct job job;
	bool open;
	int64_t *instances, *lasts; /* of each rank */
	struct wait_candidate *candidates;
	size_t candidate_count, candidate_cap;
};

/* The keys that rank_waits_event needs. */
void rank_waits_keys(struct keyset want[]);

/* The first reading: each record, and then the end. */
void rank_waits_event(struct rank_waits *w, const struct event *ev);
void rank_waits_finish(struct rank_waits *w);

/*
 * The second: each kernel that has a ts, in order.  Returns its wait, or NULL.
 */
const struct kernel_wait *rank_waits_kernel(struct rank_waits *w);

void rank_waits_free(struct rank_waits *w);

#endif
