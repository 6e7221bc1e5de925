/*
 * host_steps.h - the steps of threads, as they begin and end: what findings
 * are of in a recording in which no device works.
 */
#ifndef TQ_ADVICE_HOST_STEPS_H
#define TQ_ADVICE_HOST_STEPS_H

#include "tq/base/keyed.h"

struct host_step {
	int64_t pid, tid, ts, end;
	uint32_t what; /* text */
	bool open;
};

/* {0} is empty */
struct host_steps {
	KEYED(struct host_step) threads; /* by pid and tid: the last step */
	size_t open;
	int64_t first_end; /* of those that are open */
	int64_t count;     /* of steps that were added, of all sections */
};

/*
 * A step begins, and is open.  One that begins within another of its thread is
 * a part of that, and is not added.  Steps come in order of time, and those
 * that have ended were taken out before.
 */
void host_steps_begin(struct host_steps *h, const struct host_step *s);

/* A step that has ended by now, which is no longer open; NULL: none. */
const struct host_step *host_steps_ended(struct host_steps *h, int64_t now);

/* When the oldest open step of the process began; now if none is open. */
int64_t host_steps_oldest(
    const struct host_steps *h, int64_t pid, int64_t now);

/* A new section. */
void host_steps_reset(struct host_steps *h);

void host_steps_free(struct host_steps *h);

#endif
