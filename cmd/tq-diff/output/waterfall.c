/* waterfall.c - the sum of a comparison in HTML */

#include <math.h>

#include "match/path_rows.h"
#include "sections.h"
#include "tq/base/time.h"
#include "tq/show/cells.h"
#include "tq/show/escape.h"
#include "tq/show/html.h"
#include "waterfall.h"

enum {
	ROOM = 3,       /* before the bars: a part of what they span */
	DETAIL = 72,    /* bytes of a name below a term */
	FULL_NAME = 600 /* of its tooltip */
};

const char *
waterfall_color(enum account_part part)
{
	switch (part) {
	case PART_COMPUTE:
		return "--c:var(--compute)";
	case PART_COMMUNICATION:
		return "--c:var(--comm)";
	case PART_COPY:
		return "--c:var(--copy)";
	case PART_SYNC:
		return "--c:var(--sync)";
	case PART_HOST:
		return "--c:var(--host)";
	case PART_LAUNCH:
		return "--c:var(--host);opacity:.55";
	default:
		return "--c:var(--other);color:var(--ink)";
	}
}

/* ---- words ---- */

static const char *
term_words(size_t term)
{
	static const char *const words[TERMS_AND_PARTS] = {
	    [TERM_CALLS] = "more or fewer launches",
	    [TERM_PER_CALL] = "launches take longer or shorter",
	    [TERM_OVERLAP] = "less or more is hidden behind others",
	    [TERM_NEW] = "operations that only B has",
	    [TERM_GONE] = "operations that only A has",
	    [TERM_REPLACED] = "operations in the place of others",
	    [TERMS + PART_SYNC] = "GPU idle: the host waits for it",
	    [TERMS + PART_HOST] = "GPU idle: the host launches late",
	    [TERMS + PART_LAUNCH] = "GPU idle: in the launching call",
	    [TERMS + PART_NEXT] = "GPU idle: between operations",
	    [TERMS + PART_QUEUE] = "GPU idle: launched, but queued",
	    [TERMS + PART_UNKNOWN] = "GPU idle: the cause is unknown"};

	return words[term] != NULL ? words[term] : "";
}

/* ---- the row behind a term ---- */

/* The row that contributes most to a term, in its direction; or NULL. */
static const struct match_row *
most_of_term(const struct comparison *c, enum term k, wide *most)
{
	wide sign = c->terms.total.all[k] < 0 ? -1 : 1;
	const struct match_row *best = NULL;

	*most = 0;
	for (size_t i = 0; i < c->match.row_count; i++) {
		wide v = c->terms.rows[i].all[k] * sign;

		if (v > *most) {
			*most = v;
			best = &c->match.rows[i];
		}
	}
	*most *= sign;
	return best;
}

static size_t
path_length(const struct comparison *c, const struct host_row *h)
{
	return range_paths_length(&c->host.paths, h->number);
}

/* The innermost range whose operations end most of a change of idle time. */
static const struct host_row *
most_idle(const struct comparison *c, bool more, wide *most)
{
	const struct host_row *best = NULL;

	*most = 0;
	for (size_t i = 0; i < c->host.count; i++) {
		const struct host_row *h = &c->host.all[i];
		wide v = (wide)h->on[SIDE_B].idle * c->terms.units[SIDE_A] -
			 (wide)h->on[SIDE_A].idle * c->terms.units[SIDE_B];

		v = more ? v : -v;
		if (h->kind == KIND_range && v > 0 &&
		    (v > *most ||
			(v == *most && best != NULL &&
			    path_length(c, h) > path_length(c, best)))) {
			*most = v;
			best = h;
		}
	}
	*most = more ? *most : -*most;
	return best;
}

/*
 * "gemm +0.437", its name whole in the tooltip; without the number if it is all
 * of the term.
 */
static void
add_detail(struct text *b, const struct comparison *c, struct span name,
    size_t term, wide scaled)
{
	text_add_str(b, "<small title=\"");
	escape_html_cut(b, name, FULL_NAME);
	text_add_str(b, "\">");
	escape_html_cut(b, name, DETAIL);
	if (scaled != wall_terms_value(&c->terms, term)) {
		text_add_char(b, ' ');
		sections_add_signed(b, sections_terms(c, scaled));
	}
	text_add_str(b, "</small>");
}

static void
add_details(struct text *b, const struct comparison *c, size_t term)
{
	const struct match_row *m = NULL;
	const struct host_row *h = NULL;
	struct text path = {0}, json = {0};
	wide most;

	if (term < TERMS)
		m = most_of_term(c, (enum term)term, &most);
	else if (term == TERMS + PART_HOST)
		h = most_idle(c, wall_terms_value(&c->terms, term) > 0, &most);
	if (m != NULL) {
		add_detail(b, c, m->name, term, most);
	} else if (h != NULL) {
		text_add_str(&path, "before operations of ");
		host_rows_add_name(&json, &c->host, h);
		path_rows_add_name(&path, text_span(&json));
		add_detail(b, c, text_span(&path), term, most);
	}
	text_free(&path);
	text_free(&json);
}

/* ---- the bars ---- */

/* the axis, in units of the numbers that are printed */
struct waterfall_axis {
	int64_t from, to;
};

static int64_t
mean_wall(const struct comparison *c, int side)
{
	int64_t units = c->terms.units[side];

	return units > 0 ? llround((double)c->terms.wall[side] / (double)units /
				   (double)sections_unit(c))
			 : 0;
}

/* From 0, or from shortly before the first bar if these are short. */
static void
make_axis(
    struct waterfall_axis *x, const struct sections_sum *sum, int64_t wall)
{
	int64_t at = wall, low = wall, high = wall;

	for (size_t i = 0; i < sum->count; i++) {
		if (sum->lines[i].of_line)
			continue;
		at = wall_terms_sum(at, sum->lines[i].value);
		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	x->to = high > 0 ? high : 1;
	x->from = wall_terms_sum(low, -(time_between(low, high) / ROOM));
	if (low == high || x->from < high / 2)
		x->from = 0;
}

static double
percent(const struct waterfall_axis *x, int64_t at)
{
	double v = 100 * ((double)at - (double)x->from) /
		   ((double)x->to - (double)x->from);

	return fmin(fmax(v, 0), 100);
}

static void
add_bar(struct text *b, const struct waterfall_axis *x, int64_t from,
    int64_t to, const char *color)
{
	double left = percent(x, from < to ? from : to);
	double right = percent(x, from < to ? to : from);

	text_printf(b,
	    "<div class=\"tr\"><i style=\"left:%.2f%%;width:%.2f%%;%s\">"
	    "</i></div>",
	    fmin(left, 99.7), right - left, color);
}

static void
add_value(struct text *b, int64_t v, bool sign, const char *unit)
{
	text_add_str(b, "<div class=\"v\">");
	if (sign)
		sections_add_signed(b, v);
	else
		cells_add_fixed(b, v, 3);
	text_printf(b, "%s%s</div>\n", *unit != '\0' ? " " : "", unit);
}

static void
add_wall(struct text *b, const struct comparison *c,
    const struct waterfall_axis *x, int side)
{
	const struct accounts *all = c->match.sides[side];
	int64_t wall = mean_wall(c, side);

	text_printf(b, "<div class=\"lab\"><b>%c</b><small>", "AB"[side]);
	if (all->count == 1)
		escape_html_cut(b, all->all[0]->name, DETAIL);
	else
		text_printf(b, "%zu recordings", all->count);
	text_add_str(b, "</small></div>");
	add_bar(b, x, x->from, wall, waterfall_color(PART_UNKNOWN));
	add_value(b, wall, false, sections_unit_name(c));
}

static const char *
term_color(size_t term)
{
	return waterfall_color(
	    term < TERMS ? PART_COMPUTE : (enum account_part)(term - TERMS));
}

static void
add_lines(struct text *b, const struct comparison *c,
    const struct sections_sum *sum, const struct waterfall_axis *x, int64_t at)
{
	int64_t start = at, part = at;

	for (size_t i = 0; i < sum->count; i++) {
		size_t term = sum->lines[i].term;
		int64_t v = sum->lines[i].value, *from = &at;

		if (sum->lines[i].of_line)
			from = &part;
		else
			start = part = at;
		text_printf(b, "<div class=\"lab%s\">%s",
		    from == &part ? " of" : "", sum->lines[i].name);
		if (from == &at) {
			text_printf(b, "<small>%s</small>", term_words(term));
			add_details(b, c, term);
		}
		text_add_str(b, "</div>");
		add_bar(
		    b, x, *from, wall_terms_sum(*from, v), term_color(term));
		*from = wall_terms_sum(*from, v);
		if (from == &at)
			part = start;
		add_value(b, v, true, "");
	}
}

void
waterfall_add(struct text *b, const struct comparison *c)
{
	struct waterfall_axis x;
	struct sections_sum sum;
	struct text title = {0}, of = {0};
	int64_t a = mean_wall(c, SIDE_A);

	sections_sum(&sum, c);
	make_axis(&x, &sum, a);
	text_add_str(
	    &title, sum.total != 0 ? "Where the " : "The difference is ");
	sections_add_signed(&title, sum.total);
	text_printf(&title, " %s%s", sections_unit_name(c),
	    sum.total != 0 ? " come from" : "");
	text_printf(&of, "of a %s on the mean; adds up", sections_unit_word(c));
	if (x.from > 0) {
		text_add_str(&of, "; axis from ");
		cells_add_fixed(&of, x.from, 3);
		text_printf(&of, " %s", sections_unit_name(c));
	}
	html_card(b, text_span(&title), text_span(&of));
	text_add_str(b, "<div class=\"wf\">\n");
	add_wall(b, c, &x, SIDE_A);
	add_lines(b, c, &sum, &x, a);
	add_wall(b, c, &x, SIDE_B);
	text_add_str(b, "</div>\n</section>\n");
	text_free(&title);
	text_free(&of);
}
