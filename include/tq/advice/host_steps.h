/*
 * host_steps.h - the steps of threads, as they begin and end: what findings
 * are of in a recording in which no device works.
 */
#ifndef TQ_ADVICE_HOST_STEPS_H
#define TQ_ADVICE_HOST_STEPS_H

#include "tq/base/numbered.h"
#include "tq/base/text.h"
#include "tq/join/expiry.h"
#include "tq/line/event.h"

/* the last step of a thread */
struct host_step {
	uint32_t process, thread;  /* see names/model.h */
	uint32_t any;              /* all threads of the process */
	int64_t pid, tid, ts, end; /* end: INT64_MAX if it was never closed */
	bool open;
	bool counted; /* by the caller */
	struct text name;
	size_t device; /* of the thread, in engine.devices; SIZE_MAX: none yet
			*/
};

/* HOST_STEPS_EMPTY is empty */
struct host_steps {
	NUMBERED(struct host_step) threads;
	struct expiry open; /* their numbers */
};

#define HOST_STEPS_EMPTY ((struct host_steps){.open = EXPIRY_EMPTY})

/* The thread, with its last step; good until the next call. */
struct host_step *host_steps_thread(
    struct host_steps *h, const struct event *ev);

/* The step of a thread that is open, or NULL; good until the next thread. */
struct host_step *host_steps_open(const struct host_steps *h, uint32_t thread);

/*
 * A step of the thread begins, and is open; its name is the caller's to set.
 * The last one is over.
 */
void host_steps_begin(
    struct host_steps *h, struct host_step *thread, int64_t ts, int64_t end);

/* The next step that has ended by now, which is no longer open; NULL: none. */
struct host_step *host_steps_ended(struct host_steps *h, int64_t now);

/* When the oldest open step of a process began; now if none is open. */
int64_t host_steps_oldest(
    const struct host_steps *h, uint32_t process, int64_t now);

/* A new section. */
void host_steps_reset(struct host_steps *h);

void host_steps_free(struct host_steps *h);

#endif
