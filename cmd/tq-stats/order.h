/*
 * order.h - the rows of tables in the order of --sort and --top.
 */
#ifndef ORDER_H
#define ORDER_H

#include <stdio.h>

#include "tq/base/suggestion.h"

#include "tq/show/table.h"

enum order_direction { ORDER_DEFAULT, ORDER_ASC, ORDER_DESC };

/* {0}: all rows as they come */
struct order {
	struct span column; /* its title or key, or a beginning; len 0: none */
	enum order_direction direction;
	size_t top; /* rows of a table that are shown; 0: all */
};

/* Set the column of "COLUMN[:asc|:desc]", which is borrowed. */
void order_parse(struct order *o, const char *text);

/*
 * The column of a table, with or without its unit, or as its key; else the only
 * one whose key begins so; SIZE_MAX if there is none.
 */
size_t order_column(const struct order *o, struct table *t);

/*
 * Sort the rows of a table by the column, if it has that: numbers from the
 * largest, texts from the smallest, unless there is a direction; empty cells
 * come last, equal ones stay in order.  Until order_reset().
 */
void order_rows(const struct order *o, struct table *t);
void order_reset(struct table *t);

/* Print a line for each column: its key, its title, and with docs what it is.
 */
void order_list(FILE *f, struct table *t, bool docs);

/* keys and titles that were considered */
struct order_seen {
	char **words;
	size_t count, cap;
};

/* Consider the keys and titles of a table as guesses. */
void order_near(struct suggestion *n, struct order_seen *seen, struct table *t);

void order_seen_free(struct order_seen *seen);

#endif
