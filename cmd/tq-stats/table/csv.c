/* csv.c - tables as csv and tsv */

#include "cells.h"
#include "formats.h"

static bool
contains(struct span s, char c)
{
	return s.len > 0 && memchr(s.p, c, s.len) != NULL;
}

static const char *
find_quote(struct span s)
{
	return s.len > 0 ? memchr(s.p, '"', s.len) : NULL;
}

/* RFC 4180; nsys quotes only for a comma, and doubles nothing */
static void
add_csv(struct text *t, struct span s, bool compat)
{
	static const char stays[] = "\t\r\n";
	bool doubles = !compat && contains(s, '"');

	if (!doubles && !contains(s, ',') &&
	    (compat || (!contains(s, '\r') && !contains(s, '\n')))) {
		text_add_visible(t, s, stays);
		return;
	}
	text_add_char(t, '"');
	for (const char *quote; doubles && (quote = find_quote(s)) != NULL;) {
		size_t n = (size_t)(quote + 1 - s.p);

		text_add_visible(t, (struct span){s.p, n}, stays);
		text_add_char(t, '"');
		s = (struct span){s.p + n, s.len - n};
	}
	text_add_visible(t, s, stays);
	text_add_char(t, '"');
}

static void
add_tsv(struct text *t, struct span s)
{
	size_t start = t->len;

	text_add_visible(t, s, "\t\r\n");
	for (size_t i = start; i < t->len; i++)
		if (t->p[i] == '\t' || t->p[i] == '\n' || t->p[i] == '\r')
			t->p[i] = ' ';
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
				add_tsv(b, table_cell_text(t, &cells[i]));
		}
		text_add_char(b, '\n');
		output_check(o);
	}
}
