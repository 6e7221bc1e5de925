/*
 * calls.h - the calls that may still launch something, by process and
 * correlation id.
 *
 * One that returned, and has all the operations that the producer counted, is
 * forgotten CALLS_LINGER ns later: what else has its corr, as what a
 * synchronisation was for the device, comes by then.  Of more than
 * CALLS_PENDING the oldest are forgotten.
 */
#ifndef CALLS_H
#define CALLS_H

#include "tq/base/map.h"

#include "open.h"

enum { CALLS_PENDING = 1 << 17, CALLS_LINGER = 1000000 };

struct call {
	int64_t pid, tid, corr;
	int64_t ts, end;
	uint64_t record;
	struct open_range *top; /* of its thread when it started */
	bool settled;           /* top and the answers are known */
	bool inside;            /* of the selection in time, and of */
	bool chosen;            /* ... all of the selection */
	bool kept;
	int64_t count, came; /* operations, or NO_ID; of all, so far */
	struct call *other;  /* told twice: the driver's part of it */
	struct call *outer;  /* of that one, this one */
	struct call *older, *newer;
};

struct calls {
	struct open *open; /* where top is left */
	struct map map;
	struct call *oldest, *newest, *free;
	size_t count;
};

/* Take in a copy of c, which has a corr. */
struct call *calls_add(struct calls *cs, const struct call *c);

/* The call that launched corr, or NULL. */
struct call *calls_find(const struct calls *cs, int64_t pid, int64_t corr);

/* Forget some, where there are too many; time is at now. */
void calls_trim(struct calls *cs, int64_t now);

/* Forget them all. */
void calls_clear(struct calls *cs);

void calls_free(struct calls *cs);

#endif
