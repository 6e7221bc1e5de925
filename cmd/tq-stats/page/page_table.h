/*
 * page_table.h - a table of the page in the making: its columns, then cells row
 * by row.
 */
#ifndef PAGE_TABLE_H
#define PAGE_TABLE_H

#include "page_draft.h"

struct page_row {
	struct page_cell *cells;
	size_t count;
};

/* Room for the rows that are shown at most, of total. */
void page_table_open(struct page_draft *f, struct page_table *t,
    const char *title, size_t shown, size_t total);

void page_table_columns(
    struct page_table *t, const struct page_column *columns, size_t count);

#define PAGE_TABLE_COLUMNS(t, ...) \
	page_table_columns((t), (const struct page_column[]){__VA_ARGS__}, \
	    sizeof((const struct page_column[]){__VA_ARGS__}) / \
		sizeof(struct page_column))

/* The next row, of at most PAGE_ROWS. */
struct page_row page_table_row(struct page_table *t, int64_t weight);

/* Its next cell. */
struct page_cell *page_table_cell(
    struct page_row *r, enum page_cell_type type, int64_t v);
void page_table_text(struct page_row *r, struct span s);
void page_table_share(
    struct page_row *r, enum page_cell_type type, int64_t v, int64_t of);

#endif
