/*
 * flows.h - which call launched an operation: calls wait here, by process
 * and correlation id, for the operations that they launch.
 */
#ifndef FLOWS_H
#define FLOWS_H

#include <stdbool.h>

#include "tq/base/map.h"

#define FLOWS_UNKNOWN (-1) /* number of operations */

struct flow_call {
	const void *track; /* where the call is drawn */
	int64_t ts, end;
	int64_t anchor; /* a time when it is the innermost on its track */

	int64_t pid, corr;
	int32_t left; /* operations to come, or FLOWS_UNKNOWN */
	int32_t nth;  /* operations that came, or as sink.h has it */
};

/* {0} is empty */
struct flows {
	struct flow_call *call; /* a ring: call n is at n % cap */
	uint64_t first, next;   /* calls that may still be waiting */
	size_t cap;
	struct map calls; /* (pid, corr) -> call */
	bool counted;     /* the calls of this section say what they launch */
};

void flows_free(struct flows *a);

/* Forget all calls: a new section. */
void flows_reset(struct flows *a);

/*
 * Is a flow to be expected from a call that launched so many operations?
 * Where some calls say how many, one that does not launched none.
 */
static inline bool
flows_launches(struct flows *a, int64_t gpu)
{
	a->counted |= gpu != FLOWS_UNKNOWN;
	return gpu != 0 && (gpu != FLOWS_UNKNOWN || !a->counted);
}

/*
 * A call that launched so many operations is drawn on track.  Returns its
 * number, for arrows_inside; 0 if it launches nothing, or lies in a call
 * that waits under the same id.  When too many wait, the oldest is dropped.
 */
uint64_t flows_call(struct flows *a, int64_t pid, int64_t corr, int64_t gpu,
    const void *track, int64_t ts, int64_t end);

/* [ts, end) is drawn inside this call, if that is still waiting. */
void flows_inside(struct flows *a, uint64_t number, int64_t ts, int64_t end);

/*
 * Copies the call that launched an operation to *call, and returns its
 * number; 0 if there is none.
 */
uint64_t flows_operation(
    struct flows *a, int64_t pid, int64_t corr, struct flow_call *call);

#endif
