/* report_file.h - the report that nsys would have exported to the database */

#ifndef REPORT_FILE_H
#define REPORT_FILE_H

#include "rows.h"

/*
 * Write the events of TABLES tables, each in its order, as a report. Exits when
 * the file can't be written.
 */
void report_file_write(const char *name, const struct table *tables,
    const struct strings *strings, int64_t duration);

#endif
