/*
 * unit_sums.h - the sums that a unit adds to an account, and the sums of all
 * units: of rows, shapes, copies, calls and paths each of its own, so that they
 * take no memory for what occurs together.
 *
 * Numbers are those of account_draft.h.
 */
#ifndef TQ_ACCOUNT_UNIT_SUMS_H
#define TQ_ACCOUNT_UNIT_SUMS_H

#include "tq/account/device_pieces.h"
#include "tq/base/keyed.h"
#include "tq/base/numbered.h"

enum { SEQUENCE_LAUNCHES = 1 << 20 }; /* that are held at most */

/* the sums that an operation is part of */
struct summed_launch {
	uint32_t on;     /* of its row on a device */
	uint32_t detail; /* of its row: + 1, or 0 */
	uint32_t path;   /* + 1, or 0 */
};

/* of a row on a device */
struct row_sum {
	uint32_t on;
	struct account_sum sum;
};

struct detail_sum {
	uint32_t detail;
	struct account_sum sum;
	int64_t bytes, dur; /* of operations that start in the unit, uncut */
};

/* idle time of a device by cause: IDLE_HOST of all ranges, too */
struct idle_sum {
	uint32_t device;
	enum account_part part;
	enum idle_cause cause;
	int64_t dur;
};

struct call_sum {
	uint32_t call;
	int64_t n, dur;
};

/* {0} is empty */
struct unit_sums {
	NUMBERED(struct row_sum) rows;       /* by on + 1 */
	NUMBERED(struct detail_sum) details; /* by detail + 1 */
	NUMBERED(struct call_sum) calls;     /* by call + 1 */
	/* path; of all units an array by path, which has most of them */
	KEYED(struct account_path) paths;
	bool of_unit;                /* they are not of all units */
	size_t last;                 /* index of the path that was found last */
	KEYED(struct idle_sum) idle; /* device, part and cause */
	/*
	 * ns of the profiler between the first operation and the end of the
	 * last one, each ns once.
	 */
	int64_t overhead;
	int64_t after, after_end; /* ns behind the last end; the latest one */
	int64_t ops_end;          /* of operations */
	bool begun;               /* there is one */

	struct durations *times; /* of each row */
	size_t time_count;
	uint32_t *timed; /* rows that have some */
	size_t timed_count, timed_cap;

	NUMBERED(uint32_t) threads; /* by model_thread(): from 0 */
	struct account_launch *launches;
	size_t launch_count, launch_cap;
	bool unsequenced; /* not all launches are held */
};

/* An operation, or a part of it. */
void unit_sums_add(struct unit_sums *s, const struct summed_launch *of,
    struct account_sum sum);

/* An operation starts, with its whole duration and bytes. */
void unit_sums_whole(struct unit_sums *s, const struct summed_launch *of,
    int64_t dur, int64_t bytes);

/* An operation of that duration does not run in the unit to its end. */
void unit_sums_take(
    struct unit_sums *s, const struct summed_launch *of, int64_t rest);

/* Idle time of a device, ended by an operation. */
void unit_sums_ended(
    struct unit_sums *s, const struct summed_launch *of, int64_t dur);
void unit_sums_idle(struct unit_sums *s, uint32_t device,
    enum account_part part, enum idle_cause cause, int64_t dur);
struct call_sum *unit_sums_call(struct unit_sums *s, uint32_t call);
struct account_path *unit_sums_path(struct unit_sums *s, uint32_t path);

/* The durations of a row. */
struct durations *unit_sums_times(struct unit_sums *s, uint32_t row);

/* A launch of the thread, see names/model.h; path: + 1, or 0. */
void unit_sums_launch(
    struct unit_sums *s, uint32_t thread, uint32_t row, uint32_t path);

/* The profiler takes time; an operation starts. */
void unit_sums_overhead(struct unit_sums *s, int64_t ts, int64_t end);
void unit_sums_operation(struct unit_sums *s, int64_t ts, int64_t end);

/* Add all but the launches. */
void unit_sums_merge(struct unit_sums *s, const struct unit_sums *other);

void unit_sums_clear(struct unit_sums *s);
void unit_sums_free(struct unit_sums *s);

#endif
