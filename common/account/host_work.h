/*
 * host_work.h - the account of a recording without operations of a device.
 *
 * A process takes the place of a device, and calls and ranges those of its
 * operations: each ns of a unit is of the call or range that began last of all
 * that run on its threads; if none runs it is PART_UNKNOWN.  Of a row, dur is
 * its time without what it encloses on its thread, and exposed the part of it
 * in which it is that call or range.
 *
 * A recording that has only samples is one unit, as long as all that
 * cpu_samples.h counts, and a row is a function: the innermost frame.
 */
#ifndef TQ_ACCOUNT_HOST_WORK_H
#define TQ_ACCOUNT_HOST_WORK_H

#include "tq/account/cpu_samples.h"
#include "tq/base/keyed.h"
#include "tq/names.h"

#include "account_draft.h"

/* a call or range of a thread; end: INT64_MAX while it is unknown */
struct host_item {
	int64_t ts, end;
	uint32_t name; /* of host_work */
};

/* a thread: what runs, the innermost last */
struct item_stack {
	struct host_item *all;
	size_t count, cap;
};

struct item_sum {
	uint32_t name;
	struct account_sum sum;
};

struct host_unit {
	struct account_unit of;
	int64_t end;
};

struct host_process {
	int64_t pid, rank;
	KEYED(struct item_stack) threads; /* of the section, by tid */
	size_t *active; /* threads on which something may run */
	size_t active_count, active_cap;
	int64_t now, first, last;
	int64_t items;
	struct host_unit *units; /* none overlaps another */
	size_t unit_count, unit_cap;
	/* of the first unit, which may be left out, and of the others */
	KEYED(struct item_sum) sums[2];
};

/* {0} is empty */
struct host_work {
	bool by_units;       /* steps or ranges; else a process is one */
	struct intern names; /* kind, and name */
	KEYED(struct host_process) processes; /* by model_process() */
	KEYED(struct item_sum) samples;
	struct cpu_samples section;
	int64_t assumed; /* samples whose length is unknown */
	struct text key;
};

/* A unit of its process begins, before its range is an item. */
void host_work_unit(
    struct host_work *w, const struct event *ev, int64_t number);

/* A record: calls, ranges and samples count. */
void host_work_event(struct host_work *w, const struct event *ev);

/*
 * All that runs has ended by the last time that a process has.  names: of the
 * section.
 */
void host_work_section_end(struct host_work *w, const struct names *names);

/* Units are of another kind from now on: forget all sums. */
void host_work_restart(struct host_work *w, bool by_units);

/* The recording is over: make it part of the draft, as fact "work" says. */
void host_work_finish(struct host_work *w, struct account_draft *r);

void host_work_free(struct host_work *w);

#endif
