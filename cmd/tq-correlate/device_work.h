/*
 * device_work.h - a range, and the work of each device for it.
 */
#ifndef DEVICE_WORK_H
#define DEVICE_WORK_H

#include "tq/join/nesting.h"
#include "tq/line/event.h"

#include "members.h"
#include "device_operation.h"

enum {
	DEVICE_WORK_TIMES =
	    OPERATION_TIMES + PLAIN_BLOCK - OPERATION_TIMES % PLAIN_BLOCK
};

/*
 * The work of a device for a range.  For chained ranges (see project.h), busy,
 * ops, launches and first lack the work that the ranges inside hold; on a range
 * chain (see range_chain.h), last is kept by the chain.  What a set (see
 * range_set.h) has for its members, they get when they leave it.
 */
struct device_work {
	int64_t device;
	int64_t first, last; /* start of the first, end of the last */
	uint64_t busy;
	int64_t ops, launches;
	size_t place; /* on the chain of its device, from 1; or 0 */
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

enum { RANGE_KEYS = 11 }; /* of these members */

/* where a range starts or ends, see range_epochs.h */
struct range_boundary {
	struct range *range;
	struct range_boundaries *list; /* or NULL */
	struct range_boundary *prev, *next;
};

struct range {
	int64_t ts, end;
	unsigned users; /* struct enclosing, and ranges of which it is below */
	bool over;
	bool seen;      /* it went through tq-correlate before */
	bool silent;    /* no gpu-range is made of it: seen, cut, or written */
	bool chained;   /* its work goes to below, if that is, too */
	bool forward;   /* its stack is a forward operation's */
	bool evaluates; /* it has one backward operation in it */
	unsigned level; /* ranges below it */
	size_t device_count;
	struct device_work work;    /* of the first device, mostly the only */
	struct device_work *others; /* device_count - 1 of them */
	size_t others_cap;

	int64_t depth;
	int64_t stack;                /* its own, or its parent's; or NO_ID */
	struct text members;          /* of its gpu-range */
	size_t at[RANGE_MEMBERS + 1]; /* i is from at[i] to at[i + 1] */
	bool outlined;                /* the bytes of each of them are known */
	unsigned char bytes[RANGE_KEYS];
	struct text path;
	struct text shapes; /* of the inputs of an operator, escaped */

	struct nesting_thread *thread; /* of which it is open */
	struct nesting_stack *parents; /* where it is one, or NULL */
	struct range *below;           /* see struct project_thread, or NULL */
	/* of one that crosses others */
	struct range_boundary start, stop;
	uint64_t epoch;                   /* its first one */
	struct range_member *memberships; /* in sets */
	struct range *older, *newer;
};

static inline struct device_work *
device_work_at(struct range *r, size_t i)
{
	return i == 0 ? &r->work : &r->others[i - 1];
}

/* NULL if the device has not worked for the range */
static inline struct device_work *
device_work_find(struct range *r, int64_t device)
{
	if (r->work.device == device && r->device_count > 0)
		return &r->work;
	for (size_t i = 1; i < r->device_count; i++)
		if (device_work_at(r, i)->device == device)
			return device_work_at(r, i);
	return NULL;
}

/* The work of another device, which has no operations yet. */
struct device_work *device_work_new(struct range *r, int64_t device);

/* The work of the device, new if there is none; good until the next. */
static inline struct device_work *
device_work_get(struct range *r, int64_t device)
{
	struct device_work *w = device_work_find(r, device);

	return w != NULL ? w : device_work_new(r, device);
}

/* The operation is the first of the device. */
void device_work_begin(
    struct device_work *w, const struct device_operation *op);

/* Count an operation, but for the time that the device is busy with it. */
static inline void
device_work_count(
    struct device_work *w, const struct device_operation *op, bool launch)
{
	if (w->ops == 0)
		device_work_begin(w, op);
	else if (op->ts < w->first) {
		w->first = op->ts;
		w->ts_len = 0;
	}
	w->ops++;
	w->launches += launch;
}

/* The device is busy from ts to end, too. */
static inline void
device_work_extend(struct device_work *w, int64_t ts, int64_t end)
{
	int64_t from = ts > w->last ? ts : w->last;
	int64_t to = end > from ? end : from; /* end is not before ts */

	/* the parts that are added do not overlap, so that the sum fits */
	w->busy += (uint64_t)to - (uint64_t)from;
	w->last = to;
}

/* Add the counts and the busy time; last stays. */
void device_work_merge(struct device_work *w, const struct device_work *other);

#endif
