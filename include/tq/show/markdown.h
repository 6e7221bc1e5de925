/*
 * markdown.h - a table of Markdown without what stands around it.
 */
#ifndef TQ_SHOW_MARKDOWN_H
#define TQ_SHOW_MARKDOWN_H

#include "tq/show/format.h"

/* The titles of columns, the line of dashes, and the rows shown. */
void markdown_rows(
    struct text *b, const struct format_options *f, struct table *t);

#endif
