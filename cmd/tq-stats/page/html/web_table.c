/* web_table.c - the tables of the page in HTML: a click sorts them */

#include <math.h>

#include "page/amount.h"
#include "page/spread.h"
#include "table/escape.h"
#include "web.h"

enum { WEB_BIN = 4, WEB_BIN_HEIGHT = 20 }; /* of a histogram */

/* ---- which columns a narrow window shows ---- */

static bool
is_bar(const struct page_table *t, size_t column)
{
	enum page_cell_type type = t->rows[0][column].type;

	return type == PAGE_BAR || type == PAGE_STACK;
}

/*
 * The number of columns that go after this one: a telephone shows the last
 * three, and others go earlier.
 */
static const char *
column_class(const struct page_table *t, size_t column)
{
	unsigned goes = t->columns[column].goes;
	size_t behind = 0;

	if (column + 1 == t->column_count)
		return "l nm";
	if (is_bar(t, column))
		return "l b";
	if (t->rows[0][column].type == PAGE_SPREAD)
		return "l p1";
	for (size_t i = 0; i + 1 < t->column_count; i++) {
		const struct page_column *c = &t->columns[i];

		if (i != column && !is_bar(t, i) &&
		    t->rows[0][i].type != PAGE_SPREAD)
			behind += goes > 0 && (c->goes == 0 || c->goes > goes);
	}
	return goes == 0 || behind < 3 ? ""
	       : behind == 3           ? "p1"
	       : behind == 4           ? "p2"
				       : "p3";
}

/* ---- cells ---- */

/* the bins that the histograms of a table have in common */
struct web_bins {
	unsigned from, to;
};

/* a table while it is drawn */
struct web_drawn {
	const struct web_tables *w;
	const struct page_table *t;
	enum page_class color;
	struct web_bins bins;
};

static struct web_bins
common_bins(const struct page_table *t)
{
	struct web_bins bins = {SPREAD_BINS, 0};

	for (size_t i = 0; i < t->count; i++)
		for (size_t c = 0; c < t->column_count; c++) {
			const struct page_cell *cell = &t->rows[i][c];
			unsigned least, most;

			if (cell->type != PAGE_SPREAD)
				continue;
			least = spread_bin(dist_min(cell->times));
			most = spread_bin(dist_max(cell->times)) + 1;
			bins.from = least < bins.from ? least : bins.from;
			bins.to = most > bins.to ? most : bins.to;
		}
	return bins;
}

static void
add_histogram(struct text *b, const struct dist *d, struct web_bins bins)
{
	unsigned width = (bins.to - bins.from) * WEB_BIN;
	struct spread s;
	uint64_t most = 1;

	spread_fill(&s, d);
	for (unsigned i = bins.from; i < bins.to; i++)
		most = s.counts[i] > most ? s.counts[i] : most;
	text_printf(b,
	    "<svg class=\"h\" viewBox=\"0 0 %u %d\" "
	    "preserveAspectRatio=\"none\" role=\"img\"><title>",
	    width, WEB_BIN_HEIGHT + 2);
	amount_time(b, dist_min(d));
	text_add_str(b, " to ");
	amount_time(b, dist_max(d));
	text_printf(b,
	    "</title><line x1=\"0\" y1=\"%d.5\" x2=\"%u\" y2=\"%d.5\"/>"
	    "<path d=\"",
	    WEB_BIN_HEIGHT + 1, width, WEB_BIN_HEIGHT + 1);
	for (unsigned i = bins.from; i < bins.to; i++)
		if (s.counts[i] > 0)
			text_printf(b, "M%u %dv-%.1fh%dV%dz",
			    (i - bins.from) * WEB_BIN, WEB_BIN_HEIGHT + 1,
			    fmax(1, WEB_BIN_HEIGHT * (double)s.counts[i] /
					(double)most),
			    WEB_BIN - 1, WEB_BIN_HEIGHT + 1);
	text_add_str(b, "\"/></svg>");
}

/* Bars are as long as their part of the longest. */
static void
add_table_bar(struct text *b, const struct web_drawn *d,
    const struct page_cell *cell, size_t column)
{
	int64_t longest = 1;

	for (size_t i = 0; i < d->t->count; i++)
		if (d->t->rows[i][column].v > longest)
			longest = d->t->rows[i][column].v;
	text_printf(b, "<i style=\"width:%.1f%%;--c:%s\"></i>",
	    100 * (double)cell->v / (double)longest, web_text_color(d->color));
}

static void
add_stack(struct text *b, const int64_t *classes)
{
	double sum = 0;

	for (enum page_class c = 0; c < PAGE_CLASSES; c++)
		sum += (double)classes[c];
	text_add_str(b, "<div class=\"bar\">");
	for (enum page_class c = 0; c < PAGE_CLASSES; c++) {
		if (classes[c] <= 0)
			continue;
		text_printf(b, "<i style=\"width:%.2f%%;--c:%s\" title=\"%s: ",
		    100 * (double)classes[c] / sum, web_text_color(c),
		    web_text_class(c));
		amount_time(b, classes[c]);
		text_add_str(b, "\"></i>");
	}
	text_add_str(b, "</div>");
}

static void
add_number(struct text *b, const struct page_cell *cell)
{
	if (cell->approximate)
		text_add_char(b, '~');
	switch (cell->type) {
	case PAGE_COUNT:
		amount_count(b, cell->v);
		break;
	case PAGE_TIME:
		amount_time(b, cell->v);
		break;
	case PAGE_SIZE:
		amount_size(b, cell->v);
		break;
	case PAGE_RATE:
		amount_rate(b, cell->v);
		break;
	case PAGE_SHARE:
		web_text_share(b, cell->v, cell->of);
		b->len -= strlen(" %"); /* the title of the column has it */
		break;
	default:
		break;
	}
}

static void
add_name(struct text *b, struct span name)
{
	text_add_str(b, "<span class=\"m\">");
	web_text_add(b, name, WEB_NAME);
	text_add_str(b, "</span>");
}

/* The number that a column is sorted by. */
static void
add_sort_number(struct text *b, const struct page_cell *cell)
{
	int64_t v = cell->v;

	if (cell->type == PAGE_SPREAD)
		v = dist_max(cell->times) - dist_min(cell->times);
	else if (cell->type == PAGE_TEXT || cell->type == PAGE_KERNEL ||
		 cell->type == PAGE_STACK || cell->type == PAGE_EMPTY)
		return;
	text_printf(b, " data-v=\"%lld\"", (long long)v);
}

static void
add_content(struct text *b, const struct web_drawn *d,
    const struct page_cell *cell, size_t column)
{
	switch (cell->type) {
	case PAGE_KERNEL:
		add_name(b, d->w->shorts[cell->v]);
		break;
	case PAGE_TEXT:
		add_name(b, cell->text);
		break;
	case PAGE_SPREAD:
		add_histogram(b, cell->times, d->bins);
		break;
	case PAGE_STACK:
		add_stack(b, cell->classes);
		break;
	case PAGE_BAR:
		add_table_bar(b, d, cell, column);
		break;
	default:
		add_number(b, cell);
		break;
	}
}

static void
add_row(struct text *b, const struct web_drawn *d, size_t row)
{
	text_add_str(b, "<tr>");
	for (size_t i = 0; i < d->t->column_count; i++) {
		const struct page_cell *cell = &d->t->rows[row][i];

		text_printf(b, "<td class=\"%s\"", column_class(d->t, i));
		add_sort_number(b, cell);
		if (cell->type == PAGE_KERNEL) {
			text_add_str(b, " title=\"");
			web_text_add(b, d->w->page->kernel_names[cell->v],
			    WEB_FULL_NAME);
			text_add_char(b, '"');
		}
		text_add_char(b, '>');
		add_content(b, d, cell, i);
		text_add_str(b, "</td>");
	}
	text_add_str(b, "</tr>\n");
}

/* "19 more, 16.6 %: COMMAND" */
static void
add_more(struct text *b, const struct page_table *t)
{
	int64_t rest = t->whole;

	if (t->total <= t->count)
		return;
	text_add_str(b, "<p class=\"more\">");
	amount_count(b, (int64_t)(t->total - t->count));
	text_add_str(b, " more");
	if (t->whole > 0) {
		for (size_t i = 0; i < t->count; i++)
			rest -= t->weights[i];
		text_add_str(b, ", ");
		web_text_share(b, rest, t->whole);
	}
	text_add_str(b, ": <code>");
	web_text_add(b, t->more, WEB_LINE);
	text_add_str(b, "</code></p>\n");
}

void
web_table(struct text *b, const struct web_tables *w,
    const struct page_table *t, enum page_class c)
{
	struct web_drawn d = {w, t, c, common_bins(t)};

	if (t->count == 0)
		return;
	web_text_section(b, t->title, t->of);
	text_add_str(b, "<table>\n<thead><tr>");
	for (size_t i = 0; i < t->column_count; i++)
		text_printf(b, "<th class=\"%s\">%s</th>", column_class(t, i),
		    t->columns[i].title);
	text_add_str(b, "</tr></thead>\n<tbody>\n");
	for (size_t row = 0; row < t->count; row++)
		add_row(b, &d, row);
	text_add_str(b, "</tbody>\n</table>\n");
	add_more(b, t);
}
