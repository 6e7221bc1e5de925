/* report.h - what --check says of an export */
#ifndef REPORT_H
#define REPORT_H

#include "table.h"

/*
 * Print what became of every table of these kinds, once all rows were written:
 * rows, records, losses and why, columns and tables that were not read or are
 * not there, and what the producer itself reported.
 */
void report_print(
    struct nsys *x, const struct table *tables, size_t count, uint64_t kinds);

/* Rows of all tables that did not become records. */
int64_t report_lost(const struct table *tables, size_t count);

/* Why rows were lost, as lost records and messages say it. */
const char *report_reason(enum loss loss);

#endif
