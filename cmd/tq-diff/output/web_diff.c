/* web_diff.c - a comparison as a page of HTML */

#include "diff_tables.h"
#include "web_diff.h"
#include "tq/show/amount.h"
#include "tq/show/escape.h"
#include "tq/show/html.h"

enum { STRIP_UNITS = 400 }; /* of a timeline; of more every k-th is drawn */

/* of timelines */
static const char style[] =
    ".strip { display: flex; height: 3em; margin: .2em 0; }\n"
    ".strip i { display: flex; flex-direction: column; }\n"
    ".strip { background: var(--soft); }\n"
    ".p0 { background: var(--compute); }\n"
    ".p1 { background: var(--comm); }\n"
    ".p2 { background: var(--copy); }\n"
    ".p3, .p4, .p5, .p6, .p7, .p8 { background: var(--other); }\n";

static const struct format_options options = {
    .format = FORMAT_HTML, .time_unit = 1};

/* A unit, as wide as its wall is of the longer side, and its parts. */
static void
add_unit(struct text *t, const struct account_unit *u, double wall)
{
	text_printf(t, "<i style=\"width:%.3f%%\" title=\"%lld: ",
	    100 * (double)u->wall / wall, (long long)u->number);
	amount_time(t, u->wall);
	text_add_str(t, "\">");
	for (int p = 0; p < ACCOUNT_PARTS; p++)
		if (u->parts[p] > 0)
			text_printf(t,
			    "<b class=\"p%d\" style=\"height:%.1f%%\"></b>", p,
			    100 * (double)u->parts[p] / (double)u->wall);
	text_add_str(t, "</i>");
}

/* the units of the first device of a recording */
static double
strip_wall(const struct account *a)
{
	double wall = 0;

	for (size_t i = 0; i < a->unit_count; i++)
		wall += a->units[i].device == 0 ? (double)a->units[i].wall : 0;
	return wall;
}

/* The fastest recording of a side, whatever the order of the operands. */
static const struct account *
fastest(const struct accounts *side)
{
	const struct account *best = side->all[0];

	for (size_t r = 1; r < side->count; r++)
		if (comparison_wall(side->all[r]) < comparison_wall(best))
			best = side->all[r];
	return best;
}

static void
add_strips(struct text *t, const struct comparison *c)
{
	const struct account *on[SIDES];
	double longest = 1;

	for (int side = 0; side < SIDES; side++) {
		on[side] = fastest(c->match.sides[side]);
		if (strip_wall(on[side]) > longest)
			longest = strip_wall(on[side]);
	}
	for (int side = 0; side < SIDES; side++) {
		size_t every = on[side]->unit_count / STRIP_UNITS + 1;

		text_printf(t, "<div>%s</div><div class=\"strip\">",
		    side == SIDE_A ? "A" : "B");
		for (size_t i = 0; i < on[side]->unit_count; i += every)
			if (on[side]->units[i].device == 0 &&
			    on[side]->units[i].wall > 0)
				add_unit(t, &on[side]->units[i],
				    longest / (double)every);
		text_add_str(t, "</div>\n");
	}
}

/* A table that has rows, which is freed. */
static void
add_table(struct text *t, struct table *table, size_t sums)
{
	(void)sums;
	if (table_rows(table) > 0) {
		text_printf(t, "<h2>%s</h2>\n<div class=\"x\">", table->title);
		html_rows(t, &options, table);
		text_add_str(t, "</div>\n");
	}
	table_free(table);
}

void
web_diff_add(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	struct text verdict = {0};
	struct table table;

	sections_add_verdict(&verdict, c);
	html_head(t, SPAN("tq-diff"));
	html_document(t);
	text_add_str(t, style);
	html_body(t);
	text_add_str(t, "<h1>");
	escape_html(t, text_span(&verdict));
	text_add_str(t, "</h1>\n");
	text_free(&verdict);
	if (!comparison_refused(c)) {
		add_strips(t, c);
		diff_tables_sum(&table, c);
		add_table(t, &table, 0);
		diff_tables_each(
		    t, c, &(struct diff_look){s->rows, false}, add_table);
		diff_tables_devices(&table, c, &(struct diff_look){0, false});
		add_table(t, &table, 0);
	}
	diff_tables_checks(&table, c);
	add_table(t, &table, 0);
	html_end(t);
}
