/*
 * diff_tables.h - the tables of a comparison, for documents: the sum, rows,
 * devices, checks.  A table without rows has nothing to show.
 */
#ifndef DIFF_TABLES_H
#define DIFF_TABLES_H

#include "sections.h"
#include "tq/show/table.h"

void diff_tables_sum(struct table *t, const struct comparison *c);

/* deltas as of records_deltas(); most: rows, 0: all. */
void diff_tables_rows(struct table *t, const struct comparison *c,
    const int64_t *deltas, enum sections_table table, size_t most);

/* The first devices, and their mean; most: devices, 0: all. */
void diff_tables_devices(
    struct table *t, const struct comparison *c, size_t most);

/* The checks that are not the same on both sides. */
void diff_tables_checks(struct table *t, const struct comparison *c);

#endif
