/*
 * rank_work.h - the work of each rank of a stream, in all and from one
 * operation of communication to the next.
 *
 * Operations are held in a sorter, 64 MiB of them in memory; steps and sums of
 * ranks, too.
 */
#ifndef STATS_RANK_WORK_H
#define STATS_RANK_WORK_H

#include "tq/account/device_pieces.h"
#include "tq/ask/range_spec.h"
#include "tq/io/sorter.h"
#include "tq/ranks/job.h"

/* the work of a rank before it enters a collective */
enum rank_excess {
	EXCESS_COMPUTE, /* a kernel runs that is no communication */
	EXCESS_COPY,    /* else a copy does */
	EXCESS_LATE, /* idle, and the call that launches the next operation has
			not returned */
	EXCESS_IDLE, /* nothing does, for another cause */
	EXCESS_PARTS
};

struct work_step {
	int64_t number; /* at the end of its name, else from 0 */
	int64_t ts, end;
};

/* the steps of a process, one after the other */
struct work_process {
	struct work_step *all;
	size_t count, cap;
	int64_t ranges; /* that may be steps so far */
};

struct work_rank {
	int64_t first, until; /* its first operation, and its last end */
	int64_t parts[ACCOUNT_PARTS];    /* of all of its time, ns */
	int64_t in_steps[ACCOUNT_PARTS]; /* of its steps */
};

/* an operation of communication, and what its rank did before */
struct work_operation {
	struct job_operation op;
	int64_t after; /* end of the one before in its communicator, NO_ID for
			* the first: since then the rank did */
	int64_t did[EXCESS_PARTS]; /* ns */
	int64_t step;              /* its number; NO_ID: none */
};

/* the last operation of a rank in a communicator */
struct work_sequence {
	bool any;
	bool waits; /* time has not come to its end yet */
	int64_t end;
	int64_t done[EXCESS_PARTS]; /* of the device until that end */
};

struct work_device;

/* set job.names and spec; all else is 0 at first */
struct rank_work {
	struct job job;
	const struct range_spec *spec; /* of steps */
	bool gave_up; /* a regular expression took too many steps */

	/* each by the index of the job */
	struct work_process *processes;
	struct work_rank *ranks;
	struct work_sequence *sequences;
	size_t process_count, process_cap, rank_count, rank_cap, sequence_count,
	    sequence_cap;

	/* while it reads */
	struct device_pieces pieces;
	struct sorter *sorter;
	struct work_device *devices; /* by index in pieces */
	size_t device_count, device_cap;
	struct text scratch;
};

/* After job.names and spec were set. */
void rank_work_open(struct rank_work *w);

/* The keys that it needs. */
void rank_work_keys(struct keyset want[]);

/* A record; exits where the disk of the sorter is full. */
void rank_work_event(struct rank_work *w, const struct event *ev);
void rank_work_section_end(struct rank_work *w);

/* Work that another read: the steps of a rank, its time, an operation. */
struct work_process *rank_work_process(struct rank_work *w, size_t rank);
struct work_rank *rank_work_rank(struct rank_work *w, size_t rank);
void rank_work_add(struct rank_work *w, const struct work_operation *op);

/* Hand out all operations in order of time, once. */
void rank_work_operations(struct rank_work *w,
    void (*put)(void *arg, const struct work_operation *op), void *arg);

/* The steps of a rank; and its time in them by part, ns, or all of it where it
   has none. */
const struct work_process *rank_work_steps(
    const struct rank_work *w, size_t rank);
const int64_t *rank_work_parts(const struct rank_work *w, size_t rank);

void rank_work_free(struct rank_work *w);

#endif
