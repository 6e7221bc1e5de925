/*
 * ranges.h - the ranges that are open, what they enclose, and what the
 * devices did for them.
 */
#ifndef RANGES_H
#define RANGES_H

#include "tq/line/event.h"
#include "tq/io/output.h"
#include "tq/base/plain.h"
#include "tq/base/time.h"

#include "ends.h"
#include "op.h"
#include "threads.h"

enum { SHARE_TIMES = OP_TIMES + PLAIN_BLOCK - OP_TIMES % PLAIN_BLOCK };

/* what a device did for a range */
struct share {
	int64_t device;
	int64_t first, last; /* start of the first, end of the last */
	uint64_t busy;
	int64_t ops, launches;
	/* of the first operation, see op.h; ts_len is 0 where not known */
	unsigned char ts_len, times_len;
	char times[SHARE_TIMES];
};

struct range {
	int64_t ts, end;
	unsigned scopes; /* that it is in */
	bool over;
	bool seen;   /* it went through tq-correlate before */
	bool silent; /* no gpu-range is made of it: seen, cut, or written */
	size_t share_count;
	struct share share;   /* of the first device, mostly the only one */
	struct share *others; /* share_count - 1 of them */
	size_t others_cap;

	int64_t depth;
	/*
	 * For its gpu-range: pid, tid, name; domain, category, color, range;
	 * parent, depth; range_ts, range_dur.
	 */
	struct text members;
	size_t head, middle, nested; /* ends of these */
	size_t id_at, depth_at;      /* where range and depth begin */
	size_t domain;               /* where it ends */
	size_t name_len, domain_len; /* of their values, 0 where absent */
	struct text path;

	struct thread *thread; /* of which it is open */
	struct nest *nest;     /* in which it is a parent, or NULL */
	struct range *older, *newer;
};

/*
 * The ranges that were open when a call started, in order of their start.
 * Calls share one as long as no range starts or ends.
 */
struct scope {
	struct range **ranges;
	size_t count, cap;
	struct text path;
	unsigned users;
	struct scope *next;
};

struct ranges {
	struct output **out; /* where a gpu-range goes when it is complete */
	bool per_process;    /* a call is in the ranges of all threads */
	bool paths;          /* the names of all are wanted */
	int64_t unclosed;    /* how many never end */

	struct threads threads;
	struct range *newest, *free;
	struct ends ends;
	struct scope *free_scopes;
	struct text scratch;
};

void ranges_free(struct ranges *rs);

/*
 * Take in the range at hand, which starts at ts.  It is known from now on
 * which ranges enclose it; NULL where it has nothing to do with any.
 */
const struct range *ranges_add(
    struct ranges *rs, const struct event *ev, int64_t ts);

/* Time has come to ts: what ended before it is over. */
static inline void ranges_expire(struct ranges *rs, int64_t ts);
void ranges_let_go(struct ranges *rs, int64_t ts);

/* The section is over: write what has not been written, children first. */
void ranges_write(struct ranges *rs);

/* Forget them all; they are written, and all scopes left. */
void ranges_clear(struct ranges *rs);

/*
 * The ranges around the start of a call [ts, end], until ranges_leave; NULL
 * where there are none.
 */
struct scope *ranges_enter(
    struct ranges *rs, int64_t pid, int64_t tid, int64_t ts, int64_t end);

/* May be given NULL. */
void ranges_leave(struct ranges *rs, struct scope *s);

/*
 * A call that ends at call_end launched the operation; launch says whether it
 * is its first one on the device.  s may be NULL.
 */
void ranges_charge(
    struct scope *s, int64_t call_end, const struct op *op, bool launch);

static inline void
ranges_expire(struct ranges *rs, int64_t ts)
{
	if (ends_any(&rs->ends, ts))
		ranges_let_go(rs, ts);
}

#endif
