/*
 * report_rows.h - the events of a report as rows in order of time: functions of
 * nsys/event_store.h.
 */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "nsys/event_store.h"

void report_rows_merge(struct event_store *store, struct event_table *tables,
    size_t count, struct row_merge *m);

/* For reports whose events are in too many chains (row_chains.h). */
bool report_rows_sort(struct event_store *store, struct event_table *tables,
    size_t count, void (*write)(void *arg, struct row_source *row), void *arg);

void report_rows_frames(struct event_store *store, int64_t chain,
    void (*frame)(void *arg, const struct chain_frame *), void *arg);

#endif
