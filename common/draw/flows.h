/*
 * flows.h - which call launched an operation: calls wait for the operations
 * that they launch, so that a flow can be drawn from one to the other.
 */
#ifndef FLOWS_H
#define FLOWS_H

#include "tq/draw/sink.h"
#include "tq/join/join.h"

struct flow_call {
	struct join_call call;
	const struct track *track; /* where the call is drawn */
	bool waiting;
	uint64_t number; /* 1, 2, 3 ... */
	int64_t anchor;  /* a time when it is the innermost on its track */
};

/* set up by flows_init */
struct flows {
	struct join join;
	uint64_t last; /* the number of the youngest call */
};

void flows_init(struct flows *f);
void flows_free(struct flows *f);

/* Forget all calls: a new section. */
void flows_reset(struct flows *f);

/*
 * True if flows are to be expected from a call with that key gpu, NO_ID if it
 * is absent.
 */
static inline bool
flows_launches(struct flows *f, int64_t gpu)
{
	return join_expected(&f->join, gpu) != 0;
}

/*
 * A call of process pid, which flows_launches, is drawn on track.  NULL if it
 * lies in a call that waits under the same id; else it is good until
 * flows_reset.  When too many wait, the oldest is dropped.
 */
struct flow_call *flows_call(struct flows *f, int64_t pid, int64_t corr,
    int64_t gpu, const struct track *track, int64_t ts, int64_t end);

/*
 * [ts, end) is drawn on track, inside c, which was the last call there: other
 * calls may have the place of c by now.
 */
void flows_inside(
    struct flow_call *c, const struct track *track, int64_t ts, int64_t end);

/*
 * The call that launched an operation, good until the next flows_call, and
 * *nth for struct sink_flow; NULL if there is none.
 */
const struct flow_call *flows_operation(
    struct flows *f, int64_t pid, int64_t corr, int64_t *nth);

#endif
