/*
 * steps.h - the durations of the steps of processes, and the work in each.
 *
 * A step is a range that ended; ranges that begin before the previous step is
 * over, and ranges of other threads than the first step's, are no steps.  Of a
 * process STEPS_MOST are held, 104 bytes each, and 8 for each device; the
 * others are not looked at.
 */
#ifndef TQ_ADVICE_STEPS_H
#define TQ_ADVICE_STEPS_H

#include "tq/base/numbered.h"
#include "tq/line/event.h"

enum { STEPS_MOST = 65536, STEPS_SLOPES = 400, STEPS_DRIFT = 10 };

struct step {
	int64_t ts, end;
	int64_t number; /* of its process, from 0 */
	int64_t launches;
	uint64_t grids; /* of the launches, one hash */
	int64_t syncs;  /* calls that synchronise, before the last 10 % */
	int64_t peak;   /* bytes of memory at most */
	int64_t rises;  /* steps on end, up to this one, whose peak rose */
	/*
	 * After steps_finish, of the process whose device computes longest in
	 * the steps of this number; imbalance is 0 of all others.
	 */
	int64_t computes;  /* ns of that device */
	int64_t imbalance; /* above the median of the devices */
	int64_t slowest;   /* the device */
};

/* how long a device computes in each step of a process */
struct device_steps {
	size_t section;
	uint32_t process;
	int64_t device;
	int64_t until; /* of the kernels so far */
	int64_t *ns;   /* by index of the step */
	size_t cap;
};

/* the steps of a process in a section */
struct process_steps {
	int64_t tid;
	struct step *all; /* in order of time */
	size_t count, cap;
	int64_t memory;     /* bytes so far */
	bool allocates;     /* there was a record of memory */
	bool memory_unsure; /* memory was freed of unknown size */

	/* after steps_finish; of steps but the number 0 */
	int64_t median; /* ns; 0: fewer than 3 */
	int64_t drift;  /* ppm of the median in 10 steps, see steps_drift */
};

/* {0} is empty; process is its number, see names/model.h */
struct step_table {
	NUMBERED(struct process_steps) processes;
	NUMBERED(struct device_steps) devices;
};

/* Add the keys that the functions below need. */
void steps_keys(struct keyset *want);

/* A step, with its number; an operation; any other record. */
void steps_add(struct step_table *s, uint32_t process, const struct event *ev,
    int64_t number);
void steps_add_work(struct step_table *s, size_t section, uint32_t process,
    const struct event *ev);
void steps_add_record(
    struct step_table *s, uint32_t process, const struct event *ev);

/* After the last record. */
void steps_finish(struct step_table *s);

/* NULL if the process has no steps. */
const struct process_steps *steps_find(
    const struct step_table *s, uint32_t process);

/* The step that a time lies in, or NULL. */
struct step *steps_at(const struct process_steps *p, int64_t ts);

/* A length in percent of another that is above 0, INT64_MAX at most. */
int64_t steps_share(int64_t length, int64_t of);

/* How far into the step a time of it is, in percent. */
int64_t steps_phase(const struct step *x, int64_t ts);

void steps_free(struct step_table *s);

#endif
