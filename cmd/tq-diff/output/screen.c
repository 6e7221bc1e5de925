/* screen.c - a comparison on one screen */

#include <math.h>
#include <stdlib.h>

#include "records.h"
#include "screen.h"
#include "tq/base/mem.h"

enum { NAME_WIDTH = 44 };

int64_t
screen_unit(const struct comparison *c)
{
	double wall = c->wall.a > c->wall.b ? c->wall.a : c->wall.b;

	return wall >= 1e6 ? 1000 : 1;
}

const char *
screen_unit_name(int64_t unit)
{
	return unit == 1 ? "us" : "ms";
}

void
screen_add_percent(struct text *t, double ratio)
{
	double percent = (ratio - 1) * 100;

	if (fabs(percent) < 0.005)
		text_add_str(t, "0.00 %");
	else if (fabs(percent) < 1000)
		text_printf(t, "%+.2f %%", percent);
	else
		text_printf(t, "%+.0f %%", percent);
}

static void
add_thousandths(struct text *t, int64_t v)
{
	uint64_t size = v < 0 ? -(uint64_t)v : (uint64_t)v;

	text_printf(t, "%llu.%03llu", (unsigned long long)(size / 1000),
	    (unsigned long long)(size % 1000));
}

void
screen_add_signed(struct text *t, int64_t thousandth)
{
	text_add_str(t, thousandth < 0 ? "-" : thousandth > 0 ? "+" : "");
	add_thousandths(t, thousandth);
}

/* ns as us or ms with three decimals */
static void
add_time(struct text *t, double ns, int64_t unit)
{
	add_thousandths(t, (int64_t)llround(ns / (double)unit));
}

static const char *
unit_word(const struct comparison *c)
{
	enum account_by by = comparison_by(c);

	return by == ACCOUNT_BY_LAUNCH ? "span" : account_by_name(by);
}

void
screen_add_verdict(struct text *t, const struct comparison *c)
{
	const struct verdict *v = &c->wall;
	const struct check_result *refused =
	    checks_find(&c->checks, CHECK_REFUSED);
	int64_t unit = screen_unit(c);

	text_add_str(t, verdict_word(v->word));
	if (refused != NULL) {
		text_printf(t, ": %s", refused->says.p);
		return;
	}
	if (v->help != NULL && v->word == VERDICT_CANNOT_TELL)
		text_printf(t, ": %s", v->help);
	if (comparison_by(c) == ACCOUNT_BY_LAUNCH) {
		text_printf(t, "; %lld of %lld launches %s suspect",
		    (long long)c->suspects, (long long)c->launches,
		    c->suspects == 1 ? "is" : "are");
		return;
	}
	if (c->pace.cut) {
		text_printf(t, "; pace ");
		screen_add_percent(t, c->pace.pace);
		text_printf(
		    t, ": %.2f of the work in the same time", c->pace.work);
		return;
	}
	text_add_str(t, "; estimate ");
	screen_add_percent(t, v->ratio);
	text_printf(t, " a %s (", unit_word(c));
	add_time(t, v->a, unit);
	text_add_str(t, " -> ");
	add_time(t, v->b, unit);
	text_printf(t, " %s)", screen_unit_name(unit));
	if (v->interval)
		text_printf(t, ", %+.2f to %+.2f %%", (v->low - 1) * 100,
		    (v->high - 1) * 100);
	if (v->tested)
		text_printf(t, ", p = %.2g of %.2g at least", v->p, v->least);
}

/* ---- parts ---- */

static void
add_head(struct text *t, const struct comparison *c)
{
	text_add_str(t, "verdict    ");
	screen_add_verdict(t, c);
	text_printf(t,
	    "\nsides      %zu and %zu recordings, %lld and %lld %ss\n",
	    c->match.sides[SIDE_A]->count, c->match.sides[SIDE_B]->count,
	    (long long)c->terms.units[SIDE_A],
	    (long long)c->terms.units[SIDE_B], unit_word(c));
	if (c->pace.known && comparison_by(c) == ACCOUNT_BY_SPAN) {
		text_printf(t, "pace       ");
		screen_add_percent(t, c->pace.pace);
		text_printf(t, ", work %.2f\n", c->pace.work);
	}
	if (c->within) {
		text_printf(t, "within     %ss within these two recordings: ",
		    unit_word(c));
		screen_add_percent(t, c->within_ratio);
		text_printf(t, ", %+.2f to %+.2f %%\n",
		    (c->within_low - 1) * 100, (c->within_high - 1) * 100);
	}
}

static void
add_short(struct text *t, struct span s, size_t width)
{
	struct text clean = {0};

	text_add_visible(&clean, s, "");
	if (clean.len > width)
		clean.len = width - 3;
	while (clean.len < s.len && clean.len > 0 &&
	       (clean.p[clean.len - 1] & 0x80) != 0)
		clean.len--; /* not half a character */
	text_add_span(t, text_span(&clean));
	if (s.len > width)
		text_add_str(t, "...");
	text_free(&clean);
}

static void
add_checks(struct text *t, const struct comparison *c)
{
	for (size_t i = 0; i < c->checks.count; i++) {
		const struct check_result *k = &c->checks.all[i];

		if (k->state != CHECK_DIFFERS)
			continue;
		text_printf(t, "%-10s ", k->name);
		if (k->a.len > 0 || k->b.len > 0) {
			add_short(t, k->a, 60);
			if (!span_eq(k->a, k->b)) {
				text_add_str(t, " | ");
				add_short(t, k->b, 60);
			}
			text_add_str(t, k->says.len > 0 ? ": " : "");
		}
		text_add_span(t, k->says);
		text_add_char(t, '\n');
	}
}

/* ---- the sum ---- */

enum { SUM_LINES = TERMS + ACCOUNT_PARTS };

static void
add_sum(struct text *t, const struct comparison *c)
{
	int64_t unit = screen_unit(c), rounded[SUM_LINES];
	wide values[SUM_LINES] = {0};

	for (size_t k = 0; k < TERMS; k++)
		values[k] = c->terms.total.all[k];
	for (size_t p = 0; p < ACCOUNT_PARTS; p++)
		values[TERMS + p] = c->terms.idle[p];
	terms_round(
	    values, SUM_LINES, c->terms.delta, c->terms.scale * unit, rounded);
	text_add_char(t, '\n');
	screen_add_signed(
	    t, (int64_t)llround(
		   (double)terms_ns(&c->terms, c->terms.delta) / (double)unit));
	text_printf(t, " %s a %s on the mean =\n", screen_unit_name(unit),
	    unit_word(c));
	for (size_t k = 0; k < SUM_LINES; k++) {
		if (values[k] == 0)
			continue;
		text_printf(t, "  %-12s ",
		    k < TERMS
			? terms_name((enum term)k)
			: account_part_name((enum account_part)(k - TERMS)));
		screen_add_signed(t, rounded[k]);
		text_add_char(t, '\n');
	}
}

/* ---- rows ---- */

static void
add_column(struct text *t, struct text *cell, size_t width)
{
	for (size_t i = cell->len; i < width; i++)
		text_add_char(t, ' ');
	text_add_span(t, text_span(cell));
	cell->len = 0;
}

static void
add_launches(struct text *t, const struct comparison *c,
    const struct match_row *m, int side)
{
	double n = (double)m->on[side].n / (double)c->terms.units[side];

	text_printf(t, n < 99.95 && n != floor(n) ? "%.1f" : "%.0f", n);
}

/* What may be said of a row. */
static void
add_note(
    struct text *t, const struct comparison_row *row, const struct match_row *m)
{
	if (m->level == MATCH_ONE_SIDE)
		text_add_str(t, m->on[SIDE_A].dur > 0 ? "gone" : "new");
	else if (m->level == MATCH_PLACE)
		text_add_str(t, "in the same place");
	else if (row->suspect)
		text_printf(t,
		    "suspect: %zu controls, %.0f widths of %.1f %% off",
		    row->control.count, row->control.widths,
		    row->control.width * 100);
	else if (row->verdict.tested && row->weighs)
		text_add_str(t, verdict_word(row->verdict.word));
}

static void
add_row(struct text *t, const struct comparison *c, size_t i, int64_t delta)
{
	const struct match_row *m = &c->match.rows[i];
	bool both =
	    m->on[SIDE_A].n > 0 && m->on[SIDE_B].n > 0 && m->on[SIDE_A].dur > 0;
	struct text cell = {0};
	double means[SIDES];

	screen_add_signed(&cell, delta);
	add_column(t, &cell, 11);
	for (int side = 0; side < SIDES; side++) {
		add_launches(&cell, c, m, side);
		add_column(t, &cell, 7);
	}
	for (int side = 0; side < SIDES; side++) {
		means[side] = m->on[side].n > 0 ? (double)m->on[side].dur /
						      (double)m->on[side].n
						: 0;
		if (m->on[side].n > 0)
			add_time(&cell, means[side], 1);
		add_column(t, &cell, 12);
	}
	if (both)
		screen_add_percent(&cell, means[SIDE_B] / means[SIDE_A]);
	add_column(t, &cell, 11);
	text_add_str(t, "  ");
	add_short(t, m->name, NAME_WIDTH);
	add_note(&cell, &c->rows[i], m);
	if (cell.len > 0) {
		text_add_str(t, "  ");
		text_add_span(t, text_span(&cell));
	}
	text_add_char(t, '\n');
	text_free(&cell);
}

/* ---- a table ---- */

/* The rows of one sign, by what they contribute; the others in one line. */
static void
add_table(struct text *t, const struct comparison *c, const int64_t *deltas,
    const char *title, int sign, size_t most)
{
	int64_t others = 0;
	size_t shown = 0, hidden = 0;

	for (size_t i = 0; i < c->match.row_count; i++) {
		size_t row = c->order[i];
		wide sum = c->terms.rows[row].sum;

		if ((sum > 0) - (sum < 0) != sign)
			continue;
		if (most > 0 && shown == most) {
			others += deltas[row];
			hidden++;
			continue;
		}
		if (shown++ == 0)
			text_printf(t, "\n%11s%14s%24s%11s  %s\n",
			    screen_unit_name(screen_unit(c)), "Launches",
			    "Mean us", "Change", title);
		add_row(t, c, row, deltas[row]);
	}
	if (hidden > 0) {
		struct text cell = {0};

		screen_add_signed(&cell, others);
		add_column(t, &cell, 11);
		text_printf(t, "%51s%zu others\n", "", hidden);
		text_free(&cell);
	}
}

void
screen_add(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	int64_t *deltas;

	add_head(t, c);
	add_checks(t, c);
	if (comparison_refused(c))
		return;
	if (comparison_by(c) != ACCOUNT_BY_LAUNCH)
		add_sum(t, c);
	deltas = records_deltas(c, screen_unit(c));
	add_table(t, c, deltas, "Slower", 1, s->rows);
	add_table(t, c, deltas, "Faster", -1, s->rows);
	if (comparison_by(c) == ACCOUNT_BY_LAUNCH)
		add_table(t, c, deltas, "Same", 0, s->rows);
	free(deltas);
}
