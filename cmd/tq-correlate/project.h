/*
 * project.h - the ranges of a section, the ranges that enclose a call, and the
 * work of the devices that they are projected on: the gpu-range records.
 */
#ifndef PROJECT_H
#define PROJECT_H

#include "tq/io/output.h"
#include "tq/join/expiry.h"
#include "tq/join/nesting.h"
#include "tq/line/event.h"

#include "members.h"
#include "device_operation.h"

enum {
	DEVICE_WORK_TIMES =
	    OPERATION_TIMES + PLAIN_BLOCK - OPERATION_TIMES % PLAIN_BLOCK
};

/* the work of a device for a range */
struct device_work {
	int64_t device;
	int64_t first, last; /* start of the first, end of the last */
	uint64_t busy;
	int64_t ops, launches;
	/* times of the first operation, see device_operation.h; or ts_len is 0
	 */
	unsigned char ts_len, times_len;
	char times[DEVICE_WORK_TIMES];
};

/* members of a gpu-range that its range gives it, in their order */
enum {
	RANGE_IDS, /* pid, tid */
	RANGE_NAME,
	RANGE_DOMAIN,
	RANGE_COLOR, /* category, color */
	RANGE_ID,    /* range */
	RANGE_PARENT,
	RANGE_DEPTH,
	RANGE_TIMES, /* range_ts, range_dur */
	RANGE_MEMBERS
};

struct range {
	int64_t ts, end;
	unsigned users; /* struct enclosing */
	bool over;
	bool seen;   /* it went through tq-correlate before */
	bool silent; /* no gpu-range is made of it: seen, cut, or written */
	size_t device_count;
	struct device_work work;    /* of the first device, mostly the only */
	struct device_work *others; /* device_count - 1 of them */
	size_t others_cap;

	int64_t depth;
	struct text members;          /* of its gpu-range */
	size_t at[RANGE_MEMBERS + 1]; /* i is from at[i] to at[i + 1] */
	struct text path;

	struct nesting_thread *thread; /* of which it is open */
	struct nesting_stack *parents; /* where it is one, or NULL */
	struct range *older, *newer;
};

/*
 * The ranges that were open when a call started, in order of their start.
 * Calls share one as long as no range starts or ends.
 */
struct enclosing {
	struct range **ranges;
	size_t count, cap;
	struct text path;
	unsigned users; /* calls, the thread */
	struct enclosing *next;
};

struct project {
	struct output **out; /* where a gpu-range goes when it is complete */
	bool per_process;    /* a call is in the ranges of all threads */
	bool paths;          /* operations get the names of all ranges */
	int64_t unclosed;    /* ranges that never end */

	struct nesting nesting;
	struct range *newest, *free;
	struct expiry expiry; /* of ranges */
	struct enclosing *free_enclosing;
	struct text scratch;
};

void project_free(struct project *p);

/*
 * Add the range of a record that starts at ts.  From now on it is known which
 * ranges enclose it.  NULL if it can enclose no call and has no parent.
 */
const struct range *project_add(
    struct project *p, const struct event *ev, int64_t ts);

/* Put the members first to last of the range, see members.h. */
static inline char *
project_put(char *p, const struct range *r, unsigned first, unsigned last)
{
	return members_put(p, &r->members, r->at[first], r->at[last + 1]);
}

/* Time has come to ts: ranges that ended before it are over. */
static inline void project_expire(struct project *p, int64_t ts);
void project_end_ranges(struct project *p, int64_t ts);

/* The section is over: write the remaining gpu-ranges, children first. */
void project_write(struct project *p);

/* Forget all ranges; they are written, and no call is in one. */
void project_clear(struct project *p);

/*
 * The ranges around the start of a call [ts, end], until project_leave; NULL
 * if there are none.
 */
struct enclosing *project_enter(
    struct project *p, int64_t pid, int64_t tid, int64_t ts, int64_t end);

/* e may be NULL. */
void project_leave(struct project *p, struct enclosing *e);

/*
 * Add an operation to the work for the ranges around a call that ends at
 * call_end.  Operations come in order of their start.  launch: it is the first
 * of its call on the device.  e may be NULL.
 */
void project_add_work(struct enclosing *e, int64_t call_end,
    const struct device_operation *op, bool launch);

static inline void
project_expire(struct project *p, int64_t ts)
{
	if (expiry_due(&p->expiry, ts))
		project_end_ranges(p, ts);
}

#endif
