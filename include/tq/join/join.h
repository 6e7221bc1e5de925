/*
 * join.h - API calls that wait for the device operations that they launch:
 * an operation belongs to the call of its process and correlation id.
 *
 * A producer that counts gives the number of operations with a call (key gpu).
 * Once a call of a section has a count, calls without one launch nothing.
 * The driver's part of a call has the correlation id of the call, and lies in
 * it.  The clock of a device may be behind the clock of the host, so that an
 * operation may come before its call.
 *
 * Which calls a tool forgets, and when, is in the tool.
 */
#ifndef TQ_JOIN_JOIN_H
#define TQ_JOIN_JOIN_H

#include <stdbool.h>
#include <stddef.h>

#include "tq/base/time.h"

enum {
	JOIN_SKEW = 1000000, /* ns that a device's clock may be behind */
	JOIN_WAITING = 16384 /* so many may wait behind an operation */
};

/* the first member of a tool's struct for a call */
struct join_call {
	int64_t pid, tid, corr;
	int64_t ts, end;
	int64_t count;           /* operations, or NO_ID */
	int64_t came;            /* operations so far */
	bool hidden;             /* a younger call has its id */
	struct join_call *next;  /* of its bucket */
	struct join_call *older; /* of all calls */
	struct join_call *newer;
};

/* {.size = sizeof(struct of the tool)} has no call */
struct join {
	size_t size;  /* of a tool's struct for a call */
	size_t count; /* calls, hidden ones too */
	struct join_call *oldest, *newest;
	struct join_call *spare; /* chained by older */
	bool counting;           /* a call of the section has a count */

	struct join_call **buckets; /* by process and correlation id */
	size_t bucket_count;        /* 0 or a power of two */
	unsigned shift;             /* of a hash, to a bucket */
};

/*
 * Room for a call: zeroed, or a spare one as the tool left it.  The tool sets
 * pid to came, and puts it into the join or gives it back.
 */
struct join_call *join_new(struct join *j);

void join_give_back(struct join *j, struct join_call *c);

/* The call is the youngest, and found from now on. */
void join_add(struct join *j, struct join_call *c);

/* The call with that id that was added last and is not hidden, or NULL. */
struct join_call *join_find(const struct join *j, int64_t pid, int64_t corr);

/* A younger call takes the id of c; join_find does not find c from now on. */
void join_hide(struct join *j, struct join_call *c);

/* Take the call out; it is the tool's until join_give_back. */
void join_remove(struct join *j, struct join_call *c);

/* A new section; all calls are removed. */
void join_reset(struct join *j);

/* Free all memory; all calls are removed. */
void join_free(struct join *j);

/*
 * The number of operations of a call with that key gpu, NO_ID if it is absent:
 * gpu, 0, or NO_ID if it is unknown.
 */
static inline int64_t
join_expected(struct join *j, int64_t gpu)
{
	if (gpu == NO_ID && j->counting)
		return 0;
	j->counting |= gpu != NO_ID;
	return gpu;
}

/*
 * True if c, which has the id of outer, is the driver's part of outer, or
 * outer a second time.
 */
static inline bool
join_is_inner(const struct join_call *c, const struct join_call *outer)
{
	return c->tid == outer->tid && c->ts >= outer->ts &&
	       c->end <= outer->end;
}

/*
 * True if an operation that started at ts has waited long enough for its call:
 * until the time now, and with so many others.
 */
static inline bool
join_gives_up(int64_t ts, int64_t now, size_t waiting)
{
	return now > time_end(ts, JOIN_SKEW) || waiting > JOIN_WAITING;
}

#endif
