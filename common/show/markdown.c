/* markdown.c - tables of Markdown */

#include "tq/show/cells.h"
#include "tq/show/escape.h"
#include "formats.h"

void
markdown_table(
    struct output *o, const struct format_options *f, struct table *t)
{
	struct text *b = &o->buf;

	if (f->bare)
		text_printf(b, "### %s\n\n", t->title);
	else
		text_printf(b, "## %s (%s)\n\n", t->title, t->report);
	for (size_t i = 0; i < t->column_count; i++) {
		text_add_str(b, "| ");
		cells_title(b, f, &t->columns[i], CELLS_MEGA);
		text_add_char(b, ' ');
	}
	text_add_str(b, "|\n");
	for (size_t i = 0; i < t->column_count; i++)
		text_add_str(b, t->columns[i].left ? "| :--- " : "| ---: ");
	text_add_str(b, "|\n");
	for (size_t row = 0; row < table_shown(t); row++) {
		const struct table_cell *cells = table_row(t, row);

		for (size_t i = 0; i < t->column_count; i++) {
			text_add_str(b, "| ");
			if (cells[i].type == CELL_TEXT)
				escape_markdown(
				    b, table_cell_text(t, &cells[i]));
			else
				cells_add(b, f, &t->columns[i], &cells[i],
				    CELLS_MEGA, false);
			text_add_char(b, ' ');
		}
		text_add_str(b, "|\n");
		output_check(o);
	}
	if (table_hidden(t) > 0 && t->part)
		text_printf(
		    b, "\n%zu more: -r %s\n", table_hidden(t), t->report);
	else if (table_hidden(t) > 0)
		text_printf(b, "\n%zu more\n", table_hidden(t));
}
