/*
 * rank_work.h - what each rank of a stream did, and what it did from one
 * operation of communication to the next.
 *
 * A rank is a device of a process.  Its number is that of the definition of the
 * process, else that of the section; ranks that have none are numbered from 0,
 * in order of section, process and device.
 *
 * Operations are held in a sorter, 64 MiB of them in memory; steps and sums of
 * ranks, too.
 */
#ifndef STATS_RANK_WORK_H
#define STATS_RANK_WORK_H

#include "tq/account/pieces.h"
#include "tq/ask/range_spec.h"
#include "tq/io/sorter.h"
#include "tq/names.h"
#include "tq/ranks/operation.h"

/* what a rank does before it enters a collective */
enum rank_excess {
	EXCESS_COMPUTE, /* a kernel runs that is no communication */
	EXCESS_COPY,    /* else a copy does */
	EXCESS_LATE,    /* nothing does, and the call that launches what comes
			 * next has not returned */
	EXCESS_IDLE,    /* nothing does, for another cause */
	EXCESS_PARTS
};

struct work_step {
	int64_t number; /* at the end of its name, else from 0 */
	int64_t ts, end;
};

/* the steps of a process, one after the other */
struct work_process {
	int64_t section, pid;
	struct work_step *all;
	size_t count, cap;
	int64_t ranges; /* that may be steps so far */
};

struct work_rank {
	int64_t number;
	int64_t section, pid, device; /* device: NO_ID without one */
	size_t process;               /* index */
	struct span host;             /* empty: unknown */
	int64_t clock;    /* ranks whose times can be compared have the same */
	int64_t spread;   /* ns that its clock may be off, or 0 */
	int64_t from, to; /* its recording */
	int64_t first, until; /* its first operation, and its last end */
	int64_t parts[ACCOUNT_PARTS];    /* of all of its time, ns */
	int64_t in_steps[ACCOUNT_PARTS]; /* of its steps */
};

/* an operation of communication */
struct work_operation {
	uint32_t rank, comm; /* indices */
	uint8_t kind;        /* enum operation_kind */
	int32_t me, peer;    /* -1: unknown */
	int64_t start, end, bytes, number;
	int64_t after; /* end of the one before in its communicator, NO_ID for
			* the first: since then the rank did */
	int64_t did[EXCESS_PARTS]; /* ns */
	int64_t step;              /* its number; NO_ID: none */
};

/* the operations of a rank in a communicator */
struct work_sequence {
	uint32_t rank, comm;
	int64_t members, me; /* NO_ID: unknown */
	int64_t count;
	int64_t next;               /* number of the next operation */
	bool numbered;              /* operations had the numbers 0, 1, 2 ... */
	int64_t end;                /* of its last operation */
	bool waits;                 /* time has not come to that end */
	int64_t done[EXCESS_PARTS]; /* of the device until that end */
};

/* a stream that stands for a communicator */
struct work_stream {
	size_t rank;
	uint32_t comm;
};

struct work_device;

/* set names and spec; all else is 0 at first */
struct rank_work {
	const struct names *names;     /* definitions of the section */
	const struct range_spec *spec; /* of steps */

	struct intern comms;                   /* names of communicators */
	KEYED(struct work_process) processes;  /* section, pid */
	KEYED(struct work_rank) ranks;         /* process, device */
	KEYED(struct work_sequence) sequences; /* rank, comm */
	bool unnamed; /* some communicators are not known: streams stand for
		       * them */
	bool gave_up; /* a regular expression took too many steps */

	/* while it reads */
	struct operation_reader operations;
	struct pieces pieces;
	struct sorter *sorter;
	KEYED(struct work_stream) streams; /* rank, stream */
	struct work_device *devices;       /* by index in pieces */
	size_t device_count, device_cap;
	int64_t section;
	int64_t rank, spread, clock; /* of the section */
	struct text host, scratch;
	int64_t from, to;
	bool open;
	struct region texts;
};

/* The keys that it needs. */
void rank_work_keys(struct keyset want[]);

/* A record; exits where the disk of the sorter is full. */
void rank_work_event(struct rank_work *w, const struct event *ev);
void rank_work_section_end(struct rank_work *w);

/* All records were read: numbers of ranks are known. */
void rank_work_finish(struct rank_work *w);

/* Hand out all operations in order of time, once. */
void rank_work_operations(struct rank_work *w,
    void (*put)(void *arg, const struct work_operation *op), void *arg);

/* The time in its steps, or all of it where it has none, by part, ns. */
const int64_t *rank_work_parts(
    const struct rank_work *w, const struct work_rank *r);

void rank_work_free(struct rank_work *w);

#endif
