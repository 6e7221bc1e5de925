/* report.h - what --check says of an export */
#ifndef REPORT_H
#define REPORT_H

#include "nsys/event_table.h"

/*
 * Print what became of every table of these kinds, once all rows were written:
 * rows, records, losses and why, columns and tables that were not read or are
 * not there, and what the producer itself reported.
 */
void check_report_print(struct nsys *x, const struct event_table *tables,
    size_t count, uint64_t kinds);

/* Rows of all tables that did not become records. */
int64_t check_report_lost(const struct event_table *tables, size_t count);

/* Why rows were lost, as lost records and messages say it. */
const char *check_report_reason(enum loss loss);

#endif
