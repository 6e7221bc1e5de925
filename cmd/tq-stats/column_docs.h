/*
 * column_docs.h - the columns of all reports.
 */
#ifndef COLUMN_DOCS_H
#define COLUMN_DOCS_H

#include "tq/show/column_doc.h"

extern const struct column_doc column_docs[];

/*
 * The commands that show more of what a report has, as next of struct table;
 * NULL if there are none.
 */
const char *column_docs_next(const char *report);

#endif
