/* web_rows.c - a table of a comparison as a card of HTML */

#include <math.h>
#include <stdlib.h>

#include "web_rows.h"
#include "tq/show/escape.h"
#include "tq/show/html.h"

enum {
	FULL_NAME = 600, /* bytes of a tooltip */
	SHORT_NOTE = 20  /* bytes: it needs no room of its own */
};

/* The number that a cell begins with; NAN without one. */
static double
cell_number(const struct table *t, const struct table_cell *c)
{
	struct span s = table_cell_text(t, c);
	char digits[32], *end;
	double v;

	if (c->type != CELL_TEXT || s.len == 0)
		return (double)NAN;
	memcpy(digits, s.p, s.len < sizeof(digits) ? s.len : sizeof(digits));
	digits[s.len < sizeof(digits) ? s.len : sizeof(digits) - 1] = '\0';
	v = strtod(digits, &end);
	return end != digits ? v : (double)NAN;
}

/* The place of a column on a telephone: .chg and .mean stand below others. */
static const char *
column_class(const struct table *t, size_t column)
{
	const char *name = t->columns[column].name;
	const char *before = column > 0 ? t->columns[column - 1].name : "";

	if (column == 0)
		return "l nm";
	if (t->columns[column].left)
		return "l note";
	if (strcmp(name, "Change") == 0 || strcmp(name, "At equal clock") == 0)
		return "chg";
	return strcmp(name, "Mean us A") == 0 ||
		       strcmp(before, "Mean us A") == 0
		   ? "mean"
		   : "";
}

static void
add_titles(struct text *b, const struct table *t, const struct web_rows *w)
{
	text_add_str(b, "<thead><tr>");
	if (w->color != NULL)
		text_add_str(b, "<th class=\"l b\"></th>");
	for (size_t i = 0; i < t->column_count; i++)
		text_printf(b, "<th class=\"%s\">%s</th>", column_class(t, i),
		    i == 0 ? "Name" : t->columns[i].name);
	text_add_str(b, "</tr></thead>\n");
}

static double
longest_bar(struct table *t, size_t rows)
{
	double most = 0;

	for (size_t i = 0; i < rows; i++)
		most = fmax(most, fabs(cell_number(t, &table_row(t, i)[1])));
	return most;
}

/* Behind the row: its part of the longest bar. */
static void
add_bar(struct text *b, const struct table *t, const struct table_cell *cells,
    const struct web_rows *w, double longest)
{
	double v = fabs(cell_number(t, &cells[1]));

	text_printf(b,
	    "<td class=\"l b\"><i style=\"width:%.1f%%;--c:%s\">"
	    "</i></td>",
	    longest > 0 && v > 0 ? 100 * v / longest : 0, w->color);
}

static void
add_cell(struct text *b, const struct table *t, const struct table_cell *cell,
    size_t column)
{
	struct span s = table_cell_text(t, cell);
	double v = cell_number(t, cell);

	text_printf(b, "<td class=\"%s%s\"", column_class(t, column),
	    column > 0 && t->columns[column].left && s.len > SHORT_NOTE
		? " long"
		: "");
	if (!t->columns[column].left && isfinite(v))
		text_printf(b, " data-v=\"%.9g\"", v);
	if (column == 0) {
		text_add_str(b, " title=\"");
		escape_html_cut(b, s, FULL_NAME);
		text_add_char(b, '"');
	}
	text_add_str(b, column == 0 ? "><span class=\"m\">" : ">");
	if (cell->type == CELL_TEXT)
		escape_html_cut(b, s, FULL_NAME);
	text_add_str(b, column == 0 ? "</span></td>" : "</td>");
}

static void
add_rows(struct text *b, struct table *t, const struct web_rows *w, size_t from,
    size_t to)
{
	double longest = longest_bar(t, table_rows(t) - w->sums);

	for (size_t row = from; row < to; row++) {
		const struct table_cell *cells = table_row(t, row);

		text_add_str(b, "<tr>");
		if (w->color != NULL && row < table_rows(t) - w->sums)
			add_bar(b, t, cells, w, longest);
		else if (w->color != NULL)
			text_add_str(b, "<td class=\"l b\"></td>");
		for (size_t i = 0; i < t->column_count; i++)
			add_cell(b, t, &cells[i], i);
		text_add_str(b, "</tr>\n");
	}
}

void
web_rows_add(struct text *b, struct table *t, const struct web_rows *w)
{
	size_t rows = table_rows(t);

	if (rows > 0) {
		html_card(b, span_of(t->title), span_of(w->of));
		text_printf(
		    b, "<div class=\"x%s\"><table>\n", w->wrap ? " wrap" : "");
		add_titles(b, t, w);
		text_add_str(b, "<tbody>\n");
		add_rows(b, t, w, 0, rows - w->sums);
		text_add_str(b, "</tbody>\n");
		if (w->sums > 0) {
			text_add_str(b, "<tfoot>\n");
			add_rows(b, t, w, rows - w->sums, rows);
			text_add_str(b, "</tfoot>\n");
		}
		text_add_str(b, "</table></div>\n</section>\n");
	}
	table_free(t);
}
