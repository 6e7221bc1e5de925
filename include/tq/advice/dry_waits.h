/*
 * dry_waits.h - waits of the host at which a device runs dry, and the time of
 * the host that they expose.
 *
 * Without the wait the host would do what it does next while the device still
 * works: of each step no more than the device works in it could be hidden.  The
 * device's work up to the wait is what is left to hide such time; what a step
 * leaves over is good for the next one, as far as that step worked.
 */
#ifndef TQ_ADVICE_DRY_WAITS_H
#define TQ_ADVICE_DRY_WAITS_H

#include "tq/advice/steps.h"
#include "tq/base/keyed.h"

/* what time of the host it is: each kind may have all of the work */
enum dry_time_of {
	DRY_UNNAMED, /* without a name, and launches */
	DRY_HOST,    /* all of it */
	DRY_KINDS
};

/* of a device; {0} is empty */
struct dry_device {
	int64_t left[DRY_KINDS]; /* ns of its work that may hide more */
	int64_t step;            /* ns of its work in the current step */
	int64_t until;           /* the current step ends; 0: none yet;
				  * INT64_MAX: there are none */
	bool next;               /* the next operation is of another step */
	int64_t ends, last; /* steps that end with a wait, and the last one */
};

/* a wait in which the thread that launches was when a gap began */
struct dry_wait {
	uint32_t call;  /* its name in engine.texts + 1; 0: there was no wait */
	uint32_t range; /* place of the range that it is in; 0: none */
	bool ends_step; /* its step launches nothing after it */
};

/* time of a row that waits of one name expose */
struct dry_time {
	size_t row;
	struct dry_wait wait; /* ends_step: of the first */
	int64_t ns;
	int64_t step_ns; /* of it, after waits that end a step */
};

/* {0} is empty */
struct dry_waits {
	KEYED(struct dry_time) times; /* by row, and call and range */
};

/* The device works for ns in an operation. */
void dry_waits_work(struct dry_device *d, int64_t ns);

/* A gap of the device ends with an operation that was launched at a time, not
   before d->until; steps of its process, or NULL. */
void dry_waits_launch(
    struct dry_device *d, const struct process_steps *steps, int64_t launch);

/*
 * The device ran dry at a time, in a wait of the thread of steps, before that
 * launch: true if the wait ends a step, which is counted.
 */
bool dry_waits_end_step(struct dry_device *d, const struct process_steps *steps,
    int64_t at, int64_t launch);

/* Time of a row that the wait exposes. */
void dry_waits_add(
    struct dry_waits *w, size_t row, struct dry_wait wait, int64_t ns);

void dry_waits_free(struct dry_waits *w);

#endif
