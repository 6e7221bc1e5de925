/* sections.c - what all forms for people show */

#include <math.h>
#include <stdlib.h>

#include "sections.h"
#include "tq/base/mem.h"

int64_t
sections_unit(const struct comparison *c)
{
	double wall = c->wall.a > c->wall.b ? c->wall.a : c->wall.b;

	return wall >= 1e6 && comparison_by(c) != ACCOUNT_BY_LAUNCH ? 1000 : 1;
}

const char *
sections_unit_name(const struct comparison *c)
{
	return sections_unit(c) == 1 ? "us" : "ms";
}

const char *
sections_unit_word(const struct comparison *c)
{
	enum account_by by = comparison_by(c);

	return by == ACCOUNT_BY_LAUNCH   ? "span"
	       : by == ACCOUNT_BY_KERNEL ? "period"
					 : account_by_name(by);
}

/* ---- texts ---- */

void
sections_add_percent(struct text *t, double ratio)
{
	double percent = (ratio - 1) * 100;

	if (fabs(percent) < 0.005)
		text_add_str(t, "0.00 %");
	else if (fabs(percent) < 1000)
		text_printf(t, "%+.2f %%", percent);
	else
		text_printf(t, "%+.0f %%", percent);
}

void
sections_add_number(struct text *t, int64_t v)
{
	uint64_t size = v < 0 ? -(uint64_t)v : (uint64_t)v;

	text_printf(t, "%llu.%03llu", (unsigned long long)(size / 1000),
	    (unsigned long long)(size % 1000));
}

void
sections_add_signed(struct text *t, int64_t thousandth)
{
	text_add_str(t, thousandth < 0 ? "-" : thousandth > 0 ? "+" : "");
	sections_add_number(t, thousandth);
}

/* ns as us or ms with three decimals */
static void
add_time(struct text *t, double ns, int64_t unit)
{
	sections_add_number(t, (int64_t)llround(ns / (double)unit));
}

void
sections_add_verdict(struct text *t, const struct comparison *c)
{
	const struct verdict *v = &c->wall;
	const struct check_result *refused =
	    checks_find(&c->checks, CHECK_REFUSED);
	int64_t unit = sections_unit(c);

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
		sections_add_percent(t, c->pace.pace);
		text_printf(
		    t, ": %.2f of the work in the same time", c->pace.work);
		return;
	}
	text_add_str(t, "; estimate ");
	sections_add_percent(t, v->ratio);
	text_printf(t, " a %s (", sections_unit_word(c));
	add_time(t, v->a, unit);
	text_add_str(t, " -> ");
	add_time(t, v->b, unit);
	text_printf(t, " %s)", sections_unit_name(c));
	if (v->interval)
		text_printf(t, ", %+.2f to %+.2f %%", (v->low - 1) * 100,
		    (v->high - 1) * 100);
	if (v->tested)
		text_printf(t, ", p = %.2g of %.2g at least", v->p, v->least);
}

void
sections_add_note(struct text *t, const struct comparison *c, size_t i)
{
	const struct comparison_row *row = &c->rows[i];
	const struct match_row *m = &c->match.rows[i];

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

/* ---- the sum ---- */

void
sections_sum(struct sections_sum *s, const struct comparison *c)
{
	wide values[SECTIONS_SUM] = {0}, unit;
	int64_t rounded[SECTIONS_SUM];

	for (size_t k = 0; k < TERMS; k++)
		values[k] = c->terms.total.all[k];
	for (size_t p = 0; p < ACCOUNT_PARTS; p++)
		values[TERMS + p] = c->terms.idle[p];
	unit = c->terms.scale * sections_unit(c);
	terms_round(values, SECTIONS_SUM, c->terms.delta, unit, rounded);
	*s = (struct sections_sum){0};
	for (size_t k = 0; k < SECTIONS_SUM; k++) {
		s->total += rounded[k];
		if (values[k] == 0)
			continue;
		s->lines[s->count].name =
		    k < TERMS
			? terms_name((enum term)k)
			: account_part_name((enum account_part)(k - TERMS));
		s->lines[s->count++].value = rounded[k];
	}
}

/* ---- tables ---- */

static enum sections_table
table_of(const struct comparison *c, size_t row)
{
	wide sum = c->terms.rows[row].sum;

	return c->match.rows[row].level == MATCH_PLACE ? SECTIONS_PLACE
	       : sum > 0                               ? SECTIONS_SLOWER
	       : sum < 0                               ? SECTIONS_FASTER
						       : SECTIONS_SAME;
}

void
sections_rows(struct sections_rows *r, const struct comparison *c,
    const int64_t *deltas, enum sections_table table, size_t most)
{
	static const char *const titles[SECTIONS_TABLES] = {
	    "Slower", "Faster", "Replaced", "Same"};

	*r = (struct sections_rows){.title = titles[table],
	    .rows = mem_resize(NULL, c->match.row_count + 1, sizeof(*r->rows))};
	for (size_t i = 0; i < c->match.row_count; i++) {
		size_t row = c->order[i];

		if (table_of(c, row) != table)
			continue;
		if (most > 0 && r->count == most) {
			r->hidden++;
			r->others += deltas[row];
		} else
			r->rows[r->count++] = row;
	}
}

void
sections_rows_free(struct sections_rows *r)
{
	free(r->rows);
}
