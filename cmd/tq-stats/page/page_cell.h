/*
 * page_cell.h - the numbers in the tables of the page.
 */
#ifndef PAGE_CELL_H
#define PAGE_CELL_H

#include "page/page.h"

/* Append the number of a cell, with a ~ if it is approximate; or nothing. */
void page_cell_number(struct text *t, const struct page_cell *cell);

#endif
