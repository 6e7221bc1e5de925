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

/* Lines below the verdict, a name and a text: sides, period, pace, within. */
void diff_tables_summary(struct table *t, const struct comparison *c);

void diff_tables_sum(struct table *t, const struct comparison *c);

/*
 * deltas as of records_deltas(); returns the number of rows at the end that are
 * the others.
 */
size_t diff_tables_rows(struct table *t, const struct comparison *c,
    const int64_t *deltas, enum sections_table table,
    const struct diff_look *look);

/* How many of enum sections_table there are, from the first. */
int diff_tables_count(const struct comparison *c);

/* Give add() each of these tables, which it frees; sums: rows at its end. */
typedef void diff_tables_add(struct text *t, struct table *table, size_t sums);
void diff_tables_each(struct text *t, const struct comparison *c,
    const struct diff_look *look, diff_tables_add *add);

/* The first devices, and their mean: returns the rows behind these devices. */
size_t diff_tables_devices(
    struct table *t, const struct comparison *c, const struct diff_look *look);

/* Calls and ranges that changed most, by 1 % of the wall at least. */
void diff_tables_host(struct table *t, const struct comparison *c, bool screen);

/* The checks that are not the same on both sides. */
void diff_tables_checks(struct table *t, const struct comparison *c);

#endif
