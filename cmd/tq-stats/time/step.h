/*
 * step.h - what the devices did in each training step: what the reports on it
 * are made of.
 */
#ifndef STEP_H
#define STEP_H

#include "tq/base/map.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"

#include "device_time.h"
#include "report.h"
#include "step_waits.h"

/* the account of a device in a step */
struct step_part {
	struct device_time time;
	int64_t sync;    /* it was idle, and the thread of the step waited */
	int64_t stalled; /* it was idle, and the next operation was launched */
};

/* a device of a process, in a section */
struct step_device {
	int64_t id;
	size_t part; /* its place in the parts of a step */
	struct device_time time;
};

struct step_process {
	int64_t pid;
	int64_t steps; /* so far */
	size_t last;   /* of them that is kept: index + 1 */
	struct step_device *devices;
	size_t count;
};

struct step_thread {
	struct step_waits waits;
	int64_t step_until; /* within which all steps are parts */
};

struct step {
	size_t process, thread;
	int64_t number, ts, end;
	size_t before;           /* one of its process: index + 1, or 0 */
	int64_t until;           /* the last end of it and all before it */
	size_t name, name_len;   /* in texts */
	struct step_part *parts; /* the first: of no device */
	size_t count;
	bool left_out; /* another one is the median */
};

struct steps {
	const struct range_spec *spec; /* of the command line, or standard */
	struct range_spec standard;
	bool any;                     /* a range of that name was seen */
	struct map by_pid, by_thread; /* of the section -> index + 1 */
	struct step_process *processes;
	size_t process_count, process_cap, first_process; /* likewise first */
	struct step_thread *threads;                      /* of the section */
	size_t thread_count, thread_cap;
	struct step *steps;
	size_t count, cap;
	size_t *open; /* steps that may go on */
	size_t open_count, open_cap;
	size_t first; /* of the steps of the section */
	struct text texts, scratch;
};

/*
 * Leave out all steps of a process but the median, as tq-filter has it:
 * without the first where there are others, and of an even number the shorter
 * of the middle two.
 */
void step_choose_median(struct steps *s, const struct step_process *p);

void step_table(struct report *r, struct table *t);
void step_sum_table(struct report *r, struct table *t);

#endif
