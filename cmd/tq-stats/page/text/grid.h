/*
 * grid.h - a table of the page, in the columns that fit.
 */
#ifndef GRID_H
#define GRID_H

#include "ink.h"

/*
 * Append titles and rows of a table that has rows, and if it is cut a line with
 * the command that shows more.  Columns go in their order until names have the
 * columns that are due to them, and names get the rest.
 */
void grid_add(struct text *t, const struct terminal *on,
    const struct page *page, const struct page_table *table);

#endif
