/* records.c - a comparison for programs */

#include <stdlib.h>

#include "line_fields.h"
#include "records.h"
#include "sections.h"
#include "tq/base/mem.h"
#include "tq/base/time.h"

/* what lines are written */
struct records {
	const struct comparison *c;
	int64_t *deltas;
	struct line_fields line;
	const char *separator; /* before all lines but the first of a kind */
	size_t lines;
};

typedef void write_lines(struct records *r);

int64_t *
records_deltas(const struct comparison *c, int64_t ns)
{
	size_t n = c->match.row_count;
	wide *values = mem_resize(NULL, n + ACCOUNT_PARTS, sizeof(*values));
	int64_t *rounded =
	    mem_resize(NULL, n + ACCOUNT_PARTS, sizeof(*rounded));
	wide unit = c->terms.scale > 0 ? c->terms.scale * ns : 1;

	for (size_t i = 0; i < n; i++)
		values[i] = c->terms.rows[i].sum;
	for (size_t p = 0; p < ACCOUNT_PARTS; p++)
		values[n + p] = c->terms.idle[p];
	wall_terms_round(
	    values, n + ACCOUNT_PARTS, c->terms.delta, unit, rounded);
	free(values);
	return rounded;
}

static void
begin(struct records *r, const char *kind)
{
	if (r->lines++ > 0)
		text_add_str(r->line.out, r->separator);
	line_fields_begin(&r->line);
	line_fields_text(&r->line, "kind", span_of(kind));
}

static void
add_verdict(struct line_fields *f, const struct verdict *v)
{
	bool any = v->a > 0 && v->b > 0;

	line_fields_text(f, "verdict", span_of(verdict_word(v->word)));
	line_fields_real_if(f, "ratio", any, v->ratio);
	line_fields_real_if(f, "low", any && v->interval, v->low);
	line_fields_real_if(f, "high", any && v->interval, v->high);
	line_fields_real_if(f, "p", any && v->tested, v->p);
	line_fields_real_if(f, "least_p", any && v->tested, v->least);
}

static int64_t
mean_of(const struct wall_terms *t, int side, int64_t sum)
{
	int64_t units = t->units[side];

	/* half up, in integers: a sum may be as long as they are */
	return units > 0 ? sum / units + (sum % units >= units - sum % units)
			 : 0;
}

/* of a unit */
static int64_t
mean(const struct comparison *c, int side, int64_t sum)
{
	return mean_of(&c->terms, side, sum);
}

/* that was found */
static void
add_period(struct line_fields *f, const struct comparison *c)
{
	const struct account *a = c->match.sides[SIDE_A]->count > 0
				      ? c->match.sides[SIDE_A]->all[0]
				      : NULL;

	if (a == NULL || a->period_name.len == 0)
		return;
	line_fields_text(f, "period", a->period_name);
	line_fields_int(f, "every", a->period_every);
	line_fields_real(f, "fit", (double)a->period_fit / 1000);
	line_fields_real(f, "equal", (double)a->period_equal / 1000);
}

static void
write_verdict(struct records *r)
{
	const struct comparison *c = r->c;
	struct line_fields *f = &r->line;
	const struct check_result *refused =
	    comparability_find(&c->checks, CHECK_REFUSED);

	begin(r, "verdict");
	line_fields_text(f, "metric", SPAN("wall"));
	line_fields_int(f, "a", mean(c, SIDE_A, c->terms.wall[SIDE_A]));
	line_fields_int(f, "b", mean(c, SIDE_B, c->terms.wall[SIDE_B]));
	line_fields_int(f, "delta", wall_terms_ns(&c->terms, c->terms.delta));
	add_verdict(f, &c->wall);
	if (refused != NULL)
		line_fields_text(f, "reason", refused->says);
	else if (c->wall.help != NULL)
		line_fields_text(f, "reason", span_of(c->wall.help));
	line_fields_text(f, "unit", span_of(account_by_name(comparison_by(c))));
	add_period(f, c);
	line_fields_int(f, "units_a", c->terms.units[SIDE_A]);
	line_fields_int(f, "units_b", c->terms.units[SIDE_B]);
	line_fields_int(f, "n_a", (int64_t)c->match.sides[SIDE_A]->count);
	line_fields_int(f, "n_b", (int64_t)c->match.sides[SIDE_B]->count);
	if (c->pace.known) {
		line_fields_real(f, "work", c->pace.work);
		line_fields_real(f, "pace", c->pace.pace);
	}
	if (c->within) {
		line_fields_real(f, "within", c->within_ratio);
		line_fields_real(f, "within_low", c->within_low);
		line_fields_real(f, "within_high", c->within_high);
	}
	line_fields_int(f, "suspects", c->suspects);
	line_fields_end(f);
}

static void
write_checks(struct records *r)
{
	static const char *const states[] = {"same", "differs", "unknown"};

	for (size_t i = 0; i < r->c->checks.count; i++) {
		const struct check_result *k = &r->c->checks.all[i];

		begin(r, "check");
		line_fields_text(&r->line, "name", span_of(k->name));
		line_fields_text(&r->line, "state", span_of(states[k->state]));
		line_fields_text(&r->line, "a", k->a);
		line_fields_text(&r->line, "b", k->b);
		if (k->state == CHECK_DIFFERS && k->says.len > 0)
			line_fields_text(&r->line, "says", k->says);
		line_fields_end(&r->line);
	}
}

static int
by_wall(const void *x, const void *y)
{
	double a = comparison_wall(*(const struct account *const *)x);
	double b = comparison_wall(*(const struct account *const *)y);

	return (a > b) - (a < b);
}

/* the recordings of a side, the fastest first */
static void
write_units(struct records *r)
{
	for (int side = 0; side < SIDES; side++) {
		const struct accounts *all = r->c->match.sides[side];
		struct account **order =
		    mem_resize(NULL, all->count + 1, sizeof(struct account *));

		memcpy(order, all->all, all->count * sizeof(struct account *));
		qsort(order, all->count, sizeof(struct account *), by_wall);
		for (size_t i = 0; i < all->count; i++) {
			begin(r, "unit");
			line_fields_text(&r->line, "side",
			    side == SIDE_A ? SPAN("a") : SPAN("b"));
			line_fields_int(
			    &r->line, "units", (int64_t)order[i]->unit_count);
			line_fields_int(
			    &r->line, "left_out", order[i]->left_out);
			line_fields_int(&r->line, "wall",
			    (int64_t)comparison_wall(order[i]));
			line_fields_end(&r->line);
		}
		free(order);
	}
}

static void
write_parts(struct records *r)
{
	const struct wall_terms *t = &r->c->terms;

	for (int p = 0; p < ACCOUNT_PARTS; p++) {
		wide delta = (wide)t->parts[SIDE_B][p] * t->units[SIDE_A] -
			     (wide)t->parts[SIDE_A][p] * t->units[SIDE_B];

		begin(r, "part");
		line_fields_text(&r->line, "name",
		    span_of(account_part_name((enum account_part)p)));
		line_fields_int(
		    &r->line, "a", mean(r->c, SIDE_A, t->parts[SIDE_A][p]));
		line_fields_int(
		    &r->line, "b", mean(r->c, SIDE_B, t->parts[SIDE_B][p]));
		line_fields_int(&r->line, "delta",
		    p < PART_SYNC
			? wall_terms_ns(t, delta)
			: r->deltas[r->c->match.row_count + (size_t)p]);
		line_fields_end(&r->line);
	}
}

static const char *
term_key(enum term k)
{
	return k == TERM_PER_CALL ? "per_call" : wall_terms_name(k);
}

/* What per call is the sum of, where launches have grids. */
static void
add_shapes(
    struct records *r, const struct wall_terms_row *row, int64_t per_call)
{
	wide values[] = {row->shape, row->all[TERM_PER_CALL] - row->shape};
	wide scale = r->c->terms.scale;
	int64_t rounded[2];

	if (!row->by_grid) {
		line_fields_none(&r->line, "shape");
		line_fields_none(&r->line, "same_shape");
		return;
	}
	wall_terms_round(values, 2, (wide)per_call * scale, scale, rounded);
	line_fields_int(&r->line, "shape", rounded[0]);
	line_fields_int(&r->line, "same_shape", rounded[1]);
}

static void
add_terms(struct records *r, size_t i)
{
	const struct wall_terms_row *row = &r->c->terms.rows[i];
	int64_t rounded[TERMS];
	wide scale = r->c->terms.scale;

	wall_terms_round(row->all, TERMS, (wide)r->deltas[i] * scale,
	    scale > 0 ? scale : 1, rounded);
	for (int k = 0; k < TERMS; k++)
		line_fields_int(&r->line, term_key((enum term)k), rounded[k]);
	add_shapes(r, row, rounded[TERM_PER_CALL]);
}

static void
add_sides(struct records *r, const struct match_row *m)
{
	static const char *const names[SIDES][3] = {
	    {"a", "launches_a", "exposed_a"}, {"b", "launches_b", "exposed_b"}};

	for (int side = 0; side < SIDES; side++) {
		const struct account_sum *on = &m->on[side];

		line_fields_real_if(&r->line, names[side][0], on->n > 0,
		    (double)on->dur / (double)on->n);
		line_fields_real_if(&r->line, names[side][1],
		    r->c->terms.units[side] > 0,
		    (double)on->n / (double)r->c->terms.units[side]);
		line_fields_int(
		    &r->line, names[side][2], mean(r->c, side, on->exposed));
	}
}

static void
write_row(struct records *r, size_t i)
{
	const struct match_row *m = &r->c->match.rows[i];
	const struct comparison_row *row = &r->c->rows[i];
	struct line_fields *f = &r->line;

	begin(r, "row");
	line_fields_text(f, "name", m->name);
	if (m->kind == KIND_range)
		line_fields_none(f, "category");
	else
		line_fields_text(f, "category",
		    span_of(account_part_name((enum account_part)m->group)));
	line_fields_int(f, "level", match_level(m));
	add_sides(r, m);
	line_fields_int(f, "delta", r->deltas[i]);
	add_terms(r, i);
	add_verdict(f, &row->verdict);
	if (r->c->checks.clock > 0 && !sections_has_clock(r->c, m))
		line_fields_none(f, "at_equal_clock");
	else if (r->c->checks.clock > 0)
		line_fields_real(
		    f, "at_equal_clock", sections_at_equal_clock(r->c, m));
	line_fields_text(f, "suspect", row->suspect ? SPAN("yes") : SPAN("no"));
	line_fields_real_if(
	    f, "widths", row->control.count > 0, row->control.widths);
	line_fields_int(f, "controls", (int64_t)row->control.count);
	line_fields_end(f);
}

static void
write_rows(struct records *r)
{
	for (size_t i = 0; i < r->c->match.row_count; i++)
		write_row(r, r->c->order[i]);
}

/* the values of a range on one side */
static void
add_range(struct records *r, const struct host_row *h, int side)
{
	static const char *const names[SIDES][2] = {
	    {"exposed_a", "idle_a"}, {"exposed_b", "idle_b"}};

	line_fields_int(
	    &r->line, names[side][0], mean(r->c, side, h->on[side].exposed));
	line_fields_int(
	    &r->line, names[side][1], mean(r->c, side, h->on[side].idle));
}

/* calls and ranges of the host, per unit */
static void
write_host(struct records *r)
{
	const struct comparison *c = r->c;

	for (size_t i = 0; i < c->host.count; i++) {
		const struct host_row *h = &c->host.all[i];
		wide delta = (wide)h->on[SIDE_B].dur * c->terms.units[SIDE_A] -
			     (wide)h->on[SIDE_A].dur * c->terms.units[SIDE_B];

		begin(r, h->kind == KIND_range ? "range" : "call");
		line_fields_text(&r->line, "name", h->name);
		line_fields_int(
		    &r->line, "a", mean(c, SIDE_A, h->on[SIDE_A].dur));
		line_fields_int(
		    &r->line, "b", mean(c, SIDE_B, h->on[SIDE_B].dur));
		line_fields_int(
		    &r->line, "delta", wall_terms_ns(&c->terms, delta));
		line_fields_real(&r->line, "calls_a",
		    (double)h->on[SIDE_A].n / (double)c->terms.units[SIDE_A]);
		line_fields_real(&r->line, "calls_b",
		    (double)h->on[SIDE_B].n / (double)c->terms.units[SIDE_B]);
		for (int side = 0; side < SIDES && h->kind == KIND_range;
		     side++)
			add_range(r, h, side);
		line_fields_end(&r->line);
	}
}

/* the terms of a device, which add up to its difference */
static void
write_device(struct records *r, const struct device_term *d)
{
	const struct wall_terms *t = &d->terms;
	int64_t rounded[TERMS_AND_PARTS];
	struct line_fields *f = &r->line;

	wall_terms_round_all(t, 1, rounded);
	begin(r, "device");
	if (d->rank != NO_ID)
		line_fields_int(f, "rank", d->rank);
	line_fields_int(f, "device", d->device);
	line_fields_text(f, "name", d->name);
	for (int side = 0; side < SIDES; side++)
		line_fields_int(f, side == SIDE_A ? "a" : "b",
		    mean_of(t, side, t->wall[side]));
	line_fields_int(f, "delta", wall_terms_ns(t, t->delta));
	for (size_t k = 0; k < TERMS; k++)
		line_fields_int(f, term_key((enum term)k), rounded[k]);
	for (size_t p = PART_SYNC; p < ACCOUNT_PARTS; p++)
		line_fields_int(f, account_part_name((enum account_part)p),
		    rounded[TERMS + p]);
	line_fields_end(f);
}

static void
write_devices(struct records *r)
{
	for (size_t i = 0; i < r->c->devices.count; i++)
		write_device(r, &r->c->devices.all[i]);
}

static write_lines *const kinds[] = {write_verdict, write_checks, write_units,
    write_parts, write_devices, write_rows, write_host};

static size_t
kind_count(const struct comparison *c)
{
	return comparison_refused(c) ? 2 : sizeof(kinds) / sizeof(*kinds);
}

void
records_ndjson(struct text *t, const struct comparison *c)
{
	struct records r = {c, records_deltas(c, 1),
	    {.out = t, .form = LINE_FIELDS_JSON}, "\n", 0};

	for (size_t i = 0; i < kind_count(c); i++)
		kinds[i](&r);
	text_add_char(t, '\n');
	free(r.deltas);
}

void
records_json(struct text *t, const struct comparison *c)
{
	static const char *const names[] = {
	    "verdict", "checks", "units", "parts", "devices", "rows", "host"};
	struct records r = {c, records_deltas(c, 1),
	    {.out = t, .form = LINE_FIELDS_JSON}, ",\n  ", 0};

	text_add_char(t, '{');
	for (size_t i = 0; i < kind_count(c); i++) {
		text_printf(t, "%s\"%s\":[\n  ", i > 0 ? ",\n" : "", names[i]);
		r.lines = 0;
		kinds[i](&r);
		text_add_char(t, ']');
	}
	text_add_str(t, "}\n");
	free(r.deltas);
}

static void
write_table(
    struct text *t, const struct comparison *c, enum line_fields_form form)
{
	struct records r = {
	    c, records_deltas(c, 1), {.out = t, .form = form}, "", 0};

	if (c->match.row_count > 0 && !comparison_refused(c)) {
		r.line.titles = true;
		write_row(&r, 0);
		r.line.titles = false;
		write_rows(&r);
	}
	free(r.deltas);
}

void
records_csv(struct text *t, const struct comparison *c)
{
	write_table(t, c, LINE_FIELDS_CSV);
}

void
records_tsv(struct text *t, const struct comparison *c)
{
	write_table(t, c, LINE_FIELDS_TSV);
}
