/* unit_bars.c - the time of a unit of both sides in HTML */

#include <math.h>

#include "sections.h"
#include "tq/show/amount.h"
#include "tq/show/cells.h"
#include "tq/show/html.h"
#include "unit_bars.h"
#include "waterfall.h"

enum { STRIP_UNITS = 400 }; /* of a strip; of more every k-th is drawn */

static const double LABEL =
    0.18; /* of the longest bar: a part that has a name */

/* "idle: host" */
static void
add_part_name(struct text *b, int part)
{
	text_printf(b, "%s%s", part >= PART_SYNC ? "idle: " : "",
	    account_part_name((enum account_part)part));
}

/* ---- the mean unit ---- */

static double
mean(const struct comparison *c, int side, int64_t sum)
{
	int64_t units = c->terms.units[side];

	return units > 0 ? (double)sum / (double)units : 0;
}

static void
add_time(struct text *b, const struct comparison *c, double ns)
{
	cells_add_fixed(b, llround(ns / (double)sections_unit(c)), 3);
}

static void
add_part(struct text *b, const struct comparison *c, int side, int part,
    double longest)
{
	const struct wall_terms *t = &c->terms;
	int64_t ns = t->parts[side][part];
	double share =
	    t->wall[side] > 0 ? (double)ns / (double)t->wall[side] : 0;

	if (ns <= 0)
		return;
	text_printf(b, "<i style=\"width:%.2f%%;%s\" title=\"", 100 * share,
	    waterfall_color((enum account_part)part));
	add_part_name(b, part);
	text_add_char(b, ' ');
	add_time(b, c, mean(c, side, ns));
	text_printf(b, " %s, %.1f %%\">", sections_unit_name(c), 100 * share);
	if (mean(c, side, ns) >= LABEL * longest)
		add_part_name(b, part);
	text_add_str(b, "</i>");
}

static void
add_legend(struct text *b, const struct comparison *c)
{
	text_add_str(b, "<div class=\"leg\">\n");
	for (int p = 0; p < ACCOUNT_PARTS; p++) {
		const struct wall_terms *t = &c->terms;

		if (t->parts[SIDE_A][p] <= 0 && t->parts[SIDE_B][p] <= 0)
			continue;
		text_printf(b, "<span><i style=\"%s\"></i>",
		    waterfall_color((enum account_part)p));
		add_part_name(b, p);
		text_add_str(b, " <b>");
		add_time(b, c, mean(c, SIDE_A, t->parts[SIDE_A][p]));
		text_add_str(b, " \342\206\222 ");
		add_time(b, c, mean(c, SIDE_B, t->parts[SIDE_B][p]));
		text_printf(b, " %s</b></span>\n", sections_unit_name(c));
	}
	text_add_str(b, "</div>\n");
}

/* ---- all units of a recording ---- */

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

/* The units of the first device of a recording; the sum of their walls. */
static size_t
device_units(const struct account *a, double *wall)
{
	size_t n = 0;

	*wall = 0;
	for (size_t i = 0; i < a->unit_count; i++)
		if (a->units[i].device == 0 && a->units[i].wall > 0) {
			*wall += (double)a->units[i].wall;
			n++;
		}
	return n;
}

/* A unit, as wide as its part of the longest strip. */
static void
add_unit(struct text *b, const struct account_unit *u, double width)
{
	text_printf(b, "<i style=\"width:%.3f%%\" title=\"%lld: ", width,
	    (long long)u->number);
	amount_time(b, u->wall);
	text_add_str(b, "\">");
	for (int p = 0; p < ACCOUNT_PARTS; p++)
		if (u->parts[p] > 0)
			text_printf(b,
			    "<b class=\"q%d\" style=\"height:%.1f%%\">"
			    "</b>",
			    p, 100 * (double)u->parts[p] / (double)u->wall);
	text_add_str(b, "</i>");
}

static void
add_strip(struct text *b, const struct account *a, size_t count, double longest)
{
	size_t every = (count + STRIP_UNITS - 1) / STRIP_UNITS, n = 0;

	text_add_str(b, "<small>over time</small><div class=\"us\">");
	for (size_t i = 0; i < a->unit_count; i++)
		if (a->units[i].device == 0 && a->units[i].wall > 0 &&
		    n++ % every == 0)
			add_unit(b, &a->units[i],
			    100 * (double)a->units[i].wall * (double)every /
				longest);
	text_add_str(b, "</div>\n");
}

/* ---- the card ---- */

static void
add_side(struct text *b, const struct comparison *c, int side, double longest)
{
	double wall = mean(c, side, c->terms.wall[side]);

	text_printf(b, "<b>%s</b><div class=\"bar\" style=\"width:%.2f%%\">",
	    side == SIDE_A ? "A" : "B", longest > 0 ? 100 * wall / longest : 0);
	for (int p = 0; p < ACCOUNT_PARTS; p++)
		add_part(b, c, side, p, longest);
	text_add_str(b, "</div>\n");
}

void
unit_bars_add(struct text *b, const struct comparison *c)
{
	const struct account *on[SIDES];
	double walls[SIDES], longest = 0, strip = 1;
	size_t counts[SIDES];
	struct text of = {0};

	for (int side = 0; side < SIDES; side++) {
		on[side] = fastest(c->match.sides[side]);
		counts[side] = device_units(on[side], &walls[side]);
		strip = fmax(strip, walls[side]);
		longest = fmax(longest, mean(c, side, c->terms.wall[side]));
	}
	text_printf(&of, "a %s of each side, on the mean%s",
	    sections_unit_word(c),
	    c->devices.count <= 1      ? ""
	    : match_on_host(&c->match) ? " of all processes"
				       : " of all devices");
	html_card(b,
	    match_on_host(&c->match) ? SPAN("The host's time")
				     : SPAN("The device's time"),
	    text_span(&of));
	text_free(&of);
	for (int side = 0; side < SIDES; side++) {
		text_add_str(b, "<div class=\"gp\">\n");
		add_side(b, c, side, longest);
		if (counts[SIDE_A] > 1 && counts[SIDE_B] > 1)
			add_strip(b, on[side], counts[side], strip);
		text_add_str(b, "</div>\n");
	}
	add_legend(b, c);
	text_add_str(b, "</section>\n");
}
