/*
 * steps.h - how long the steps of processes take, and the work in each.
 *
 * A step is a range that ended; ranges that begin before the previous step is
 * over, and ranges of other threads than the first step's, are no steps.  A
 * step is what it launched: it takes from the end of the work before, so that
 * the gap that its first operation ends is a part of it, to the end of its last
 * operation, on the device where that is longest; the step of number 0 begins
 * with its range at the earliest.  A step without an operation takes as long as
 * its range.  Of a process STEPS_MOST are held, 128 bytes each, and 32 for each
 * device; the others are not looked at.
 */
#ifndef TQ_ADVICE_STEPS_H
#define TQ_ADVICE_STEPS_H

#include "tq/base/numbered.h"
#include "tq/line/event.h"

enum {
	STEPS_MOST = 65536,
	STEPS_SLOPES = 400,
	STEPS_DRIFT = 10, /* steps at least */
	STEPS_LEVEL = 3,  /* steps at least, before and after a change */
	LEVEL_LEAST = 5   /* percent */
};

struct step {
	int64_t ts, end; /* of its range */
	int64_t number;  /* of its process, from 0 */
	int64_t launches;
	int64_t launched; /* the last call that launched other work than a copy
			   * to the host */
	uint64_t grids;   /* of the launches, one hash */
	int64_t syncs;    /* calls that synchronise, before the last 10 % */
	int64_t peak;     /* bytes of memory at most */
	int64_t rises;    /* steps on end, up to this one, whose peak rose */
	int64_t length;   /* ns that it takes, after steps_finish */
	int64_t slower;   /* likewise: ns that its kernels compute longer than
			   * those of the steps before the change of level */
	/*
	 * After steps_finish, of the process whose device computes longest in
	 * the steps of this number; imbalance is 0 of all others.
	 */
	int64_t computes;  /* ns of that device */
	int64_t imbalance; /* above the median of the devices */
	int64_t slowest;   /* the device */
};

/* a step on a device */
struct device_step {
	bool any;         /* it has an operation */
	int64_t computes; /* ns */
	int64_t from, to; /* it takes */
};

/* the steps of a process on a device */
struct device_steps {
	size_t section;
	uint32_t process;
	int64_t device;
	int64_t until;           /* of the kernels so far */
	int64_t busy;            /* of all operations so far */
	struct device_step *all; /* by index of the step */
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
	int64_t drift;  /* ppm of the median in 10 steps, see find_drift() */
	int64_t level;  /* percent that kernels are slower from a step on, see
			 * find_level(); 0: they are not */
	int64_t level_from; /* the number of that step */
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

/* The process whose steps become slower by most, at once or else bit by bit;
   NULL if none do. */
const struct process_steps *steps_slower(const struct step_table *s);

/* The step that a time lies in, or NULL. */
struct step *steps_at(const struct process_steps *p, int64_t ts);

/* True if a step that the time lies in launches no more work, but for copies to
   the host. */
bool steps_end_with(const struct process_steps *p, int64_t ts);

/* True if the range is one of the steps. */
bool steps_has(const struct process_steps *p, const struct event *range);

/* A length in percent of another that is above 0, INT64_MAX at most: of a
   share that is compared what is whole of it, or rounded as people read it. */
int64_t steps_share(int64_t length, int64_t of);
int64_t steps_share_rounded(int64_t length, int64_t of);

/* How far into the step a time of it is, in percent. */
int64_t steps_phase(const struct step *x, int64_t ts);

void steps_free(struct step_table *s);

#endif
