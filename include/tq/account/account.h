/*
 * account.h - the sums of a recording by which it can be compared.
 *
 * Work is counted in units: a step, the time from one launch of a kernel to the
 * next, a range, or the active span of a device.  In a unit on a device each
 * nanosecond belongs to exactly one part: to the operation that runs, and if
 * several run to the first in the order compute, communication, copy, then of
 * start, then of the stream; if none runs, to a cause of idle time, see
 * tq/account/gap.h.  So of each unit, and of all units of a device together,
 *
 *	wall = sum of parts
 *	part of a class = exposed time of the rows of that class
 *
 * in integers, exactly.  Of a device, in all units, a cause of idle time is the
 * sum of finer ones, see tq/account/idle_cause.h.  A step or a range has what
 *it launched, whenever that runs, and the gaps that its operations end; step 0
 *begins with its range at the earliest.  Other units are times: an operation
 *that crosses the border of one is cut for its duration and exposed time; it is
 *launched, and has its whole duration in the distribution, where it starts.
 *
 * An account is made from a stream (tq/account/account_build.h) or read from a
 *file (tq/account/account_file.h).  All texts live as long as the account.
 */
#ifndef TQ_ACCOUNT_ACCOUNT_H
#define TQ_ACCOUNT_ACCOUNT_H

#include "tq/account/device_time.h"
#include "tq/account/durations.h"
#include "tq/account/idle_cause.h"
#include "tq/account/range_paths.h"

/* the first three are those of enum device_class */
enum account_part {
	PART_COMPUTE,
	PART_COMMUNICATION,
	PART_COPY,
	PART_SYNC,
	PART_HOST,
	PART_LAUNCH,
	PART_NEXT,
	PART_QUEUE,
	PART_UNKNOWN,
	ACCOUNT_PARTS
};

/* parts that are causes of idle time, from PART_SYNC on */
enum { ACCOUNT_IDLE = ACCOUNT_PARTS - PART_SYNC };

/* the sort of a unit */
enum account_by {
	ACCOUNT_BY_STEP,   /* a step of --step; on each device of its process */
	ACCOUNT_BY_KERNEL, /* from every Nth start of a kernel to the next, on
			    * each device */
	ACCOUNT_BY_RANGE,  /* a range; on each device of its process */
	ACCOUNT_BY_GRAPH,  /* from one graph launched as a whole to the next */
	ACCOUNT_BY_SPAN,   /* the active span of each device */
	ACCOUNT_BY_LAUNCH, /* none: as span, and only launches are compared */
	ACCOUNT_BYS
};

/* a device of a process; its sums over all of its units */
struct account_device {
	int64_t rank, pid, device; /* rank: NO_ID without one */
	struct span name;          /* of its model */
	int64_t sms;               /* multiprocessors; NO_ID: unknown */
	int64_t first, until;      /* its active span, units or not */
	int64_t ops;               /* operations in it, units or not */
	int64_t units;
	int64_t wall, parts[ACCOUNT_PARTS]; /* ns */
	/* ns by part and finer cause; none of a file that has no finer ones */
	int64_t idle[ACCOUNT_IDLE][IDLE_CAUSES];
};

/* a unit on a device, in order of device and time */
struct account_unit {
	uint32_t device;   /* index */
	uint32_t sequence; /* index + 1; 0: none was kept */
	int64_t number;    /* of the step, or from 0 */
	int64_t ts, wall, parts[ACCOUNT_PARTS];
	int64_t launches; /* operations that start in it, or are of it */
};

/* of a row on a device, in all units: ns */
struct account_sum {
	int64_t n;            /* launches */
	int64_t dur, exposed; /* hidden time is dur - exposed */
};

/* the part of a row with one grid and block, on all devices */
struct account_shape {
	struct span grid; /* "[x,y,z] [x,y,z]": blocks, and threads of one */
	struct account_sum sum;
};

/* operations of one name, kind and class */
struct account_row {
	enum kind kind; /* kernel, memcpy, memset, graph */
	enum device_class group;
	bool in_graph;    /* nodes of graphs, which are traced one by one */
	struct span name; /* base name of a kernel, "[CUDA memcpy HtoD]" */
	struct span full; /* demangled name, or the name */
	struct account_sum *on; /* of each device */
	struct durations times; /* of launches in units, on all devices */
	struct account_shape *shapes;
	size_t shape_count;
	int64_t shapeless; /* launches that no shape was kept for */
};

/* calls of one name on the host that start in units: api, osrt */
struct account_call {
	enum kind kind;
	struct span name;
	int64_t n, dur;
};

/* ranges of one path: the names of a range and of the ranges around it */
struct account_path {
	uint32_t path;  /* of range_paths */
	int64_t n, dur; /* ranges that start in units, time on the host */
	int64_t idle;   /* gaps that the operations launched in it ended */
	struct account_sum work; /* of the operations launched in it */
};

/* copies of one direction between kinds of memory, that start in units */
struct account_copy {
	struct span copy, src, dst; /* empty where it is unknown */
	int64_t n, bytes, dur;
};

struct account_launch {
	uint32_t row;    /* index */
	uint32_t thread; /* from 0, in order of its first launch in the unit */
	uint32_t path;   /* index + 1; 0: in no range */
};

/* the launches of a unit in order of start, of all units that have the same */
struct account_sequence {
	struct account_launch *all;
	size_t count;
	int64_t units;
};

/*
 * Facts about the recording, for account_fact(): keys of the trace record as
 * they are (host, command, producer, origin_utc_ns, ...), and
 *
 *	first, last          ns of the first and last record
 *	first.record, last.record   their kind, ts, dur and pid
 *	clock.sm             median of the clock of multiprocessors, MHz
 *	version.KEY          a KEY with "version" in it of args of the trace
 *	count.KIND           records of the kind
 *	lost                 events known to be lost; of files of before,
 *	                     dropped has more of them
 *	evidence             what the recording takes away, enum evidence_takes
 *	evidence.NAME        a fact of that rule, see evidence/evidence.h
 *	errors               diagnostic records of severity error
 *	truncated            1: the stream ends without its end record
 *	overhead             ns of the profiler in units, each ns once
 *	calls.known          operations with a launching call
 *	samples.assumed      samples whose length is unknown: each counts as 1
 *ms work                 "host", "samples": without an operation of a device
 *	                     rows are calls and ranges, or functions, and
 *devices processes
 */
struct account_fact {
	struct span name, value;
};

struct account {
	struct span name; /* of its input */
	enum account_by by;
	struct span per;     /* the units, as the user spelt them */
	bool correlated;     /* the stream went through tq-correlate */
	int64_t left_out;    /* first steps of a process, which do not count */
	int64_t left_wall;   /* ns of them on all devices */
	int64_t memory_peak; /* bytes of device memory; NO_ID: unknown */

	/* ACCOUNT_BY_KERNEL found by itself; name: empty if not */
	struct span period_name;
	int64_t period_every;
	int64_t period_fit, period_equal; /* permille: of time, of units */

	struct account_device *devices; /* in order of rank, pid, device */
	struct account_unit *units;
	struct account_row *rows; /* in order of kind, full name, group, and
				   * in_graph */
	struct account_call *calls;
	struct account_path *paths;
	struct account_copy *copies;
	struct account_sequence *sequences;
	struct account_fact *facts;
	size_t device_count, unit_count, row_count, call_count, path_count,
	    copy_count, sequence_count, fact_count;
	int64_t unsequenced; /* units of which no sequence was kept */

	struct range_paths range_paths;
	struct region region; /* texts, and the arrays of rows */
};

/* the recordings of an input or a side: each is one n */
struct accounts {
	struct account **all;
	size_t count, cap;
};

/* compute, communication, ..., unknown */
const char *account_part_name(enum account_part part);

/* ns of a part of idle time by finer cause; NULL of another part. */
static inline const int64_t *
account_idle(const struct account_device *d, enum account_part part)
{
	return part >= PART_SYNC ? d->idle[part - PART_SYNC] : NULL;
}

/* step, kernel, ... */
const char *account_by_name(enum account_by by);

/* what one unit is: step, period, span ... */
const char *account_by_word(enum account_by by);

/* The value of a fact; empty if it is unknown. */
struct span account_fact(const struct account *a, const char *name);

/* The same as an integer; otherwise if it is none. */
int64_t account_fact_int(
    const struct account *a, const char *name, int64_t otherwise);

/* Add a sum to another; what passes INT64_MAX is that. */
void account_sum_add(struct account_sum *to, struct account_sum sum);

/* Take a part from a sum; 0 at least. */
void account_sum_take(struct account_sum *from, struct account_sum part);

/* True if there is anything in it. */
static inline bool
account_sum_any(struct account_sum sum)
{
	return sum.n > 0 || sum.dur > 0 || sum.exposed > 0;
}

/* Add the path of the path with that index: names in an array of JSON. */
void account_path_add(struct text *t, const struct account *a, size_t index);

/* The sum of a row on all devices. */
struct account_sum account_row_sum(
    const struct account *a, const struct account_row *row);

/* An empty account, and what accounts holds. */
struct account *account_new(void);
void account_free(struct account *a);
void account_free_all(struct accounts *all);

#endif
