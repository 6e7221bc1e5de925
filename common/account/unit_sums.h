/*
 * unit_sums.h - what a unit adds to an account, and what all units have.
 *
 * Numbers of rows, devices, paths, calls, copies, shapes are those of
 * ledger.h.
 */
#ifndef TQ_ACCOUNT_UNIT_SUMS_H
#define TQ_ACCOUNT_UNIT_SUMS_H

#include "tq/account/account.h"
#include "tq/base/keyed.h"

enum { SEQUENCE_LAUNCHES = 1 << 20 }; /* that are held at most */

struct row_sum {
	uint32_t row, device;
	struct account_sum sum;
	struct durations times;
};

struct shape_sum {
	uint32_t row, shape;
	int64_t n, dur;
};

struct call_sum {
	uint32_t call;
	int64_t n, dur;
};

struct path_sum {
	uint32_t path;
	int64_t n, dur, exposed, idle;
};

struct copy_sum {
	uint32_t copy;
	int64_t n, bytes, dur;
};

/* {0} is empty */
struct unit_sums {
	KEYED(struct row_sum) rows; /* row, device */
	KEYED(struct shape_sum) shapes;
	KEYED(struct call_sum) calls;
	KEYED(struct path_sum) paths;
	KEYED(struct copy_sum) copies;
	int64_t overhead;

	KEYED(uint32_t) threads; /* pid, tid -> from 0 */
	struct account_launch *launches;
	size_t launch_count, launch_cap;
	bool unsequenced; /* not all launches are held */
};

struct row_sum *unit_sums_row(
    struct unit_sums *s, uint32_t row, uint32_t device);
struct shape_sum *unit_sums_shape(
    struct unit_sums *s, uint32_t row, uint32_t shape);
struct call_sum *unit_sums_call(struct unit_sums *s, uint32_t call);
struct path_sum *unit_sums_path(struct unit_sums *s, uint32_t path);
struct copy_sum *unit_sums_copy(struct unit_sums *s, uint32_t copy);

/* A launch of the thread; path: + 1, or 0. */
void unit_sums_launch(
    struct unit_sums *s, int64_t pid, int64_t tid, uint32_t row, uint32_t path);

/* Add all but the launches. */
void unit_sums_merge(struct unit_sums *s, const struct unit_sums *other);

void unit_sums_clear(struct unit_sums *s);
void unit_sums_free(struct unit_sums *s);

#endif
