/* html.c - tables as a page that loads nothing */

#include "formats.h"
#include "style.h"
#include "tq/show/cells.h"
#include "tq/show/escape.h"
#include "tq/show/html.h"

/* a click sorts, another one reverses; empty cells stay last */
static const char tail[] =
    "<script>\n"
    "for (const th of document.querySelectorAll(\"th\")) {\n"
    "  const sort = () => {\n"
    "    const body = th.closest(\"table\").tBodies[0], i = th.cellIndex;\n"
    "    const text = th.classList.contains(\"t\");\n"
    "    const was = th.getAttribute(\"aria-sort\");\n"
    "    const up = was ? was === \"descending\" : text;\n"
    "    const of = (tr) => {\n"
    "      const s = tr.cells[i].textContent;\n"
    "      return text || s === \"\" ? s : Number(s.replaceAll(\",\", "
    "\"\"));\n"
    "    };\n"
    "    const order = (a, b) => a === b ? 0 : a === \"\" ? 1 :\n"
    "      b === \"\" ? -1 : (a > b ? 1 : -1) * (up ? 1 : -1);\n"
    "    for (const other of th.parentNode.cells)\n"
    "      other.removeAttribute(\"aria-sort\");\n"
    "    th.setAttribute(\"aria-sort\", up ? \"ascending\" : "
    "\"descending\");\n"
    "    body.append(...Array.from(body.rows, (tr) => [of(tr), tr])\n"
    "      .sort((a, b) => order(a[0], b[0])).map((pair) => pair[1]));\n"
    "  };\n"
    "  th.tabIndex = 0;\n"
    "  th.addEventListener(\"click\", sort);\n"
    "  th.addEventListener(\"keydown\", (e) => {\n"
    "    if (e.key === \"Enter\") sort();\n"
    "  });\n"
    "}\n"
    "</script>\n"
    "</body>\n"
    "</html>\n";

static void
add_cell(struct text *b, const struct format_options *f, struct table *t,
    size_t column, const struct table_cell *cell)
{
	const struct column *c = &t->columns[column];

	text_add_str(b, c->left ? "<td class=\"t\">" : "<td>");
	if (c->unit == UNIT_PERCENT && cell->type == CELL_REAL) {
		b->len--;
		text_add_str(b, " class=\"b\" style=\"--p:");
		cells_add(b, f, c, cell, CELLS_MEGA, false);
		text_add_str(b, "%\">");
	}
	if (cell->type == CELL_TEXT)
		escape_html(b, table_cell_text(t, cell));
	else
		cells_add(b, f, c, cell, CELLS_MEGA, c->unit != UNIT_NONE);
	text_add_str(b, "</td>");
}

/* ---- the frame ---- */

static void
add_lines(struct text *b, const char *const *lines)
{
	for (; *lines != NULL; lines++) {
		text_add_str(b, *lines);
		text_add_char(b, '\n');
	}
}

void
html_head(struct text *b, struct span title)
{
	text_add_str(b,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
	    "content=\"width=device-width, initial-scale=1\"/>\n<title>");
	escape_html(b, title);
	text_add_str(b, "</title>\n<style>\n");
	add_lines(b, style_pages);
}

void
html_document(struct text *b)
{
	add_lines(b, style_document);
}

void
html_cards(struct text *b)
{
	add_lines(b, style_cards);
}

void
html_card(struct text *b, struct span title, struct span of)
{
	text_add_str(b, "<section class=\"c\">\n<div class=\"hd\"><h2>");
	escape_html(b, title);
	text_add_str(b, "</h2>");
	if (of.len > 0) {
		text_add_str(b, "<small>");
		escape_html_cut(b, of, HTML_NAME);
		text_add_str(b, "</small>");
	}
	text_add_str(b, "</div>\n");
}

void
html_command(struct text *b, struct span command)
{
	text_add_str(b, "<code class=\"cmd\" title=\"click to copy\">");
	escape_html_cut(b, command, HTML_COMMAND);
	text_add_str(b, "</code>\n");
}

void
html_cards_end(struct text *b)
{
	text_add_str(b, "<script>\n");
	add_lines(b, style_script);
	text_add_str(b, "</script>\n</body>\n</html>\n");
}

void
html_body(struct text *b)
{
	text_add_str(b, "</style>\n</head>\n<body>\n");
}

void
html_end(struct text *b)
{
	text_add_str(b, tail);
}

/* ---- tables ---- */

static void
add_titles(
    struct text *b, const struct format_options *f, const struct table *t)
{
	struct text title = {0};

	text_add_str(b, "<thead><tr>");
	for (size_t i = 0; i < t->column_count; i++) {
		title.len = 0;
		cells_title(&title, f, &t->columns[i], CELLS_MEGA);
		text_add_str(
		    b, t->columns[i].left ? "<th class=\"t\">" : "<th>");
		escape_html(b, text_span(&title));
		text_add_str(b, "</th>");
	}
	text_add_str(b, "</tr></thead>\n");
	text_free(&title);
}

static void
add_row(
    struct text *b, const struct format_options *f, struct table *t, size_t row)
{
	const struct table_cell *cells = table_row(t, row);

	text_add_str(b, "<tr>");
	for (size_t i = 0; i < t->column_count; i++)
		add_cell(b, f, t, i, &cells[i]);
	text_add_str(b, "</tr>\n");
}

void
html_rows(struct text *b, const struct format_options *f, struct table *t)
{
	text_add_str(b, "<table>\n");
	add_titles(b, f, t);
	text_add_str(b, "<tbody>\n");
	for (size_t row = 0; row < table_shown(t); row++)
		add_row(b, f, t, row);
	text_add_str(b, "</tbody>\n</table>\n");
}

void
html_table(struct output *o, const struct format_options *f, struct table *t)
{
	struct text *b = &o->buf;

	text_add_str(b, "<h2>");
	escape_html(b, span_of(t->title));
	if (!f->bare) {
		text_add_str(b, " <code>");
		escape_html(b, span_of(t->report));
		text_add_str(b, "</code>");
	}
	text_add_str(b, "</h2>\n<div class=\"x\"><table>\n");
	add_titles(b, f, t);
	text_add_str(b, "<tbody>\n");
	for (size_t row = 0; row < table_shown(t); row++) {
		add_row(b, f, t, row);
		output_check(o);
	}
	text_add_str(b, "</tbody>\n</table></div>\n");
	if (table_hidden(t) > 0 && t->part) {
		text_printf(b, "<p>%zu more: <code>-r ", table_hidden(t));
		escape_html(b, span_of(t->report));
		text_add_str(b, "</code></p>\n");
	} else if (table_hidden(t) > 0) {
		text_printf(b, "<p>%zu more</p>\n", table_hidden(t));
	}
}
