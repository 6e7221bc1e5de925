/*
 * waiting.h - who waits for whom: the operations of communication of all ranks
 * of a stream, matched, and the cost of waits.
 *
 * Several reports are made of it: reports beside each other share one.
 */
#ifndef STATS_WAITING_H
#define STATS_WAITING_H

#include "tq/account/durations.h"
#include "tq/base/squares.h"
#include "tq/ranks/instances.h"

#include "rank_work.h"
#include "report.h"
#include "work_lines.h"

enum { WORST = 3 };

/* operations of a communicator, of one kind and about one size */
struct wait_size {
	uint32_t comm;
	enum operation_kind kind;
	unsigned size;              /* dist_bucket() of a message; 0: unknown */
	int64_t operations;         /* on all ranks */
	wide bytes, time;           /* of these */
	int64_t ranks;              /* of an instance, at most */
	int64_t instances, matched; /* matched: operations in them */
	wide wait, transfer;        /* of these */
	wide moved, bus, moving;    /* bytes, bytes on the bus, ns */
	struct durations skews;     /* from the first to the last entry */
	int64_t skew;               /* the largest */
};

/* a stretch before an operation: ns more than the others took */
struct wait_stretch {
	int64_t excess, from, to;
};

/* a rank in a communicator, or the sum of several */
struct wait_rank {
	uint32_t rank;
	int64_t instances, last, undecided;
	int64_t chance;      /* of being last: the sum of 1 / ranks, in 10^-6 */
	wide wait, in_steps; /* its own; of its steps */
	wide cost, lead;     /* where it was last, as in instances.h */

	/* of its largest communicator: more than the median of the others */
	int64_t stretches;
	wide excess[EXCESS_PARTS], total;
	struct squares squares; /* of the total of each */
	struct wait_stretch worst[EXCESS_PARTS][WORST];
};

/* a rank in a step, where it was last */
struct wait_step {
	int64_t step;
	uint32_t rank;
	int64_t last;
	wide cost, lead, excess[EXCESS_PARTS];
};

struct waiting {
	struct rank_work work;
	struct range_spec standard;    /* steps without --step */
	KEYED(struct wait_size) sizes; /* comm and kind, size */
	KEYED(struct wait_rank) ranks; /* rank, comm */
	KEYED(struct wait_step) steps; /* step, rank */
	KEYED(int64_t) instances;      /* by step: how many */
	struct instances matching;
	struct work_part part; /* while parts are merged */
	int64_t *values;       /* of the instance at hand, sorted */
	size_t value_cap;
	bool over;
	int users;
	const struct report *first; /* of them, which hands records on */
};

/* A report of the four: a record, the end of a section, its end.  Its state is
   a struct waiting *, NULL before the first record. */
void waiting_event(struct report *r, const struct event *ev);
void waiting_section_end(struct report *r);
void waiting_close(struct report *r);

/* Its lines of a partial; reports beside each other share them, too. */
extern const struct part_lines waiting_part_lines;

/*
 * All records were read: match operations, and print once how many could not be
 * matched.  has_rows: the report has rows without instances, too.  NULL: there
 * were no records.
 */
struct waiting *waiting_finish(const struct report *r, bool has_rows);

/* the mean divided by its standard error; 0 without one, HUGE_VALL where a rank
   always takes as much longer */
long double waiting_errors(const struct wait_rank *r);

/* The largest part of its excess; EXCESS_PARTS if none is above 0. */
enum rank_excess waiting_cause(const wide excess[]);
const char *waiting_cause_name(enum rank_excess part);

/* The active span of a rank, ns: from its first operation to its last end. */
int64_t waiting_wall(const struct waiting *w, size_t rank);

#endif
