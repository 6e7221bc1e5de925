/* markdown.c - tables of Markdown */

#include "tq/show/cells.h"
#include "formats.h"

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

/* what means something there is escaped; an _ inside of a word does not */
static void
add_escaped(struct text *t, struct span s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		bool inside = c == '_' && i > 0 && i + 1 < s.len &&
			      is_word(s.p[i - 1]) && is_word(s.p[i + 1]);

		if (c == '\n' || c == '\r')
			c = ' ';
		if (strchr("\\`*_[]<>&|~", c) != NULL && c != '\0' && !inside)
			text_add_char(t, '\\');
		text_add_char(t, c);
	}
}

static void
add_markdown(struct text *t, struct span s)
{
	struct text visible = {0};

	text_add_visible(&visible, s, "\t\r\n");
	add_escaped(t, text_span(&visible));
	text_free(&visible);
}

void
markdown_table(
    struct output *o, const struct format_options *f, struct table *t)
{
	struct text *b = &o->buf;

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
				add_markdown(b, table_cell_text(t, &cells[i]));
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
