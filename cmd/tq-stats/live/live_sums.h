/*
 * live_sums.h - sums of a stream that goes on: since the start, and in the
 * interval between two updates.
 */
#ifndef LIVE_SUMS_H
#define LIVE_SUMS_H

#include "tq/account/device_time.h"
#include "tq/ask/range_spec.h"
#include "tq/base/intern.h"
#include "tq/base/keyed.h"
#include "tq/evidence/losses.h"
#include "tq/names.h"

enum live_count {
	LIVE_RECORDS,
	LIVE_OPERATIONS,
	LIVE_KERNELS,
	LIVE_KERNEL_NS,
	LIVE_CALLS,
	LIVE_LAUNCHES,
	LIVE_RANGES,
	LIVE_STEPS,
	LIVE_LOST,
	LIVE_STREAM_NS, /* of the recording, whose device times are known */
	LIVE_COUNTS
};

/* A sum that stops at INT64_MAX. */
struct live_sum {
	int64_t total;
	int64_t before; /* its value when the interval began */
	int64_t last;   /* of the interval that ended last */
};

/* a device of a process in all sections: its ids find it, since a number of
 * names/model.h belongs to one section */
struct live_gpu {
	int64_t pid, device;
	struct span name; /* of the model, or empty */
	struct device_time time;
	struct live_sum operations, busy[DEVICE_CLASSES];
};

/* kernels of one name, or copies of one direction */
struct live_group {
	struct live_sum operations, ns, bytes;
};

struct live_groups {
	struct intern names;
	struct live_group *all; /* by number of the name */
	size_t count, cap;
};

enum {
	LIVE_TOP = 10,           /* kernels that are shown */
	LIVE_NAMES_MAX = 1 << 16 /* the rest has the name "others" */
};

/* {.step = ...} is empty */
struct live_sums {
	const struct range_spec *step; /* ranges that are steps */
	struct live_sum counts[LIVE_COUNTS];
	KEYED(struct live_gpu) gpus;
	struct live_groups kernels, copies;
	struct losses losses; /* of the section */
	struct region life;
	struct text scratch;
	int64_t origin;  /* of the section, UTC; NO_ID: unknown */
	int64_t newest;  /* ts of the section; NO_ID: none */
	int64_t settled; /* device times are known up to here; or NO_ID */
};

/* The keys that it reads. */
void live_sums_keys(struct keyset *want);

/* A record, in any order. */
void live_sums_event(struct live_sums *s, const struct event *ev);

/* The same record once more, if it is an operation: in order of time. */
void live_sums_operation(
    struct live_sums *s, const struct names *names, const struct event *ev);

/* All operations that start before ts were given. */
void live_sums_settle(struct live_sums *s, int64_t ts);

/* The section is over: device times are known to their end. */
void live_sums_end(struct live_sums *s);

/* Before the first record. */
void live_sums_begin(struct live_sums *s);

/* ns from the newest time of the section to now; NO_ID: unknown. */
int64_t live_sums_lag(const struct live_sums *s, int64_t now_utc);

/* The interval ends, and the next one begins. */
void live_sums_next(struct live_sums *s);

/*
 * Set top[] to the numbers of up to LIVE_TOP names, the largest time first: of
 * the interval, or since the start.  Returns how many.
 */
size_t live_sums_top(
    const struct live_groups *g, bool since_start, uint32_t top[LIVE_TOP]);

void live_sums_free(struct live_sums *s);

#endif
