/* json_rows.c - tables as JSON: one document, or a line per row */

#include "formats.h"
#include "tq/show/cells.h"
#include "tq/show/json_rows.h"

static void
add_text(struct text *t, const char *p, size_t len)
{
	text_add_json(t, p, len);
}

/* The members of a row; nulls: an empty cell is one, too. */
static void
add_row(struct text *b, const struct format_options *f, struct table *t,
    const struct table_cell *cells, struct text *title, bool nulls)
{
	for (size_t i = 0; i < t->column_count; i++) {
		size_t start = b->len;
		struct span s;

		if (b->p[b->len - 1] != '{')
			text_add_char(b, ',');
		title->len = 0;
		cells_title(title, f, &t->columns[i], CELLS_ONE);
		add_text(b, title->p, title->len);
		text_add_char(b, ':');
		if (cells[i].type == CELL_TEXT) {
			s = table_cell_text(t, &cells[i]);
			add_text(b, s.p, s.len);
		} else if (!cells_add(b, f, &t->columns[i], &cells[i],
			       CELLS_ONE, false)) {
			if (nulls)
				text_add_str(b, "null");
			else
				b->len = start;
		}
	}
}

void
json_rows_add(struct text *b, struct table *t, const char *between)
{
	const struct format_options f = {.time_unit = 1};
	struct text title = {0};

	for (size_t row = 0; row < table_rows(t); row++) {
		text_printf(b, "%s{", row > 0 ? between : "");
		add_row(b, &f, t, table_row(t, row), &title, false);
		text_add_char(b, '}');
	}
	text_free(&title);
}

void
json_rows_array(struct output *o, const struct format_options *f,
    struct table *t, bool first)
{
	struct text *b = &o->buf, title = {0};

	if (f->several) {
		text_add_str(b, first ? "\n" : ",\n");
		add_text(b, t->report, strlen(t->report));
		text_add_char(b, ':');
	}
	text_add_char(b, '[');
	for (size_t row = 0; row < table_shown(t); row++) {
		text_add_str(b, row > 0 ? ",\n{" : "\n{");
		add_row(b, f, t, table_row(t, row), &title, true);
		text_add_char(b, '}');
		output_check(o);
	}
	text_add_str(b, "\n]");
	if (!f->several)
		text_add_char(b, '\n');
	text_free(&title);
}

void
json_rows_lines(
    struct output *o, const struct format_options *f, struct table *t)
{
	const char *name = f->label != NULL ? t->title : t->report;
	struct text *b = &o->buf, title = {0};

	for (size_t row = 0; row < table_shown(t); row++) {
		if (f->format == FORMAT_JSON1 && o->lines++ > 0)
			text_add_str(b, ",\n");
		text_printf(
		    b, "{\"%s\":", f->label != NULL ? f->label : "report");
		add_text(b, name, strlen(name));
		add_row(b, f, t, table_row(t, row), &title, true);
		text_add_str(b, f->format == FORMAT_JSON1 ? "}" : "}\n");
		output_check(o);
	}
	text_free(&title);
}
