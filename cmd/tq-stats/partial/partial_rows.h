/*
 * partial_rows.h - reports whose rows are each of one section: in a partial
 * they are lines, in a merge they stand behind each other.  partial.c has the
 * grammar.
 */
#ifndef PARTIAL_ROWS_H
#define PARTIAL_ROWS_H

#include "report.h"

/* The columns and the rows of a part; returns the number of lines. */
size_t partial_rows_write(struct output *o, struct report *r);

/* Those of its table, with a title. */
size_t partial_rows_write_table(struct output *o, struct report *r);

/* Set what else the line with the columns of a table has: strings, a number. */
struct partial_table {
	struct span title, base, base_ns; /* values; p is NULL if absent */
};
const char *partial_rows_table(
    struct report *r, const struct partial_table *table);

/*
 * The value of "columns", or of "row", becomes part of r->rows.  Returns what
 * is wrong with it, or NULL.
 */
const char *partial_rows_columns(struct report *r, struct span columns);
const char *partial_rows_add(struct report *r, struct span row);

#endif
