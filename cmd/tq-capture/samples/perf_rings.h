/*
 * perf_rings.h - the kernel's records of a process and its descendants:
 * perf_event_open(2), a ring of records for each processor
 *
 * One event for each processor counts its clock, takes samples, and records
 * context switches, mappings, names, forks and ends of threads.
 */
#ifndef TQ_CAPTURE_PERF_RINGS_H
#define TQ_CAPTURE_PERF_RINGS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tq/base/keyed.h"
#include "tq/base/span.h"

/* kinds of records */
struct perf_wish {
	int64_t hz;     /* samples a second and processor; 0: none */
	bool switches;  /* context switches */
	bool chains;    /* the kernel follows frame pointers */
	bool running;   /* pid runs already; else it waits for its exec */
	uint32_t stack; /* bytes of stack that are copied; 0: none */
};

struct perf_ring;

/* the events that record a thread: those of a thread that was joined, which it
   has itself or inherits; 0: of the first one */
struct perf_owner {
	uint64_t tid;
};

struct perf_rings {
	struct perf_wish wish;
	struct perf_ring *all;
	size_t count;
	KEYED(struct perf_owner) owners; /* by tid; none if none was joined */
	struct map joined_ids; /* id of an event -> tid of its thread */
	int *joined_events;
	size_t joined_count, joined_events_cap;
	bool kernel;            /* time in the kernel is sampled, too */
	int64_t until;          /* of the last perf_rings_next */
	struct perf_ring *last; /* whose record it gave */
	char *joined; /* a record that goes around the end of its ring */
	size_t joined_cap;
};

/* a record of any type; members that it lacks are 0 */
struct perf_record {
	uint32_t type; /* PERF_RECORD_* */
	uint16_t misc;
	uint32_t pid, tid, cpu;
	uint64_t id;  /* of the event: of the one that it inherits from */
	int64_t time; /* ns of CLOCK_MONOTONIC */
	struct span payload; /* behind the header; good until the next record */
};

/* the parts of a sample */
struct perf_sample {
	uint64_t pc, sp, bp;
	bool has_registers;
	struct span stack;
	const char *chain; /* of 8 bytes each */
	size_t chain_count;
};

/*
 * Begin to record when pid, which waits for its exec, goes on; or now, if it
 * runs, what its first thread does, and threads that this makes.  Returns 0, or
 * errno after which nothing is open; ENOLCK: memory that this user may lock is
 * used up (RLIMIT_MEMLOCK, kernel.perf_event_mlock_kb).
 */
int perf_rings_open(
    struct perf_rings *r, const struct perf_wish *wish, pid_t pid);

/*
 * Record another thread that runs already, too, before the first
 * perf_rings_next: 0, or errno; EEXIST: it was joined before.  A thread may
 * have events that it inherits besides its own, and a thread that it makes
 * inherits both: perf_rings_next leaves the second record of what happened out.
 */
int perf_rings_join(struct perf_rings *r, pid_t tid);

/*
 * The next record of before until, in order of time over all rings; false:
 * there is none.  until: ns of CLOCK_MONOTONIC, not after now; the same until
 * this returned false, then a later one.
 */
bool perf_rings_next(
    struct perf_rings *r, int64_t until, struct perf_record *record);

/* Take a record of type PERF_RECORD_SAMPLE apart; false: it is none. */
bool perf_rings_sample(const struct perf_rings *r,
    const struct perf_record *record, struct perf_sample *s);

/* Record nothing more. */
void perf_rings_stop(struct perf_rings *r);

/* Wait until a ring is a quarter full, ms milliseconds at most. */
void perf_rings_wait(const struct perf_rings *r, int ms);

void perf_rings_close(struct perf_rings *r);

#endif
