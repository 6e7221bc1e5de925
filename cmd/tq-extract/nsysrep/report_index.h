/*
 * report_index.h - all events of a report once, for their order and for what
 * records need of others: a function of nsys/event_store.h.
 */
#ifndef REPORT_INDEX_H
#define REPORT_INDEX_H

#include "nsys/event_store.h"

void report_index_events(struct event_store *store, struct nsys *x,
    struct event_table *tables, size_t count, const struct time_window *w);

#endif
