/* csv.c - tables as csv and tsv */

#include "tq/show/escape.h"

#include "tq/show/cells.h"
#include "formats.h"

/* nsys quotes only for a comma, and doubles nothing */
static void
add_csv(struct text *t, struct span s, bool compat)
{
	const char *quote =
	    s.len > 0 && memchr(s.p, ',', s.len) != NULL ? "\"" : "";

	if (!compat) {
		escape_csv(t, s);
		return;
	}
	text_add_str(t, quote);
	text_add_visible(t, s, "\t\r\n");
	text_add_str(t, quote);
}

void
csv_table(struct output *o, const struct format_options *f, struct table *t)
{
	struct text *b = &o->buf;
	bool csv = f->format == FORMAT_CSV;
	char delimiter = csv ? ',' : '\t';

	for (size_t i = 0; i < t->column_count; i++) {
		if (i > 0)
			text_add_char(b, delimiter);
		cells_title(b, f, &t->columns[i], CELLS_MEGA);
	}
	text_add_char(b, '\n');
	for (size_t row = 0; row < table_shown(t); row++) {
		const struct table_cell *cells = table_row(t, row);

		for (size_t i = 0; i < t->column_count; i++) {
			if (i > 0)
				text_add_char(b, delimiter);
			if (cells[i].type != CELL_TEXT)
				cells_add(b, f, &t->columns[i], &cells[i],
				    CELLS_MEGA, false);
			else if (csv)
				add_csv(b, table_cell_text(t, &cells[i]),
				    f->compat);
			else
				escape_tsv(b, table_cell_text(t, &cells[i]));
		}
		text_add_char(b, '\n');
		output_check(o);
	}
}
