/*
 * diff_tables.h - the tables of a comparison: the sum, rows, devices, the host,
 * checks.  A table without rows has nothing to show.
 */
#ifndef DIFF_TABLES_H
#define DIFF_TABLES_H

#include "sections.h"
#include "tq/show/table.h"

struct diff_look {
	size_t most; /* rows or devices; 0: all */
	bool screen; /* names are cut, and stand last */
};

void diff_tables_sum(struct table *t, const struct comparison *c);

/* deltas as of records_deltas() */
void diff_tables_rows(struct table *t, const struct comparison *c,
    const int64_t *deltas, enum sections_table table,
    const struct diff_look *look);

/* Give add() each of these tables, which it frees. */
typedef void diff_tables_add(struct text *t, struct table *table);
void diff_tables_each(struct text *t, const struct comparison *c,
    const struct diff_look *look, diff_tables_add *add);

/* The first devices, and their mean. */
void diff_tables_devices(
    struct table *t, const struct comparison *c, const struct diff_look *look);

/* Calls and ranges that changed most, by 1 % of the wall at least; a screen's.
 */
void diff_tables_host(struct table *t, const struct comparison *c);

/* The checks that are not the same on both sides. */
void diff_tables_checks(struct table *t, const struct comparison *c);

#endif
