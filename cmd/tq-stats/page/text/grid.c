/* grid.c - a table of the page, in the columns that fit */

#include <math.h>
#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/base/region.h"

#include "bar.h"
#include "grid.h"
#include "tq/show/short_names.h"
#include "tq/show/amount.h"
#include "tq/show/escape.h"
#include "page/page_cell.h"
#include "prose.h"
#include "tq/show/display.h"
#include "tq/show/distinct_cuts.h"

enum {
	BETWEEN = 2, /* blanks */
	BAR_CELLS = 8,
	SPREAD_CELLS = 10,
	STACK_CELLS = 24,
	UNCUT = 1 << 16,
	WIDE = 100 /* columns from which names are due more */
};

struct grid {
	const struct terminal *on;
	const struct page *page;
	const struct page_table *table;
	size_t rows;
	size_t widths[PAGE_COLUMNS];
	bool gone[PAGE_COLUMNS];
	struct span *kernels; /* short names of all */
	struct span *names; /* of the rows: what is shown in the last column */
	struct region life;
	struct text scratch;
};

/* ---- cells ---- */

/* The width of a drawing, 0 for text. */
static size_t
drawn_cells(enum page_cell_type type)
{
	switch (type) {
	case PAGE_BAR:
		return BAR_CELLS;
	case PAGE_SPREAD:
		return SPREAD_CELLS;
	case PAGE_STACK:
		return STACK_CELLS;
	default:
		return 0;
	}
}

/* Until the next call. */
static struct span
cell_text(struct grid *g, const struct page_cell *cell)
{
	struct text *t = &g->scratch;

	t->len = 0;
	text_reserve(t, 1);
	if (cell->type == PAGE_TEXT)
		escape_terminal(t, cell->text);
	else if (cell->type == PAGE_KERNEL && g->kernels != NULL)
		escape_terminal(t, g->kernels[cell->v]);
	else
		page_cell_number(t, cell);
	return text_span(t);
}

/* the number of durations below v */
static size_t
count_below(const struct dist *times, long double v)
{
	size_t from = 0, to = times->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if ((long double)dist_at(times, middle) < v)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Durations from the least to the largest, on a log scale. */
static void
add_spread(struct text *t, const struct terminal *on, const struct dist *times)
{
	int64_t counts[SPREAD_CELLS];
	int64_t least = dist_min(times), largest = dist_max(times);
	long double from = (long double)(least > 1 ? least : 1);
	long double times_larger = (long double)largest / from;
	size_t below = 0;

	for (int i = 0; i < SPREAD_CELLS; i++) {
		long double part = (long double)(i + 1) / SPREAD_CELLS;
		size_t n = times->count;

		if (i + 1 < SPREAD_CELLS)
			n = count_below(times, from * powl(times_larger, part));
		counts[i] = (int64_t)(n - below);
		below = n;
	}
	bar_add_counts(t, on, INK_BLUE, counts, SPREAD_CELLS);
}

/* All of a column have the scale of the largest. */
static void
add_stack(
    struct grid *g, struct text *t, size_t column, const struct page_cell *cell)
{
	int64_t most = 0;

	for (size_t row = 0; row < g->rows; row++)
		if (g->table->rows[row][column].v > most)
			most = g->table->rows[row][column].v;
	bar_add_stack(t, g->on, cell->classes, most, STACK_CELLS);
}

static void
add_drawn(
    struct grid *g, struct text *t, size_t column, const struct page_cell *cell)
{
	if (cell->type == PAGE_BAR)
		bar_add(t, g->on, INK_BLUE, cell->v, cell->of, BAR_CELLS);
	else if (cell->type == PAGE_STACK)
		add_stack(g, t, column, cell);
	else
		add_spread(t, g->on, cell->times);
}

/* ---- columns ---- */

static size_t
last_of(const struct grid *g)
{
	return g->table->column_count - 1;
}

static void
measure(struct grid *g)
{
	for (size_t c = 0; c < g->table->column_count; c++) {
		const char *title = g->table->columns[c].title;

		g->widths[c] = display_width(span_of(title));
		for (size_t row = 0; row < g->rows; row++) {
			const struct page_cell *cell = &g->table->rows[row][c];
			size_t width = drawn_cells(cell->type);

			if (width == 0)
				width = display_width(cell_text(g, cell));
			if (width > g->widths[c])
				g->widths[c] = width;
		}
	}
}

/* The columns that are left for names. */
static size_t
left_for_name(const struct grid *g)
{
	size_t width = 0;

	for (size_t c = 0; c < last_of(g); c++)
		if (!g->gone[c])
			width += g->widths[c] + BETWEEN;
	return width < g->on->width ? g->on->width - width : 1;
}

static size_t
due_to_name(const struct grid *g)
{
	if (g->table == &g->page->kernels)
		return g->on->width < WIDE ? 40 : 50;
	if (g->table == &g->page->waits)
		return 44 - 8; /* the cause, of 6, stands before */
	return g->on->width > WIDE ? 44 : 30;
}

static void
drop_columns(struct grid *g)
{
	size_t due = due_to_name(g);

	for (size_t c = 0; g->on->undrawn && c < last_of(g); c++)
		g->gone[c] = drawn_cells(g->table->rows[0][c].type) > 0;
	for (unsigned rank = 1; rank <= PAGE_COLUMNS; rank++)
		for (size_t c = 0; c < last_of(g); c++)
			if (g->table->columns[c].goes == rank &&
			    left_for_name(g) < due)
				g->gone[c] = true;
}

/* Names of kernels stay different when they are cut. */
static void
shorten_kernels(struct grid *g, size_t width)
{
	const struct page *p = g->page;

	if (g->table->rows[0][last_of(g)].type != PAGE_KERNEL)
		return;
	g->kernels = mem_resize(NULL, p->kernel_count + 1, sizeof(struct span));
	short_names(p->kernel_names, p->kernel_count,
	    width > SHORT_NAMES_LEAST ? width : SHORT_NAMES_LEAST,
	    ink_ellipsis(g->on), g->kernels, &g->life);
}

/* The last column; different names stay different. */
static void
cut_names(struct grid *g, size_t width)
{
	struct span *texts = mem_resize(NULL, g->rows + 1, sizeof(*texts));

	for (size_t row = 0; row < g->rows; row++)
		texts[row] = region_copy(
		    &g->life, cell_text(g, &g->table->rows[row][last_of(g)]));
	g->names = mem_resize(NULL, g->rows + 1, sizeof(*g->names));
	distinct_cuts(texts, g->rows, width, DISPLAY_CUT, ink_ellipsis(g->on),
	    g->names, &g->life);
	free(texts);
}

/* A pipe's last column is not cut. */
static void
fit(struct grid *g)
{
	size_t last = last_of(g);

	measure(g);
	drop_columns(g);
	g->widths[last] = g->on->is ? left_for_name(g) : UNCUT;
	shorten_kernels(g, g->widths[last]);
	cut_names(g, g->widths[last]);
}

/* ---- lines ---- */

static void
add_titles(struct grid *g, struct text *t)
{
	const struct page_table *table = g->table;
	struct text line = {0};
	struct span all;

	for (size_t c = 0; c < last_of(g); c++) {
		struct span title = span_of(table->columns[c].title);

		if (g->gone[c])
			continue;
		if (table->columns[c].left)
			display_add_left(&line, title, g->widths[c], 100, "");
		else
			display_add_right(&line, title, g->widths[c]);
		display_fill(&line, BETWEEN, ' ');
	}
	text_add_str(&line, table->columns[last_of(g)].title);
	all = text_span(&line);
	while (all.len > 0 && all.p[all.len - 1] == ' ')
		all.len--;
	ink_add(t, g->on, INK_GREY, all);
	text_add_char(t, '\n');
	text_free(&line);
}

static void
add_cell(struct grid *g, struct text *t, size_t row, size_t column)
{
	const struct page_cell *cell = &g->table->rows[row][column];
	const char *dots = ink_ellipsis(g->on);
	size_t width = g->widths[column];

	if (drawn_cells(cell->type) > 0)
		add_drawn(g, t, column, cell);
	else if (column == last_of(g))
		text_add_span(t, g->names[row]);
	else if (g->table->columns[column].left)
		display_add_left(
		    t, cell_text(g, cell), width, DISPLAY_CUT, dots);
	else
		display_add_right(t, cell_text(g, cell), width);
}

static void
add_row(struct grid *g, struct text *t, size_t row)
{
	for (size_t c = 0; c < g->table->column_count; c++) {
		if (g->gone[c])
			continue;
		add_cell(g, t, row, c);
		if (c < last_of(g))
			display_fill(t, BETWEEN, ' ');
	}
	text_add_char(t, '\n');
}

/* "28.1  in 22 more: COMMAND", or without a share where rows have no sum */
static void
add_rest(struct grid *g, struct text *t)
{
	const struct page_table *table = g->table;
	struct text line = {0};

	if (table->whole > 0) {
		amount_share(
		    &g->scratch, page_table_rest(table, g->rows), table->base);
		display_add_right(&line, text_span(&g->scratch), 5);
		text_add_str(&line, "  in ");
	}
	amount_count(&line, (int64_t)(table->total - g->rows));
	text_add_str(&line, " more: ");
	prose_add_more(t, g->on, text_span(&line), table->more);
	text_free(&line);
}

void
grid_add(struct text *t, const struct terminal *on, const struct page *page,
    const struct page_table *table)
{
	struct grid g = {.on = on, .page = page, .table = table};

	g.rows = table->count < table->shown ? table->count : table->shown;
	fit(&g);
	add_titles(&g, t);
	for (size_t row = 0; row < g.rows; row++)
		add_row(&g, t, row);
	g.scratch.len = 0;
	if (table->total > g.rows)
		add_rest(&g, t);
	free(g.kernels);
	free(g.names);
	region_free(&g.life);
	text_free(&g.scratch);
}
