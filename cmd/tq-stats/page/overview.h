/*
 * overview.h - what was run on what: the first report of the page, a row of
 * report_overview.
 */
#ifndef OVERVIEW_H
#define OVERVIEW_H

#include "tq/base/map.h"

#include "report.h"

/* a process of the section */
struct run_process {
	int64_t pid, rank;
	uint64_t operations, calls, ranges, others;
	struct text name;
};

/* a device of a process */
struct run_device {
	int64_t pid, device;
	uint64_t operations;
	struct text what;
};

/* what its trace record says */
enum { RUN_PRODUCER, RUN_COMMAND, RUN_HOST, RUN_START, RUN_FACTS };

struct overview_run {
	int64_t sections;  /* so far */
	struct table rows; /* of them */
	bool events;       /* there was one */
	struct text scratch;

	/* of the section at hand */
	struct map by_pid, by_device; /* -> index + 1 */
	struct run_process *processes;
	size_t process_count, process_cap;
	struct run_device *devices;
	size_t device_count, device_cap;
	uint64_t kinds[KIND_COUNT + 1];
	uint64_t joined; /* operations with their call */
	int64_t from, to, lost;
	bool any, begun, ended;
	struct text facts[RUN_FACTS];
};

extern const enum key overview_run_keys[];

void overview_run_event(struct report *r, const struct event *ev);
void overview_run_section_end(struct report *r);
void overview_run_table(struct report *r, struct table *t);
void overview_run_close(struct report *r);

#endif
