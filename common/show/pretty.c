/* pretty.c - tables for people, on a terminal */

#include <math.h>
#include <stdlib.h>

#include "tq/base/mem.h"

#include "formats.h"
#include "tq/show/cells.h"
#include "tq/show/display.h"
#include "tq/show/distinct_cuts.h"
#include "tq/show/escape.h"
#include "tq/show/pretty.h"
#include "short_column.h"

enum { KERNEL_WIDTH = 50 }; /* columns of a name of a kernel on a page */
enum { NARROWEST = 20 };    /* no column of text becomes narrower */
enum { MIDDLE = 50 };       /* percent of a cut text before the ellipsis */

/* the texts of a column of text that is too narrow for them */
struct cut_column {
	struct intern texts;
	struct span *cuts; /* by their numbers */
};

/* the least and the greatest number of a column, of those of one type and as
   many decimals: no number between them is wider than both */
struct number_bounds {
	struct table_cell low, high;
	bool any;
};

/* ---- a table ---- */

/* a table as it looks */
struct look {
	struct table *t;
	const struct format_options *f;
	size_t indent;       /* of lines */
	const char *nothing; /* in empty cells of numbers */
	struct text scratch;
	size_t *widths;
	struct number_bounds (*bounds)[2]; /* of each column: integers, reals */
	struct cut_column *columns;
	struct short_column kernels;
	struct region life;
};

/* a text, and the columns that it takes */
struct shown {
	struct span text;
	size_t width;
};

static struct shown
show_text(struct look *l, struct span s)
{
	if (s.len > 0 && span_plain(s) == s.len)
		return (struct shown){s, s.len};
	escape_terminal(&l->scratch, s);
	s = text_span(&l->scratch);
	return (struct shown){s, display_width(s)};
}

/* The text of a cell, or if it is NULL of the title; until the next call. */
static struct shown
look_at(struct look *l, size_t column, const struct table_cell *cell)
{
	const struct column *c = &l->t->columns[column];
	struct span s;

	l->scratch.len = 0;
	text_reserve(&l->scratch, 1);
	if (cell == NULL) {
		if (l->f->human)
			cells_title_human(&l->scratch, l->f, c);
		else
			cells_title(&l->scratch, l->f, c, CELLS_MEGA);
		s = text_span(&l->scratch);
		return (struct shown){s, display_width(s)};
	}
	if (cell->type == CELL_TEXT) {
		s = table_cell_text(l->t, cell);
		return show_text(
		    l, l->kernels.any && column == l->kernels.column
			   ? short_column_text(&l->kernels, s)
			   : s);
	}
	if (cell->type == CELL_EMPTY)
		text_add_str(&l->scratch, c->left ? "" : l->nothing);
	else if (l->f->human)
		cells_add_human(&l->scratch, l->f, c, cell);
	else
		cells_add(&l->scratch, l->f, c, cell, CELLS_MEGA, false);
	s = text_span(&l->scratch);
	return (struct shown){s, s.len};
}

static void
measure(struct look *l, size_t column, const struct table_cell *cell)
{
	size_t width = look_at(l, column, cell).width;

	if (width > l->widths[column])
		l->widths[column] = width;
}

/* True if numbers of the same decimals have no fewer digits where they are
   greater. */
static bool
grows(const struct look *l, const struct table_cell *cell)
{
	if (l->f->human)
		return false;
	return cell->type == CELL_INT ||
	       (cell->type == CELL_REAL && cell->decimals < TABLE_SIGNIFICANT &&
		   isfinite(cell->d));
}

static bool
is_less(const struct table_cell *a, const struct table_cell *b)
{
	return a->type == CELL_INT ? a->i < b->i : a->d < b->d;
}

/* The width of a number with 15 digits at most; SIZE_MAX of one that may have
   an exponent. */
static size_t
most_width(const struct table_cell *cell)
{
	double d = fabs((double)cell->d);
	size_t width = TABLE_SIGNIFICANT + 1 + (cell->d < 0); /* a point */

	if (!(d >= 1e-4 && d < 1e13))
		return SIZE_MAX;
	/* zeros before the digits */
	return width + (d < 1) + (d < 0.1) + (d < 0.01) + (d < 0.001);
}

/* True if the column is as wide as the number for sure: its digits take long.
 */
static bool
is_measured(const struct look *l, size_t column, const struct table_cell *cell)
{
	return cell->type == CELL_REAL && cell->decimals == TABLE_SIGNIFICANT &&
	       !l->f->human && most_width(cell) <= l->widths[column];
}

/* Measure a cell, or keep it as a bound of its column, which is measured. */
static void
measure_cell(struct look *l, size_t column, const struct table_cell *cell)
{
	struct number_bounds *b = &l->bounds[column][cell->type == CELL_REAL];

	if (is_measured(l, column, cell))
		return;
	if (!grows(l, cell) || (b->any && cell->type == CELL_REAL &&
				   cell->decimals != b->low.decimals)) {
		measure(l, column, cell);
		return;
	}
	if (!b->any || is_less(cell, &b->low))
		b->low = *cell;
	if (!b->any || is_less(&b->high, cell))
		b->high = *cell;
	b->any = true;
}

static void
measure_bounds(struct look *l, size_t column)
{
	for (size_t i = 0; i < 2; i++) {
		struct number_bounds *b = &l->bounds[column][i];

		if (b->any) {
			measure(l, column, &b->low);
			measure(l, column, &b->high);
		}
		b->any = false;
	}
}

/* Titles may begin above a column of numbers without a title. */
static void
measure_titles(struct look *l)
{
	const struct column *columns = l->t->columns;

	for (size_t i = 0; i < l->t->column_count; i++) {
		size_t width = look_at(l, i, NULL).width, before = 0;

		if (i > 0 && !columns[i - 1].left && *columns[i - 1].name == 0)
			before = l->widths[i - 1] + 2;
		if (width > l->widths[i] + before)
			l->widths[i] = width - before;
	}
}

static void
measure_columns(struct look *l)
{
	for (size_t i = 0; i < l->t->column_count; i++)
		l->widths[i] = l->t->columns[i].least;
	for (size_t row = 0; row < table_shown(l->t); row++) {
		const struct table_cell *cells = table_row(l->t, row);

		for (size_t i = 0; i < l->t->column_count; i++)
			measure_cell(l, i, &cells[i]);
	}
	for (size_t i = 0; i < l->t->column_count; i++)
		measure_bounds(l, i);
	measure_titles(l);
}

/* Narrow the widest column of text, again and again, until the line fits. */
static void
narrow_columns(struct look *l)
{
	size_t width = 1, widest;

	for (size_t i = 0; i < l->t->column_count; i++)
		width += l->widths[i] + (i > 0 ? 2 : 0);
	while (l->f->width > 0 && width > l->f->width) {
		widest = SIZE_MAX;
		for (size_t i = 0; i < l->t->column_count; i++)
			if (l->t->columns[i].left && l->widths[i] > NARROWEST &&
			    (widest == SIZE_MAX ||
				l->widths[i] >= l->widths[widest]))
				widest = i;
		if (widest == SIZE_MAX)
			return;
		l->widths[widest]--;
		width--;
	}
}

/*
 * Names of kernels get the width that is left, and stay different: short ones
 * on a page, and elsewhere where the whole names do not fit.
 */
static void
fit_columns(struct look *l)
{
	const char *dots = display_utf8() ? "\xe2\x80\xa6" : "..";
	struct short_column kernels = {0};
	size_t whole;

	if (l->f->width > 0)
		short_column_open(&kernels, l->t);
	if (!l->t->part && kernels.any) {
		measure_columns(l);
		whole = l->widths[kernels.column];
		narrow_columns(l);
		if (l->widths[kernels.column] == whole) {
			short_column_free(&kernels);
			return;
		}
	}
	l->kernels = kernels;
	short_column_make(&l->kernels, KERNEL_WIDTH, dots);
	measure_columns(l);
	narrow_columns(l);
	if (l->kernels.any && l->widths[l->kernels.column] < KERNEL_WIDTH)
		short_column_make(
		    &l->kernels, l->widths[l->kernels.column], dots);
}

/* Texts of rows that are shown stay different where they are cut. */
static void
cut_column(struct look *l, size_t column)
{
	struct cut_column *c = &l->columns[column];

	for (size_t row = 0; row < table_shown(l->t); row++) {
		struct shown s =
		    look_at(l, column, &table_row(l->t, row)[column]);

		if (s.width > l->widths[column])
			intern_get(&c->texts, s.text);
	}
	c->cuts = mem_resize(NULL, c->texts.count + 1, sizeof(*c->cuts));
	distinct_cuts(c->texts.texts, c->texts.count, l->widths[column], MIDDLE,
	    "...", c->cuts, &l->life);
}

/* A text that is too wide for its column. */
static void
add_cut(struct look *l, struct text *b, size_t column, struct span s)
{
	const struct cut_column *c = &l->columns[column];
	uint32_t cut = intern_find(&c->texts, s);

	display_add_left(b, cut != INTERN_NONE ? c->cuts[cut] : s,
	    l->widths[column], MIDDLE, "...");
}

/* cells == NULL: the titles */
static void
add_line(struct look *l, struct text *b, const struct table_cell *cells)
{
	size_t blanks = l->indent, begin = b->len; /* blanks: before a text */

	for (size_t i = 0; i < l->t->column_count; i++) {
		struct shown s =
		    look_at(l, i, cells != NULL ? cells + i : NULL);
		size_t width = l->widths[i];
		bool left = l->t->columns[i].left;

		if (!left) /* a title may be wider */
			blanks += width - s.width;
		if (s.text.len > 0) {
			display_fill(b, blanks, ' ');
			blanks = 0;
		}
		if (left && s.width > width)
			add_cut(l, b, i, s.text);
		else
			text_add_span(b, s.text);
		if (left && s.width < width)
			blanks += width - s.width;
		blanks += 2;
	}
	while (b->len > begin && b->p[b->len - 1] == ' ')
		b->len--;
	text_add_char(b, '\n');
}

static void
add_rule(struct look *l, struct text *b)
{
	for (size_t i = 0; i < l->t->column_count; i++) {
		display_fill(b, i > 0 ? 2 : 1, ' ');
		display_fill(b, l->widths[i], '-');
	}
	text_add_char(b, '\n');
}

static void
look_open(struct look *l)
{
	l->widths =
	    mem_resize(NULL, l->t->column_count + 1, sizeof(*l->widths));
	l->bounds = mem_alloc((l->t->column_count + 1) * sizeof(*l->bounds));
	l->columns = mem_alloc((l->t->column_count + 1) * sizeof(*l->columns));
	fit_columns(l);
	for (size_t i = 0; i < l->t->column_count; i++)
		if (l->f->width > 0 && l->t->columns[i].left)
			cut_column(l, i);
}

static void
look_close(struct look *l)
{
	for (size_t i = 0; i < l->t->column_count; i++) {
		intern_free(&l->columns[i].texts);
		free(l->columns[i].cuts);
	}
	free(l->bounds);
	free(l->columns);
	region_free(&l->life);
	short_column_free(&l->kernels);
	free(l->widths);
	text_free(&l->scratch);
}

void
pretty_rows(struct text *b, struct table *t, size_t indent)
{
	const struct format_options f = {.time_unit = 1};
	struct look l = {.t = t, .f = &f, .indent = indent, .nothing = "-"};

	look_open(&l);
	add_line(&l, b, NULL);
	for (size_t row = 0; row < table_shown(t); row++)
		add_line(&l, b, table_row(t, row));
	look_close(&l);
}

void
pretty_table(struct output *o, const struct format_options *f, struct table *t,
    bool first)
{
	struct text *b = &o->buf;
	struct look l = {.t = t, .f = f, .indent = !f->bare, .nothing = ""};

	look_open(&l);
	if (f->bare)
		text_printf(b, "%s\n", t->title);
	else
		text_printf(b, "%s ** %s (%s):\n\n", first ? "" : "\n",
		    t->title, t->report);
	add_line(&l, b, NULL);
	if (!f->bare)
		add_rule(&l, b);
	for (size_t row = 0; row < table_shown(t); row++) {
		add_line(&l, b, table_row(t, row));
		output_check(o);
	}
	if (table_hidden(t) > 0 && t->part)
		text_printf(
		    b, " ... %zu more: -r %s\n", table_hidden(t), t->report);
	else if (table_hidden(t) > 0)
		text_printf(b, " ... %zu more%s%s\n", table_hidden(t),
		    t->folded != NULL
			? "; names that differ in numbers as one row: "
			: "",
		    t->folded != NULL ? t->folded : "");
	look_close(&l);
}
