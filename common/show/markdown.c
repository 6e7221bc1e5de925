/* markdown.c - tables of Markdown */

#include "tq/show/cells.h"
#include "tq/show/display.h"
#include "tq/show/escape.h"
#include "tq/show/markdown.h"
#include "formats.h"

static void
add_titles(
    struct text *b, const struct format_options *f, const struct table *t)
{
	for (size_t i = 0; i < t->column_count; i++) {
		text_add_str(b, "| ");
		cells_title(b, f, &t->columns[i], CELLS_MEGA);
		text_add_char(b, ' ');
	}
	text_add_str(b, "|\n");
	for (size_t i = 0; i < t->column_count; i++)
		text_add_str(b, t->columns[i].left ? "| :--- " : "| ---: ");
	text_add_str(b, "|\n");
}

static void
add_text(struct text *b, const struct format_options *f, struct span s)
{
	if (f->text_width > 0)
		s.len = display_head(s, f->text_width);
	escape_markdown(b, s);
}

static void
add_row(
    struct text *b, const struct format_options *f, struct table *t, size_t row)
{
	const struct table_cell *cells = table_row(t, row);

	for (size_t i = 0; i < t->column_count; i++) {
		text_add_str(b, "| ");
		if (cells[i].type == CELL_TEXT)
			add_text(b, f, table_cell_text(t, &cells[i]));
		else
			cells_add(
			    b, f, &t->columns[i], &cells[i], CELLS_MEGA, false);
		text_add_char(b, ' ');
	}
	text_add_str(b, "|\n");
}

void
markdown_rows(struct text *b, const struct format_options *f, struct table *t)
{
	add_titles(b, f, t);
	for (size_t row = 0; row < table_shown(t); row++)
		add_row(b, f, t, row);
}

void
markdown_table(
    struct output *o, const struct format_options *f, struct table *t)
{
	struct text *b = &o->buf;

	if (f->bare)
		text_printf(b, "### %s\n\n", t->title);
	else
		text_printf(b, "## %s (%s)\n\n", t->title, t->report);
	add_titles(b, f, t);
	for (size_t row = 0; row < table_shown(t); row++) {
		add_row(b, f, t, row);
		output_check(o);
	}
	if (table_hidden(t) > 0 && t->part)
		text_printf(
		    b, "\n%zu more: -r %s\n", table_hidden(t), t->report);
	else if (table_hidden(t) > 0)
		text_printf(b, "\n%zu more\n", table_hidden(t));
}
