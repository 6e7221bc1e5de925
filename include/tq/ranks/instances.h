/*
 * instances.h - which operations of several ranks are one collective or one
 * message, and who waited for whom in it.
 *
 * All times are of one clock.  The operations of a communicator come in the
 * same order on all of its ranks, but a recording may begin later than another,
 * and lack some.  So the first operations of all ranks that are left are one
 * instance if
 *
 *	- they have the same kind, and where they are known the same root and
 *	  size,
 *	- where all have a number in the communicator, the same number, else
 *	- none left before the data of another can have reached it, as
 *	  instances_waits_for() has it;
 *
 * if not, that operation is unmatched whose number is least, or which ended
 * first.  Messages are matched likewise, for each pair of ranks and direction.
 *
 * Operations that not all ranks of their communicator have entered yet are
 * held.
 */
#ifndef TQ_RANKS_INSTANCES_H
#define TQ_RANKS_INSTANCES_H

#include "tq/base/keyed.h"
#include "tq/ranks/operation.h"

enum { ENTRY_KEPT = 8 };

/* an operation on one rank; an unknown member is NO_ID, or -1 */
struct rank_entry {
	uint32_t rank;      /* the caller's number of it, from 0 */
	uint8_t kind;       /* enum operation_kind */
	int32_t me, peer;   /* in the communicator; peer: or root */
	int64_t start, end; /* ns */
	int64_t bytes;      /* of its message */
	int64_t number;     /* in the communicator */
	int64_t wait;       /* of an instance: ns that it waited for others */
	int64_t kept[ENTRY_KEPT]; /* whatever the caller needs again */
};

/* operations that are one */
struct instance {
	uint32_t comm;            /* the caller's number of the communicator */
	enum operation_kind kind; /* of a message: send, or send-receive */
	struct rank_entry *all;   /* of a message from one to another rank, the
				     sender's first */
	size_t count;             /* ranks: 2 at least */
	int64_t first, entry;     /* when the first and the last one entered */
	int64_t until;            /* when the last one left */

	/*
	 * The rank that entered last and that another waited for; its index, or
	 * count where there is none.  lead is how much later it entered than
	 * the second latest, which is all[second]; cost is the time that all
	 * others waited.
	 */
	size_t last, second;
	int64_t lead, cost;
};

struct instances_lane;
struct instances_comm;

/* of a rank */
struct instances_rank {
	int64_t from, to;  /* its recording, ns */
	int64_t spread;    /* ns that its clock may be off */
	int64_t unmatched; /* operations */
	int64_t lacking; /* operations of others that are unmatched as it lacks
			    them */
};

/* set take and arg; all else is 0 at first */
struct instances {
	void (*take)(void *arg, const struct instance *instance);
	void *arg;

	struct instances_rank *ranks;
	size_t rank_count, rank_cap;
	struct instances_comm *comms;
	size_t comm_count, comm_cap;
	KEYED(struct instances_lane *) lanes; /* comm and type, pair */
	struct rank_entry *all;               /* of the instance at hand */
	size_t cap;
};

/*
 * A rank; the first is number 0.  Operations match if one left at most three
 * times the spreads of the two, and 1 us, before another entered.
 */
void instances_rank(
    struct instances *in, int64_t from, int64_t to, int64_t spread);

/* A communicator; the first is number 0. */
void instances_comm(struct instances *in);

/* The rank has operations in it, and is the rank me there; -1: unknown.  All
   ranks of a communicator before its first operation. */
void instances_member(
    struct instances *in, uint32_t comm, uint32_t rank, int32_t me);

/*
 * Add an operation, in order of start; an operation of a rank that is no member
 * is unmatched.  take is called for each instance that this completes.
 */
void instances_add(
    struct instances *in, uint32_t comm, const struct rank_entry *e);

/* All operations were added: held ones are unmatched. */
void instances_finish(struct instances *in);

/*
 * True if a rank cannot leave an instance before another enters: in all-reduce,
 * all-gather, reduce-scatter, barrier, all-to-all and where two send and
 * receive in one group any for any other; in broadcast and scatter all for the
 * root; in reduce and gather the root for all; the receiver for the sender.
 */
bool instances_waits_for(enum operation_kind kind,
    const struct rank_entry *leaves, const struct rank_entry *enters);

/* True of the root of a broadcast, scatter, reduce or gather. */
bool instances_is_root(const struct rank_entry *e);

void instances_free(struct instances *in);

#endif
