/*
 * host_steps.h - the steps of threads, as they begin and end: what findings
 * are of in a recording in which no device works.
 */
#ifndef TQ_ADVICE_HOST_STEPS_H
#define TQ_ADVICE_HOST_STEPS_H

#include "tq/base/keyed.h"
#include "tq/join/expiry.h"

struct host_step {
	int64_t pid, tid, ts, end;
	uint32_t what; /* text */
	bool open;
};

/* HOST_STEPS_EMPTY is empty */
struct host_steps {
	KEYED(struct host_step) threads; /* by pid and tid: the last step */
	struct expiry open;              /* their numbers */
	int64_t count; /* of steps that were added, of all sections */
};

#define HOST_STEPS_EMPTY ((struct host_steps){.open = EXPIRY_EMPTY})

/*
 * A step begins, and is open.  One that begins within another of its thread is
 * a part of that, and is not added.  Steps come in order of time, and those
 * that have ended were taken out before.
 */
void host_steps_begin(struct host_steps *h, const struct host_step *s);

/* The next step that has ended by now, which is no longer open; NULL: none. */
const struct host_step *host_steps_ended(struct host_steps *h, int64_t now);

/*
 * When the open step of the thread began, or with NO_ID the oldest one of its
 * process; now if none is open.
 */
int64_t host_steps_oldest(
    const struct host_steps *h, int64_t pid, int64_t tid, int64_t now);

/* A new section. */
void host_steps_reset(struct host_steps *h);

void host_steps_free(struct host_steps *h);

#endif
