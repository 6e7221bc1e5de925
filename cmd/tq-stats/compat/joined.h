/*
 * joined.h - the API calls that an export has twice, for nsys: it joins an
 * operation with every record of its process and correlation id, so that the
 * operation counts once for the call that launched it and once for the second
 * record of that call.
 */
#ifndef JOINED_H
#define JOINED_H

#include "tq/base/keyed.h"
#include "tq/names/twice.h"

/* the second record of a call */
struct joined_call {
	int64_t ts, dur;
};

/* {0} is empty; of a section */
struct joined {
	struct twice seen;
	KEYED(struct joined_call) calls; /* by pid, corr */
};

/* A call, which has TWICE_KEYS. */
void joined_add(struct joined *j, const struct event *ev);

/* The second record of the call that launched an operation, or NULL. */
const struct joined_call *joined_find(
    const struct joined *j, const struct event *ev);

/* A new section. */
void joined_reset(struct joined *j);

void joined_free(struct joined *j);

#endif
