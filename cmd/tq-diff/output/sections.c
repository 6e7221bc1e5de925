/* sections.c - the parts of all forms for people */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sections.h"
#include "tq/base/mem.h"
#include "tq/base/time.h"
#include "tq/show/amount.h"
#include "tq/show/cells.h"
#include "tq/show/display.h"
#include "tq/show/escape.h"

int64_t
sections_unit(const struct comparison *c)
{
	double wall = c->wall.a > c->wall.b ? c->wall.a : c->wall.b;

	return wall >= 1e6 && comparison_by(c) != ACCOUNT_BY_LAUNCH ? 1000 : 1;
}

int64_t
sections_terms(const struct comparison *c, wide scaled)
{
	return llround((double)wall_terms_ns(&c->terms, scaled) /
		       (double)sections_unit(c));
}

const char *
sections_unit_name(const struct comparison *c)
{
	return sections_unit(c) == 1 ? "us" : "ms";
}

const char *
sections_unit_word(const struct comparison *c)
{
	const struct accounts *b = c->match.sides[SIDE_B];

	if (b->count > 0 && b->all[0]->by != comparison_by(c))
		return "unit"; /* each side has its own */
	return account_by_word(comparison_by(c));
}

/* ---- texts ---- */

/* percent of it is of its beginning. */
static void
add_cut(struct text *t, struct span s, size_t width, unsigned percent)
{
	struct text clean = {0};

	escape_terminal(&clean, s);
	display_add_cut(t, text_span(&clean), width, percent, "...");
	text_free(&clean);
}

void
sections_add_cut(struct text *t, struct span s, size_t width)
{
	add_cut(t, s, width, 100);
}

void
sections_add_end(struct text *t, struct span path, size_t width)
{
	add_cut(t, path, width, 0);
}

void
sections_add_signed(struct text *t, int64_t thousandth)
{
	text_add_str(t, thousandth > 0 ? "+" : "");
	cells_add_fixed(t, thousandth, 3);
}

/* ns as us or ms with three decimals */
static void
add_time(struct text *t, double ns, int64_t unit)
{
	cells_add_fixed(t, llround(ns / (double)unit), 3);
}

/* "12.0 %": digits that stay visible */
static void
add_percent(struct text *t, double share)
{
	text_printf(t, share >= 0.01 ? "%.1f %%" : "%.2f %%", share * 100);
}

/* "12.0 % slower, sure: ", "likely slower: one recording a side; +12.00 %, " */
static void
add_head(struct text *t, const struct comparison *c)
{
	const struct verdict *v = &c->wall;
	double low = v->interval ? v->low : c->within_low;
	double high = v->interval ? v->high : c->within_high;

	switch (v->word) {
	case VERDICT_SLOWER:
	case VERDICT_FASTER:
		add_percent(t, fabs(v->ratio - 1));
		text_printf(t, " %s, sure: ", verdict_word(v->word));
		return;
	case VERDICT_NO_CHANGE:
		text_add_str(t, "no change within ");
		add_percent(t, fmax(fabs(low - 1), fabs(high - 1)));
		break;
	default:
		text_add_str(t, verdict_word(v->word));
	}
	if (v->help != NULL)
		text_printf(t, ": %s", v->help);
	text_add_str(t, "; ");
	if (comparison_by(c) == ACCOUNT_BY_LAUNCH || c->pace.cut ||
	    c->pace.other)
		return;
	if (v->a > 0 && v->b > 0) {
		amount_change(t, v->ratio);
		text_add_str(t, ", ");
	}
}

/* "18.320 -> 20.518 ms a step, +11.20 to +12.90 %, p = 0.029" */
static void
add_estimate(struct text *t, const struct comparison *c)
{
	const struct verdict *v = &c->wall;
	int64_t unit = sections_unit(c);

	add_time(t, v->a, unit);
	text_add_str(t, " -> ");
	add_time(t, v->b, unit);
	text_printf(
	    t, " %s a %s", sections_unit_name(c), sections_unit_word(c));
	if (v->interval) {
		text_add_str(t, ", ");
		amount_change_range(t, v->low, v->high);
	}
	if (v->tested && v->least < 1)
		text_printf(t, ", p = %.2g", v->p);
}

void
sections_add_verdict(struct text *t, const struct comparison *c)
{
	const struct check_result *refused =
	    comparability_find(&c->checks, CHECK_REFUSED);
	const struct comparison_pace *p = &c->pace;

	if (refused != NULL) {
		text_add_str(t, "cannot be compared: ");
		text_add_span(t, refused->says);
		return;
	}
	add_head(t, c);
	if (comparison_by(c) == ACCOUNT_BY_LAUNCH) {
		text_printf(t, "%lld of %lld launches %s suspect",
		    (long long)c->suspects, (long long)c->launches,
		    c->suspects == 1 ? "is" : "are");
	} else if (p->cut || p->other) {
		text_add_str(t, "pace ");
		amount_change(t, p->pace);
		text_printf(t, ": %.2f of the work in ", p->work);
		if (p->cut)
			text_add_str(t, "the same time");
		else
			text_printf(t, "%.2f of the time", c->wall.ratio);
	} else {
		add_estimate(t, c);
	}
}

/* "each", "every 2nd" */
static void
add_ordinal(struct text *t, int64_t n)
{
	static const char *const ends[] = {"th", "st", "nd", "rd"};
	bool teen = n % 100 / 10 == 1;

	if (n == 1)
		text_add_str(t, "each");
	else
		text_printf(t, "every %lld%s", (long long)n,
		    ends[!teen && n % 10 > 0 && n % 10 < 4 ? n % 10 : 0]);
}

const struct account *
sections_period(const struct comparison *c)
{
	const struct accounts *a = c->match.sides[SIDE_A];

	return a->count > 0 && a->all[0]->period_name.len > 0 ? a->all[0]
							      : NULL;
}

void
sections_add_period(struct text *t, const struct comparison *c)
{
	const struct account *a = sections_period(c);

	if (a == NULL)
		return;
	text_add_str(t, "from ");
	add_ordinal(t, a->period_every);
	text_add_str(t, " launch of ");
	text_add_span(t, a->period_name);
	text_printf(t,
	    " to the next; %.1f %% of them have the same launches, by time "
	    "%.1f %%",
	    (double)a->period_equal / 10, (double)a->period_fit / 10);
}

bool
sections_has_clock(const struct comparison *c, const struct match_row *m)
{
	return c->checks.clock > 0 && m->kind == KIND_kernel &&
	       match_is_pair(m);
}

double
sections_at_equal_clock(const struct comparison *c, const struct match_row *m)
{
	const struct account_sum *a = &m->on[SIDE_A], *b = &m->on[SIDE_B];

	return (double)b->dur / (double)b->n * c->checks.clock /
	       ((double)a->dur / (double)a->n);
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
	else if (m->level == MATCH_GRAPH)
		text_add_str(t, "whole graphs on one side");
	else if (row->suspect)
		text_printf(t,
		    "suspect: %zu controls, %.0f widths of %.1f %% off",
		    row->control.count, row->control.widths,
		    row->control.width * 100);
	else if (row->verdict.tested && row->weighs)
		text_add_str(t, verdict_word(row->verdict.word));
}

/* ---- the sum ---- */

const char *
sections_term_name(size_t term)
{
	return term < TERMS
		   ? wall_terms_name((enum term)term)
		   : account_part_name((enum account_part)(term - TERMS));
}

static void
add_line(struct sections_sum *s, const char *name, size_t term, int64_t value)
{
	s->lines[s->count].name = name;
	s->lines[s->count].term = term;
	s->lines[s->count++].value = value;
}

void
sections_shapes(const struct comparison *c, int64_t per_call, int64_t unit,
    int64_t shapes[2])
{
	const struct wall_terms *t = &c->terms;
	wide values[] = {t->total.shape, t->same_shape,
	    t->total.all[TERM_PER_CALL] - t->total.shape - t->same_shape};
	wide scale = t->scale > 0 ? t->scale * unit : 1;
	int64_t rounded[3];

	wall_terms_round(values, 3, (wide)per_call * scale, scale, rounded);
	shapes[0] = rounded[0];
	shapes[1] = rounded[1];
}

/* The parts of the line before. */
static void
add_shapes(struct sections_sum *s, const struct comparison *c, int64_t per_call)
{
	int64_t shapes[2];

	sections_shapes(c, per_call, sections_unit(c), shapes);
	if (shapes[0] == 0)
		return;
	add_line(s, "shape", TERM_PER_CALL, shapes[0]);
	add_line(s, "same shape", TERM_PER_CALL, shapes[1]);
	s->lines[s->count - 2].of_line = true;
	s->lines[s->count - 1].of_line = true;
}

/* The finer causes of the part before, unless it is its own only one. */
static void
add_causes(struct sections_sum *s, const struct comparison *c, size_t term,
    int64_t value)
{
	enum account_part part = (enum account_part)(term - TERMS);
	int64_t rounded[IDLE_CAUSES];
	size_t first = s->count;

	if (!wall_terms_round_causes(
		&c->terms, part, value, sections_unit(c), rounded))
		return;
	for (enum idle_cause i = 0; i < IDLE_CAUSES; i++)
		if (rounded[i] != 0) {
			s->lines[s->count].of_line = true;
			add_line(s, idle_cause_name(i), term, rounded[i]);
		}
	if (s->count == first + 1 &&
	    strcmp(s->lines[first].name, account_part_name(part)) == 0)
		s->count--;
}

/* A part that is the same, if finer causes of it are not. */
static void
add_moved(struct sections_sum *s, const struct comparison *c, size_t term)
{
	size_t first = s->count;

	s->lines[s->count].of_line = false;
	add_line(s, sections_term_name(term), term, 0);
	add_causes(s, c, term, 0);
	if (s->count == first + 1)
		s->count = first;
}

void
sections_sum(struct sections_sum *s, const struct comparison *c)
{
	int64_t rounded[TERMS_AND_PARTS];

	*s = (struct sections_sum){0};
	s->total = wall_terms_round_all(&c->terms, sections_unit(c), rounded);
	for (size_t k = 0; k < TERMS_AND_PARTS; k++) {
		if (wall_terms_value(&c->terms, k) != 0) {
			s->lines[s->count].of_line = false;
			add_line(s, sections_term_name(k), k, rounded[k]);
			if (k >= TERMS + PART_SYNC)
				add_causes(s, c, k, rounded[k]);
		} else if (k >= TERMS + PART_SYNC)
			add_moved(s, c, k);
		if (k == TERM_PER_CALL && c->terms.total.by_grid)
			add_shapes(s, c, rounded[k]);
	}
}

/* ---- devices ---- */

void
sections_devices(struct sections_devices *d, const struct comparison *c)
{
	*d = (struct sections_devices){0};
	if (c->devices.count == 0)
		return;
	d->count = c->devices.count + 1;
	d->all = mem_resize(NULL, d->count, sizeof(*d->all));
	for (size_t i = 0; i < d->count; i++) {
		struct sections_device *to = &d->all[i];

		to->total = wall_terms_round_all(
		    i < c->devices.count ? &c->devices.all[i].terms : &c->terms,
		    sections_unit(c), to->values);
		for (size_t k = 0; k < TERMS_AND_PARTS; k++)
			d->has[k] |= to->values[k] != 0;
	}
}

void
sections_devices_free(struct sections_devices *d)
{
	free(d->all);
}

void
sections_add_device(struct text *t, const struct comparison *c, size_t i)
{
	const struct device_term *d = &c->devices.all[i];

	if (i == c->devices.count) {
		text_add_str(t, "mean");
		return;
	}
	if (d->rank != NO_ID)
		text_printf(t, "rank %lld ", (long long)d->rank);
	text_printf(t, match_on_host(&c->match) ? "process %lld" : "GPU %lld",
	    (long long)d->device);
	text_add_str(t, d->name.len > 0 ? " " : "");
	text_add_span(t, d->name);
}

/* ---- tables ---- */

static enum sections_table
table_of(const struct comparison *c, size_t row)
{
	wide sum = c->terms.rows[row].sum;

	return c->match.rows[row].level >= MATCH_PLACE ? SECTIONS_PLACE
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
			r->others = wall_terms_sum(r->others, deltas[row]);
		} else
			r->rows[r->count++] = row;
	}
}

void
sections_rows_free(struct sections_rows *r)
{
	free(r->rows);
}
