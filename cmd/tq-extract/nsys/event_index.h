/* event_index.h - the rows that are events, in order of time */
#ifndef EVENT_INDEX_H
#define EVENT_INDEX_H

#include "event_table.h"
#include "time_window.h"

/*
 * Arrange the events of all tables in chains; find the operations of each call
 * (x->launches), the device of each context, and the rows with NVTX names.
 */
void event_index_build(struct nsys *x, struct event_table *tables, size_t count,
    const struct time_window *w);

/* The rows of a chain; of an unsorted table all in order (i is 0). */
void event_index_open(
    struct row_source *rows, struct nsys *x, struct event_table *t, size_t i);

#endif
