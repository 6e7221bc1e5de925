/*
 * job.h - the ranks of a stream, and their operations of communication.
 *
 * A rank is a device of a process.  Its number comes from the definition of the
 * process, else from the section; ranks without a number get one from 0 on, in
 * order of section, process and device.
 *
 *	struct job job = {.names = names};
 *
 *	job_open(&job);
 *	... job_event() for each record, job_operation() for kernels and ranges;
 *	job_section_end() before names are forgotten
 *	job_finish(&job);
 *	job_match(&job, &instances);
 *	... instances_add() for each operation, in order of start
 */
#ifndef TQ_RANKS_JOB_H
#define TQ_RANKS_JOB_H

#include "tq/names.h"
#include "tq/ranks/instances.h"
#include "tq/ranks/mesh.h"

struct job_process {
	int64_t section, pid;
	struct mesh mesh;
};

struct job_rank {
	int64_t number;               /* after job_finish */
	size_t process;               /* index */
	int64_t section, pid, device; /* device: NO_ID without one */
	struct span host;             /* empty: unknown */
	struct mesh mesh;             /* of its process, else of its section */
	int64_t clock;    /* ranks whose times can be compared have the same */
	int64_t spread;   /* ns that its clock may be off, or 0 */
	int64_t from, to; /* its recording */
};

/* the operations of a rank in a communicator */
struct job_sequence {
	uint32_t rank, comm;
	int64_t members, me; /* NO_ID: unknown */
	int64_t count;
	int64_t next;  /* number of the next operation */
	bool numbered; /* each had the number after the one before */
};

/* a stream that stands for a communicator without a name */
struct job_stream {
	size_t rank;
	uint32_t comm;
};

struct job_operation {
	uint32_t rank, comm, sequence;     /* indices */
	uint8_t kind;                      /* enum operation_kind */
	int32_t peer;                      /* or root; -1: unknown */
	int64_t start, end, bytes, number; /* NO_ID: unknown */
};

/* set names; {0} else */
struct job {
	const struct names *names;            /* definitions of the section */
	struct intern comms;                  /* names of communicators */
	KEYED(struct job_process) processes;  /* section, pid */
	KEYED(struct job_rank) ranks;         /* process, device */
	KEYED(struct job_sequence) sequences; /* rank, comm */
	bool unnamed; /* some communicators are not known */

	/* after job_finish */
	unsigned axes;     /* of which a rank has a coordinate, a bit each */
	unsigned differ;   /* of these, on which two ranks differ */
	int64_t clock;     /* the value of most ranks */
	size_t on_clock;   /* how many these are */
	uint32_t *largest; /* the largest communicator of each rank */
	size_t *members;   /* ranks of each communicator on that clock */

	/* while it reads */
	struct operation_reader operations;
	KEYED(struct job_stream) streams; /* rank, stream */
	int64_t section, rank, spread, section_clock, from, to;
	struct mesh mesh; /* of the section */
	struct text host, scratch;
	struct region texts;
	bool open;
};

void job_open(struct job *j);

/* The keys that it needs. */
void job_keys(struct keyset want[]);

/* Any record of the stream. */
void job_event(struct job *j, const struct event *ev);

/* True if the record is an operation of communication, which *op is then. */
bool job_operation(
    struct job *j, const struct event *ev, struct job_operation *op);

/* The index of a process and of a rank of the section, added if it is new. */
size_t job_process(struct job *j, int64_t pid);
size_t job_rank(struct job *j, int64_t pid, int64_t device);

/* The operations of a rank in a communicator, none if they are new. */
struct job_sequence *job_sequence(struct job *j, size_t rank, uint32_t comm);

void job_section_end(struct job *j);

/* All records were read. */
void job_finish(struct job *j);

/* Add "rank 59 (dp 7, tp 3)": with the coordinates on which ranks differ. */
void job_add_rank(const struct job *j, size_t rank, struct text *t);

/* Their order by number; free(3) it. */
size_t *job_order(const struct job *j);

/*
 * Make ranks and communicators known to *in, where they have the same indices.
 * Only ranks on the clock of most are members; and none of a communicator that
 * has more of them than it has members: its name stands for several.
 */
void job_match(const struct job *j, struct instances *in);

/* An operation for instances_add. */
struct rank_entry job_entry(
    const struct job *j, const struct job_operation *op);

/* True if others waited for the last rank, and it was later than the next one
   by more than the clocks of the two may be off. */
bool job_decides(const struct job *j, const struct instance *i);

void job_free(struct job *j);

#endif
