/*
 * step.h - the values of the report step that the page reads.
 */
#ifndef STEP_H
#define STEP_H

#include "tq/account/device_time.h"

#include "report.h"

/* a step of a process; its times but dur are sums over its devices */
struct step_account {
	int64_t number;
	int64_t dur; /* on the device where it takes longest */
	int64_t all;
	struct span name; /* lives as long as the report */
	int64_t time[DEVICE_CLASSES];
	int64_t starved, sync, stalled; /* idle, as in step */
};

/*
 * The steps that the report shows; free(3) them.  So many are left out: first,
 * of each process that has others, and incomplete, which never ended or
 * were cut.
 */
struct step_account *step_accounts(
    const struct report *r, size_t *count, size_t *first, size_t *incomplete);

typedef void step_watch(
    void *watcher, const struct event *ev, int64_t ts, int64_t end);

/* From now on watch is called for each step. */
void step_set_watch(struct report *r, step_watch *watch, void *watcher);

#endif
