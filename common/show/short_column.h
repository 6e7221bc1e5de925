/*
 * short_column.h - a column with names of kernels, which a terminal shows
 * shortened.
 */
#ifndef SHORT_COLUMN_H
#define SHORT_COLUMN_H

#include "tq/base/intern.h"

#include "tq/show/table.h"

/* as short_column_open() leaves it */
struct short_column {
	bool any;
	size_t column;       /* its index */
	struct intern names; /* of all rows, those too that are not shown */
	struct span *shorts; /* by their numbers */
	struct region life;
};

/* The column that t->kernels names; none if there is no such column. */
void short_column_open(struct short_column *s, struct table *t);

/* Its names become at most so wide, but 20 columns; as short_names.h has it. */
void short_column_make(
    struct short_column *s, size_t width, const char *ellipsis);

/* The short form of one of its names. */
struct span short_column_text(const struct short_column *s, struct span name);

void short_column_free(struct short_column *s);

#endif
