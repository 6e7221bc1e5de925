/*
 * column_doc.h - what the columns of tables mean: a row for each, for
 * --help-reports and for -f json.
 */
#ifndef TQ_SHOW_COLUMN_DOC_H
#define TQ_SHOW_COLUMN_DOC_H

#include "tq/show/table.h"

/* what a cell says about its row */
enum column_role {
	COLUMN_VALUE,
	COLUMN_KEY,   /* which thing the row is of, in any recording */
	COLUMN_MOMENT /* when it happened: no other recording has the row */
};

struct column_doc {
	const char *report; /* the only one, without arguments; NULL: any */
	const char *name;   /* of the column; "*": all of the report */
	enum column_role role;
	const char *doc;
	const char *unit; /* of a number whose column has none, or NULL */
};

/*
 * The doc of a column of t->docs, which a row without a name ends, the one of
 * its report first.  Without one a text is a key, and all else a value.
 */
const struct column_doc *column_doc_find(
    const struct table *t, const struct column *c);

/* The same for a table that has no docs yet. */
const struct column_doc *column_doc_in(
    const struct column_doc *docs, const char *report, const struct column *c);

#endif
