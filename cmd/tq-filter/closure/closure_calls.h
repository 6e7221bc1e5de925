/*
 * closure_calls.h - the calls that may still launch something.
 *
 * A call that returned, and has all the operations that the producer counted,
 * is forgotten CLOSURE_LINGER ns later: other records of its correlation id,
 * as the device's side of a synchronisation, come by then.  Of more than
 * CLOSURE_CALLS the oldest are forgotten.
 */
#ifndef CLOSURE_CALLS_H
#define CLOSURE_CALLS_H

#include "tq/join/join.h"

#include "thread_ranges.h"

enum { CLOSURE_CALLS = 1 << 17, CLOSURE_LINGER = 1000000 };

struct closure_call {
	struct join_call call;
	uint64_t record;
	struct ranges_of_thread *ranges; /* or NULL */
	uint64_t before; /* ranges with a number below it may be around it */
	bool settled;    /* ranges, before, inside and chosen are known */
	bool inside;     /* it is in the selected time, and */
	bool chosen;     /* ... matches all of the selection */
	bool kept;
	struct closure_call *outer; /* this is the driver's part of it */
	struct closure_call *inner; /* the first of its parts, or the next */
};

/* {.join.size = sizeof(struct closure_call)} has none */
struct closure_calls {
	struct join join;
};

/* Add a copy of c, which has a correlation id. */
struct closure_call *closure_calls_add(
    struct closure_calls *cs, const struct closure_call *c);

/* The call that launched corr, or NULL. */
static inline struct closure_call *
closure_calls_find(const struct closure_calls *cs, int64_t pid, int64_t corr)
{
	return (struct closure_call *)join_find(&cs->join, pid, corr);
}

/* Time has come to now: forget calls that are not needed or too many. */
void closure_calls_trim(struct closure_calls *cs, int64_t now);

/* Forget all calls: a new section. */
void closure_calls_clear(struct closure_calls *cs);

void closure_calls_free(struct closure_calls *cs);

#endif
