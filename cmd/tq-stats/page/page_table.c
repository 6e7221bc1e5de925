/* page_table.c - a table of the page in the making */

#include "page_table.h"

void
page_table_open(struct page_draft *f, struct page_table *t, const char *title,
    size_t shown, size_t total)
{
	t->title = title;
	t->shown = shown;
	t->total = total;
	t->rows = region_get(&f->p->life, PAGE_ROWS * sizeof(*t->rows));
	t->weights = region_get(&f->p->life, PAGE_ROWS * sizeof(*t->weights));
}

void
page_table_columns(
    struct page_table *t, const struct page_column *columns, size_t count)
{
	memcpy(t->columns, columns, count * sizeof(*columns));
	t->column_count = count;
}

struct page_row
page_table_row(struct page_table *t, int64_t weight)
{
	t->weights[t->count] = weight;
	return (struct page_row){t->rows[t->count++], 0};
}

struct page_cell *
page_table_cell(struct page_row *r, enum page_cell_type type, int64_t v)
{
	struct page_cell *c = &r->cells[r->count++];

	*c = (struct page_cell){.type = type, .v = v};
	return c;
}

void
page_table_text(struct page_row *r, struct span s)
{
	page_table_cell(r, PAGE_TEXT, 0)->text = s;
}

void
page_table_share(
    struct page_row *r, enum page_cell_type type, int64_t v, int64_t of)
{
	page_table_cell(r, type, v)->of = of;
}
