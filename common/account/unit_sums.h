/*
 * unit_sums.h - the sums that a unit adds to an account, and the sums of all
 * units.
 *
 * Numbers of launches, rows, devices, paths and calls are those of
 * account_draft.h.
 */
#ifndef TQ_ACCOUNT_UNIT_SUMS_H
#define TQ_ACCOUNT_UNIT_SUMS_H

#include "tq/account/account.h"
#include "tq/base/keyed.h"
#include "tq/base/numbered.h"

enum { SEQUENCE_LAUNCHES = 1 << 20 }; /* that are held at most */

/* operations of one launch of account_draft.h on a device */
struct launch_sum {
	uint32_t launch, device;
	struct account_sum sum;
	int64_t idle;       /* gaps that they ended */
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

struct path_sum {
	uint32_t path;
	int64_t n, dur;
};

/* {0} is empty */
struct unit_sums {
	KEYED(struct launch_sum) sums; /* launch, device */
	size_t last;                 /* index of the one that was found last */
	KEYED(struct idle_sum) idle; /* device, part and cause */
	NUMBERED(struct call_sum) calls; /* by call + 1 */
	NUMBERED(struct path_sum) paths; /* by path + 1 */
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

struct launch_sum *unit_sums_of(
    struct unit_sums *s, uint32_t launch, uint32_t device);
void unit_sums_idle(struct unit_sums *s, uint32_t device,
    enum account_part part, enum idle_cause cause, int64_t dur);
struct call_sum *unit_sums_call(struct unit_sums *s, uint32_t call);
struct path_sum *unit_sums_path(struct unit_sums *s, uint32_t path);

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
