/* web_diff.c - a comparison as a page of HTML */

#include <stdlib.h>

#include "records.h"
#include "sections.h"
#include "web_diff.h"
#include "tq/show/escape.h"

enum { STRIP_UNITS = 400 }; /* of a timeline; of more every k-th is drawn */

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<title>tq-diff</title>\n<style>\n"
    "body{font:14px/1.4 system-ui,sans-serif;margin:2em auto;max-width:70em;"
    "padding:0 1em;color:#222;background:#fff}\n"
    "h1{font-size:1.3em}table{border-collapse:collapse;margin:1em 0}\n"
    "td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #ddd}\n"
    "td:first-child,th:first-child{text-align:left;word-break:break-all}\n"
    ".strip{display:flex;height:3em;margin:.2em 0;background:#eee}\n"
    ".strip i{display:flex;flex-direction:column}\n"
    ".strip b{display:block}\n"
    ".p0{background:#4477aa}.p1{background:#ee6677}.p2{background:#ccbb44}\n"
    ".p3,.p4,.p5,.p6,.p7,.p8{background:#dddddd}\n"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}"
    "td,th{border-color:#333}.strip{background:#222}"
    ".p3,.p4,.p5,.p6,.p7,.p8{background:#444}}\n"
    "</style></head><body>\n";

/* A unit, as wide as its wall is of the longer side, and its parts. */
static void
add_unit(struct text *t, const struct account_unit *u, double wall)
{
	text_printf(t, "<i style=\"width:%.3f%%\" title=\"%lld: %.3f ms\">",
	    100 * (double)u->wall / wall, (long long)u->number,
	    (double)u->wall / 1e6);
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

static void
add_row(struct text *t, const struct comparison *c, size_t i, int64_t delta)
{
	const struct match_row *m = &c->match.rows[i];
	struct text note = {0};

	text_add_str(t, "<tr><td>");
	escape_html(t, m->name);
	text_add_str(t, "</td><td>");
	sections_add_signed(t, delta);
	for (int side = 0; side < SIDES; side++)
		text_printf(t, "</td><td>%.4g",
		    (double)m->on[side].n / (double)c->terms.units[side]);
	for (int side = 0; side < SIDES; side++) {
		text_add_str(t, "</td><td>");
		if (m->on[side].n > 0)
			text_printf(t, "%.3f",
			    (double)m->on[side].dur / (double)m->on[side].n /
				1000);
	}
	text_add_str(t, "</td><td>");
	if (sections_has_clock(c, m))
		sections_add_percent(t, sections_at_equal_clock(c, m));
	text_add_str(t, c->checks.clock > 0 ? "</td><td>" : "");
	sections_add_note(&note, c, i);
	escape_html(t, text_span(&note));
	text_free(&note);
	text_add_str(t, "</td></tr>\n");
}

static void
add_rows(struct text *t, const struct comparison *c, enum sections_table table,
    size_t most)
{
	int64_t *deltas = records_deltas(c, sections_unit(c));
	struct sections_rows r;

	sections_rows(&r, c, deltas, table, most);
	if (r.count > 0)
		text_printf(t,
		    "<h2>%s</h2><table><tr><th>Name<th>%s<th>Launches A<th>B"
		    "<th>Mean us A<th>B%s<th></tr>\n",
		    r.title, sections_unit_name(c),
		    c->checks.clock > 0 ? "<th>At equal clock" : "");
	for (size_t i = 0; i < r.count; i++)
		add_row(t, c, r.rows[i], deltas[r.rows[i]]);
	if (r.hidden > 0) {
		text_printf(t, "<tr><td>%zu others</td><td>", r.hidden);
		sections_add_signed(t, r.others);
		text_add_str(t, "</td></tr>\n");
	}
	text_add_str(t, r.count > 0 ? "</table>\n" : "");
	sections_rows_free(&r);
	free(deltas);
}

static void
add_device(struct text *t, const struct comparison *c,
    const struct sections_devices *d, size_t i)
{
	struct text name = {0};

	sections_add_device(&name, c, i);
	text_add_str(t, "<tr><td>");
	escape_html(t, text_span(&name));
	text_add_str(t, "</td><td>");
	sections_add_signed(t, d->all[i].total);
	for (size_t k = 0; k < TERMS_AND_PARTS; k++)
		if (d->has[k]) {
			text_add_str(t, "</td><td>");
			sections_add_signed(t, d->all[i].values[k]);
		}
	text_add_str(t, "</td></tr>\n");
	text_free(&name);
}

static void
add_devices(struct text *t, const struct comparison *c)
{
	struct sections_devices d;

	sections_devices(&d, c);
	if (d.count > 0) {
		text_printf(t, "<h2>Devices</h2><table><tr><th>Device<th>%s",
		    sections_unit_name(c));
		for (size_t k = 0; k < TERMS_AND_PARTS; k++)
			if (d.has[k])
				text_printf(t, "<th>%s", sections_term_name(k));
		text_add_str(t, "</tr>\n");
	}
	for (size_t i = 0; i < d.count; i++)
		add_device(t, c, &d, i);
	text_add_str(t, d.count > 0 ? "</table>\n" : "");
	sections_devices_free(&d);
}

static void
add_sum(struct text *t, const struct comparison *c)
{
	struct sections_sum sum;

	sections_sum(&sum, c);
	text_printf(t, "<h2>Sum</h2><table><tr><th>Sum of a %s<th>%s</tr>\n",
	    sections_unit_word(c), sections_unit_name(c));
	for (size_t i = 0; i <= sum.count; i++) {
		bool all = i == sum.count;

		text_printf(t, "<tr><td>%s%s</td><td>",
		    !all && sum.lines[i].of_per_call ? "of these: " : "",
		    all ? "all" : sum.lines[i].name);
		sections_add_signed(t, all ? sum.total : sum.lines[i].value);
		text_add_str(t, "</td></tr>\n");
	}
	text_add_str(t, "</table>\n");
}

static void
add_checks(struct text *t, const struct comparison *c)
{
	text_add_str(t, "<h2>Checks</h2><table>\n");
	for (size_t i = 0; i < c->checks.count; i++) {
		const struct check_result *k = &c->checks.all[i];

		if (k->state == CHECK_SAME)
			continue;
		text_printf(t, "<tr><td>%s</td><td>", k->name);
		escape_html(t, k->a);
		text_add_str(t, "</td><td>");
		escape_html(t, k->b);
		text_add_str(t, "</td><td>");
		escape_html(
		    t, k->state == CHECK_UNKNOWN ? SPAN("unknown") : k->says);
		text_add_str(t, "</td></tr>\n");
	}
	text_add_str(t, "</table>\n");
}

void
web_diff_add(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	struct text verdict = {0};

	sections_add_verdict(&verdict, c);
	text_add(t, head, sizeof(head) - 1);
	text_add_str(t, "<h1>");
	escape_html(t, text_span(&verdict));
	text_add_str(t, "</h1>\n");
	text_free(&verdict);
	if (!comparison_refused(c)) {
		add_strips(t, c);
		add_sum(t, c);
		for (int table = 0; table < SECTIONS_SAME; table++)
			add_rows(t, c, (enum sections_table)table, s->rows);
		add_devices(t, c);
	}
	add_checks(t, c);
	text_add_str(t, "</body></html>\n");
}
