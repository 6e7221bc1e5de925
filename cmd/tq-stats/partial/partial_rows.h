/*
 * partial_rows.h - reports whose rows are each of one section: in a partial
 * they are lines, in a merge they stand behind each other.  partial.c has the
 * grammar.
 */
#ifndef PARTIAL_ROWS_H
#define PARTIAL_ROWS_H

#include "report.h"

/* Write the columns and the rows of a part. */
void partial_rows_write(struct output *o, struct report *r);

/* The columns and the rows of the finished table, with its title; likewise. */
void partial_rows_write_table(struct output *o, struct report *r);

/* the other members of the line with the columns of a finished table */
struct partial_table {
	struct span title, base, base_ns; /* values; p is NULL if absent */
};

/* The report takes them over.  Returns what is wrong with one, or NULL. */
const char *partial_rows_table(
    struct report *r, const struct partial_table *table);

/*
 * The value of "columns", or of "row", becomes part of r->rows.  Returns what
 * is wrong with it, or NULL.
 */
const char *partial_rows_columns(struct report *r, struct span columns);
const char *partial_rows_add(struct report *r, struct span row);

#endif
