/* check_report.h - the report of --check on an export */
#ifndef CHECK_REPORT_H
#define CHECK_REPORT_H

#include "check_sheet.h"
#include "nsys/event_table.h"
#include "write/row_writer.h"

/*
 * Write, once all rows are written, the rows, records and losses of every
 * table of these kinds, the columns and tables that were not read or that the
 * export lacks, and the messages of nsys itself.
 */
void check_report_write(const struct row_writer *w,
    const struct event_table *tables, size_t count, uint64_t kinds,
    struct check_sheet *s);

/* Rows of all tables that did not become records. */
int64_t check_report_lost(const struct event_table *tables, size_t count);

/* The reason for a loss, as lost records and messages have it. */
const char *check_report_reason(enum row_is lost);

#endif
