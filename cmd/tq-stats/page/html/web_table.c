/* web_table.c - the tables of the page in HTML: a click sorts them */

#include <math.h>

#include "tq/show/amount.h"
#include "page/page_cell.h"
#include "page/duration_bins.h"
#include "tq/show/escape.h"
#include "web.h"

enum { WEB_BIN = 4, WEB_BIN_HEIGHT = 20, WEB_BINS = 16 }; /* of a histogram */

/* ---- columns ---- */

static enum page_cell_type
type_of(const struct page_table *t, size_t column)
{
	return t->rows[0][column].type;
}

/* True if the last two columns are a name and its meaning. */
static bool
explains(const struct page_table *t)
{
	size_t n = t->column_count;

	return n > 1 && type_of(t, n - 2) == PAGE_TEXT &&
	       type_of(t, n - 1) == PAGE_TEXT;
}

/* True if the column is drawn as a part of another one. */
static bool
is_hidden(const struct page_table *t, size_t column)
{
	return type_of(t, column) == PAGE_BAR ||
	       (column + 2 == t->column_count && explains(t));
}

static bool
has_spread(const struct page_table *t)
{
	for (size_t i = 0; i < t->column_count; i++)
		if (type_of(t, i) == PAGE_SPREAD)
			return true;
	return false;
}

/* The number of columns with numbers that stay longer than this one. */
static size_t
staying(const struct page_table *t, size_t column)
{
	unsigned goes = t->columns[column].goes - 1; /* 0, never, is most */
	size_t n = 0;

	for (size_t i = 0; i + 1 < t->column_count; i++)
		if (type_of(t, i) != PAGE_SPREAD && !is_hidden(t, i))
			n += t->columns[i].goes - 1 > goes ||
			     (t->columns[i].goes - 1 == goes && i < column);
	return n;
}

/*
 * The classes of a column: l is left, b a bar, n sorted by a number though
 * left, nm the name; p1 is for windows that are wider than a telephone, which
 * has room for three numbers, p2 for cards that have room for the name, too, p3
 * for cards that are wide.
 */
static const char *
column_class(const struct page_table *t, size_t column)
{
	size_t n;

	if (column + 1 == t->column_count)
		return "l nm";
	if (type_of(t, column) == PAGE_TEXT)
		return "l";
	if (type_of(t, column) == PAGE_SPREAD)
		return "l n p1";
	if (type_of(t, column) == PAGE_STACK)
		return "l n s";
	n = staying(t, column);
	if (n < 3)
		return "";
	return !has_spread(t) ? "p1" : n == 3 ? "p1 p2" : "p3";
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
	enum page_class color; /* of bars */
	bool mono, bars;       /* names are code; bars stand in front */
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
			least = duration_bins_bin(dist_min(cell->times));
			most = duration_bins_bin(dist_max(cell->times)) + 1;
			bins.from = least < bins.from ? least : bins.from;
			bins.to = most > bins.to ? most : bins.to;
		}
	/* the scale ends at the longest bar */
	if (bins.to > 0 && bins.to - bins.from < WEB_BINS) {
		if (bins.to < WEB_BINS)
			bins.to = WEB_BINS;
		bins.from = bins.to - WEB_BINS;
	}
	return bins;
}

static void
add_histogram(struct text *b, const struct dist *d, struct web_bins bins)
{
	unsigned width = (bins.to - bins.from) * WEB_BIN;
	struct duration_bins s;
	uint64_t most = 1;

	duration_bins_fill(&s, d);
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

/* A nested row has no weight: its bar shows the first number. */
static int64_t
bar_length(const struct page_table *t, size_t row)
{
	return t->whole > 0 ? t->weights[row] : t->rows[row][0].v;
}

/* Bars are as long as their part of the longest. */
static void
add_table_bar(struct text *b, const struct web_drawn *d, size_t row)
{
	const struct page_table *t = d->t;
	int64_t longest = 1, length = bar_length(t, row);

	for (size_t i = 0; i < t->count; i++)
		if (longest < bar_length(t, i))
			longest = bar_length(t, i);
	text_printf(b,
	    "<td class=\"l b\"><i style=\"width:%.1f%%;--c:%s\"></i></td>",
	    100 * (double)length / (double)longest,
	    web_text_color(t->colors != NULL ? t->colors[row] : d->color));
}

static double
sum_classes(const int64_t *classes)
{
	double sum = 0;

	for (enum page_class c = 0; c < PAGE_CLASSES; c++)
		sum += (double)classes[c];
	return sum;
}

/* A bar of parts, which is as long as its part of the longest. */
static void
add_stack(struct text *b, const struct page_table *t,
    const struct page_cell *cell, size_t column)
{
	double sum = sum_classes(cell->classes), longest = 1;

	for (size_t i = 0; i < t->count; i++)
		longest =
		    fmax(longest, sum_classes(t->rows[i][column].classes));
	text_printf(b, "<div class=\"bar\" style=\"width:%.1f%%\">",
	    100 * sum / longest);
	for (enum page_class c = 0; c < PAGE_CLASSES; c++) {
		int64_t time = cell->classes[c];

		if (time <= 0)
			continue;
		text_printf(b, "<i style=\"width:%.2f%%;--c:%s\" title=\"%s: ",
		    100 * (double)time / sum, web_text_color(c),
		    page_class_name(c));
		amount_time(b, time);
		text_add_str(b, "\"></i>");
	}
	text_add_str(b, "</div>");
}

static void
add_number(struct text *b, const struct page_cell *cell)
{
	struct text number = {0};

	page_cell_number(&number, cell);
	escape_html(b, text_span(&number));
	text_free(&number);
}

static void
add_name(struct text *b, struct span name, bool mono)
{
	text_add_str(b, mono ? "<span class=\"m\">" : "<span>");
	escape_html_cut(b, name, HTML_NAME);
	text_add_str(b, "</span>");
}

/* The number that a column is sorted by. */
static void
add_sort_number(struct text *b, const struct page_cell *cell)
{
	int64_t v = cell->v;

	if (cell->type == PAGE_SPREAD)
		v = time_between(dist_min(cell->times), dist_max(cell->times));
	else if (cell->type == PAGE_TEXT || cell->type == PAGE_KERNEL ||
		 cell->type == PAGE_EMPTY)
		return;
	text_printf(b, " data-v=\"%lld\"", (long long)v);
}

static void
add_content(struct text *b, const struct web_drawn *d,
    const struct page_cell *cell, size_t column)
{
	switch (cell->type) {
	case PAGE_KERNEL:
		add_name(b, d->w->shorts[cell->v], true);
		break;
	case PAGE_TEXT:
		add_name(b, cell->text, d->mono && column > 0);
		break;
	case PAGE_SPREAD:
		add_histogram(b, cell->times, d->bins);
		break;
	case PAGE_STACK:
		add_stack(b, d->t, cell, column);
		break;
	default:
		add_number(b, cell);
		break;
	}
}

/* The tooltip of a name that is cut. */
static void
add_full_name(
    struct text *b, const struct web_drawn *d, const struct page_cell *cell)
{
	struct span name = cell->text;

	if (cell->type == PAGE_KERNEL)
		name = d->w->page->kernel_names[cell->v];
	else if (cell->type != PAGE_TEXT)
		return;
	text_add_str(b, " title=\"");
	escape_html_cut(b, name, WEB_FULL_NAME);
	text_add_char(b, '"');
}

static void
add_cell(struct text *b, const struct web_drawn *d,
    const struct page_cell *cells, size_t column)
{
	const struct page_cell *cell = &cells[column];

	text_printf(b, "<td class=\"%s\"", column_class(d->t, column));
	add_sort_number(b, cell);
	add_full_name(b, d, cell);
	text_add_char(b, '>');
	if (column + 1 == d->t->column_count && explains(d->t)) {
		text_add_str(b, "<b>");
		escape_html_cut(b, cells[column - 1].text, HTML_NAME);
		text_add_str(b, "</b> <small>");
		escape_html_cut(b, cell->text, HTML_NAME);
		text_add_str(b, "</small>");
	} else {
		add_content(b, d, cell, column);
	}
	text_add_str(b, "</td>");
}

static void
add_row(struct text *b, const struct web_drawn *d, size_t row)
{
	text_add_str(b, "<tr>");
	if (d->bars)
		add_table_bar(b, d, row);
	for (size_t i = 0; i < d->t->column_count; i++)
		if (!is_hidden(d->t, i))
			add_cell(b, d, d->t->rows[row], i);
	text_add_str(b, "</tr>\n");
}

/* "19 more, 16.6 %: COMMAND" */
static void
add_more(struct text *b, const struct page_table *t)
{
	if (t->total <= t->count)
		return;
	text_add_str(b, "<p class=\"more\">");
	amount_count(b, (int64_t)(t->total - t->count));
	text_add_str(b, " more");
	if (t->whole > 0) {
		text_add_str(b, ", ");
		web_text_share(b, page_table_rest(t, t->count), t->base);
	}
	text_add_str(b, ": <code>");
	escape_html_cut(b, t->more, HTML_COMMAND);
	text_add_str(b, "</code></p>\n");
}

static void
add_titles(struct text *b, const struct web_drawn *d)
{
	const struct page_table *t = d->t;

	if (d->bars)
		text_add_str(b, "<th class=\"l b\"></th>");
	for (size_t i = 0; i < t->column_count; i++) {
		const char *title = t->columns[i].title;

		if (is_hidden(t, i))
			continue;
		if (i + 1 == t->column_count && explains(t))
			title = t->columns[i - 1].title;
		text_printf(
		    b, "<th class=\"%s\">%s</th>", column_class(t, i), title);
	}
}

/* Behind the title: the meaning of the histograms. */
static void
add_scale(struct text *b, struct web_bins bins)
{
	if (bins.from >= bins.to)
		return;
	b->len -= strlen("</div>\n");
	text_add_str(b, "<small>spread on one log scale, ");
	amount_time(b, duration_bins_from(bins.from));
	text_add_str(b, " to ");
	amount_time(b, duration_bins_from(bins.to));
	text_add_str(b, "</small></div>\n");
}

void
web_table(struct text *b, const struct web_tables *w,
    const struct page_table *t, enum page_class c, bool mono)
{
	struct web_drawn d = {w, t, c, mono, true, {0}};

	if (t->count == 0)
		return;
	d.bins = common_bins(t);
	for (size_t i = 0; i < t->column_count; i++)
		d.bars &= type_of(t, i) != PAGE_STACK;
	web_text_section(b, t->title, t->of);
	add_scale(b, d.bins);
	text_add_str(b, "<table>\n<thead><tr>");
	add_titles(b, &d);
	text_add_str(b, "</tr></thead>\n<tbody>\n");
	for (size_t row = 0; row < t->count; row++)
		add_row(b, &d, row);
	text_add_str(b, "</tbody>\n</table>\n");
	add_more(b, t);
}
