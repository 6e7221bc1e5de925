/* diff_tables.c - the tables of a comparison */

#include <math.h>
#include <stdlib.h>

#include "diff_tables.h"
#include "match/path_rows.h"
#include "records.h"
#include "tq/base/time.h"
#include "tq/show/amount.h"
#include "tq/show/cells.h"
#include "tq/show/col.h"

enum {
	DELTA = 11, /* columns of a screen */
	LAUNCHES = 5,
	MEAN = 10,
	CHANGE = 9,
	TERM = 9,
	NAME = 44,
	GRID_NAME = 24, /* before a grid, which is not cut */
	PATH = 64
};

/* a table while it is made */
struct diff_table {
	struct table *t;
	const struct comparison *c;
	bool screen;
	struct text cell;
};

/* A column of numbers with the text in d->cell, which is empty then. */
static void
add_number(struct diff_table *d, const char *name, size_t least)
{
	col_digits(d->t, name, text_span(&d->cell));
	if (d->t->heading)
		d->t->columns[d->t->column_count - 1].least = least;
	d->cell.len = 0;
}

/* The same of a column of texts. */
static void
add_text(struct diff_table *d, const char *name)
{
	col_text(d->t, name, text_span(&d->cell));
	d->cell.len = 0;
}

static void
add_delta(struct diff_table *d, int64_t v)
{
	sections_add_signed(&d->cell, v);
	add_number(d, sections_unit_name(d->c), DELTA);
}

/* Call row(&d, ...) for the columns. */
#define HEADING(d, row, ...) \
	((d)->t->heading = true, (row)((d), __VA_ARGS__), \
	    (void)((d)->t->heading = false))

/* ---- the summary ---- */

/* the first steps of processes, which do not count */
static int64_t
left_out(const struct comparison *c)
{
	int64_t sum = 0;

	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < c->match.sides[side]->count; r++)
			sum = time_end(
			    sum, c->match.sides[side]->all[r]->left_out);
	return sum;
}

static void
add_sides(struct text *t, const struct comparison *c)
{
	const struct accounts *const *sides = c->match.sides;

	text_printf(t, "%zu and %zu recordings, %lld and %lld %ss%s",
	    sides[SIDE_A]->count, sides[SIDE_B]->count,
	    (long long)c->terms.units[SIDE_A],
	    (long long)c->terms.units[SIDE_B], sections_unit_word(c),
	    left_out(c) > 0 ? " without the first of each process" : "");
}

/* A line with the text in d->cell, if it has one. */
static void
summary_row(struct diff_table *d, const char *name)
{
	if (d->cell.len == 0 && !d->t->heading)
		return;
	col_text(d->t, "", span_of(name));
	add_text(d, "");
}

void
diff_tables_summary(struct table *t, const struct comparison *c)
{
	struct diff_table d = {.t = t, .c = c};

	*t = (struct table){.title = "Summary"};
	HEADING(&d, summary_row, "");
	add_sides(&d.cell, c);
	summary_row(&d, "sides");
	sections_add_period(&d.cell, c);
	summary_row(&d, "period");
	if (c->pace.known && comparison_by(c) == ACCOUNT_BY_SPAN) {
		amount_change(&d.cell, c->pace.pace);
		text_printf(&d.cell, ", work %.2f", c->pace.work);
	}
	summary_row(&d, "pace");
	if (c->within) {
		text_printf(&d.cell, "by the %ss of these two recordings: ",
		    sections_unit_word(c));
		amount_change_range(&d.cell, c->within_low, c->within_high);
	}
	summary_row(&d, "within");
	text_free(&d.cell);
}

/* ---- the sum ---- */

static void
sum_row(struct diff_table *d, const char *before, const char *name, int64_t v)
{
	text_printf(&d->cell, "%s%s", before, name);
	add_text(d, "Sum");
	add_delta(d, v);
}

void
diff_tables_sum(struct table *t, const struct comparison *c)
{
	struct diff_table d = {.t = t, .c = c};
	struct sections_sum sum;

	*t = (struct table){.title = "Sum"};
	HEADING(&d, sum_row, "", "", 0);
	sections_sum(&sum, c);
	for (size_t i = 0; i < sum.count; i++)
		sum_row(&d, sum.lines[i].of_line ? "of these: " : "",
		    sum.lines[i].name, sum.lines[i].value);
	sum_row(&d, "all of a ", sections_unit_word(c), sum.total);
	text_free(&d.cell);
}

/* ---- rows ---- */

/* The titles of both columns of a pair, the sides. */
static const char *
pair_title(
    const struct diff_table *d, int side, const char *both, const char *a)
{
	if (d->screen)
		return side == SIDE_A ? "" : both;
	return side == SIDE_A ? a : "B";
}

static void
add_launches(struct diff_table *d, const struct match_row *m, int side)
{
	double n = (double)m->on[side].n / (double)d->c->terms.units[side];

	text_printf(&d->cell, n == floor(n) || n >= 99.95 ? "%.0f" : "%.1f", n);
	if (match_on_host(&d->c->match))
		add_number(
		    d, pair_title(d, side, "Calls", "Calls A"), LAUNCHES);
	else
		add_number(
		    d, pair_title(d, side, "Launches", "Launches A"), LAUNCHES);
}

static double
mean(const struct match_row *m, int side)
{
	return (double)m->on[side].dur / (double)m->on[side].n;
}

static void
add_mean(struct diff_table *d, const struct match_row *m, int side)
{
	if (m->on[side].n > 0)
		cells_add_fixed(&d->cell, llround(mean(m, side)), 3);
	add_number(d, pair_title(d, side, "Mean us", "Mean us A"), MEAN);
}

/* A name as wide as a screen has room for it. */
static void
add_cut_name(struct diff_table *d, const struct match_row *m)
{
	bool by_grid = d->c->match.by == MATCH_BY_GRID && m->grids > 0;
	size_t grid = by_grid ? d->c->match.grids[m->grid].grid.len : 0;
	struct span name = {m->name.p, m->name.len - grid};

	if (m->kind == KIND_range)
		sections_add_end(&d->cell, m->name, PATH);
	else
		sections_add_cut(&d->cell, name, by_grid ? GRID_NAME : NAME);
	if (m->kind == KIND_range || !by_grid)
		return;
	text_add_str(&d->cell, name.len > GRID_NAME ? " " : "");
	text_add(&d->cell, name.p + name.len, grid);
}

static void
rows_row(struct diff_table *d, const char *title, size_t i, int64_t delta)
{
	const struct match_row *m = &d->c->match.rows[i];

	if (!d->screen) {
		text_add_span(&d->cell, m->name);
		add_text(d, title);
	}
	add_delta(d, delta);
	for (int side = 0; side < SIDES; side++)
		add_launches(d, m, side);
	for (int side = 0; side < SIDES; side++)
		add_mean(d, m, side);
	if (m->on[SIDE_A].dur > 0 && m->on[SIDE_A].n > 0 && m->on[SIDE_B].n > 0)
		amount_change(&d->cell, mean(m, SIDE_B) / mean(m, SIDE_A));
	add_number(d, "Change", CHANGE);
	if (d->c->checks.clock > 0) {
		if (sections_has_clock(d->c, m))
			amount_change(
			    &d->cell, sections_at_equal_clock(d->c, m));
		add_number(d, "At equal clock", 0);
	}
	if (d->screen) {
		add_cut_name(d, m);
		text_add_str(&d->cell, "  ");
	}
	sections_add_note(&d->cell, d->c, i);
	add_text(d, d->screen ? title : "");
}

static void
add_others(struct diff_table *d, size_t others)
{
	text_printf(&d->cell, "%zu others", others);
	add_text(d, NULL);
}

/* "5 others", and what they contribute */
static void
others_row(struct diff_table *d, size_t others, int64_t delta)
{
	if (!d->screen)
		add_others(d, others);
	add_delta(d, delta);
	while (d->t->filled + d->screen < d->t->column_count)
		table_text(d->t, SPAN(""));
	if (d->screen)
		add_others(d, others);
}

size_t
diff_tables_rows(struct table *t, const struct comparison *c,
    const int64_t *deltas, enum sections_table table,
    const struct diff_look *look)
{
	struct diff_table d = {.t = t, .c = c, .screen = look->screen};
	struct sections_rows r;

	sections_rows(&r, c, deltas, table, look->most);
	*t = (struct table){.title = r.title};
	if (r.count > 0)
		HEADING(&d, rows_row, r.title, r.rows[0], 0);
	for (size_t i = 0; i < r.count; i++)
		rows_row(&d, r.title, r.rows[i], deltas[r.rows[i]]);
	if (r.hidden > 0)
		others_row(&d, r.hidden, r.others);
	sections_rows_free(&r);
	text_free(&d.cell);
	return r.hidden > 0;
}

int
diff_tables_count(const struct comparison *c)
{
	return comparison_by(c) == ACCOUNT_BY_LAUNCH ? SECTIONS_TABLES
						     : SECTIONS_SAME;
}

void
diff_tables_each(struct text *t, const struct comparison *c,
    const struct diff_look *look, diff_tables_add *add)
{
	int64_t *deltas = records_deltas(c, sections_unit(c));
	int count = diff_tables_count(c);
	struct table table;

	for (int i = 0; i < count; i++) {
		size_t sums = diff_tables_rows(
		    &table, c, deltas, (enum sections_table)i, look);

		add(t, &table, sums);
	}
	free(deltas);
}

/* ---- devices ---- */

static void
device_row(struct diff_table *d, const struct sections_devices *all, size_t i)
{
	struct text name = {0};

	sections_add_device(&name, d->c, i);
	if (!d->screen)
		col_text(d->t, "Device", text_span(&name));
	add_delta(d, all->all[i].total);
	for (size_t k = 0; k < TERMS_AND_PARTS; k++)
		if (all->has[k]) {
			sections_add_signed(&d->cell, all->all[i].values[k]);
			add_number(d, sections_term_name(k), TERM);
		}
	if (d->screen) {
		sections_add_cut(&d->cell, text_span(&name), NAME);
		add_text(d, "Device");
	}
	text_free(&name);
}

size_t
diff_tables_devices(
    struct table *t, const struct comparison *c, const struct diff_look *look)
{
	struct diff_table d = {.t = t, .c = c, .screen = look->screen};
	size_t most = look->most;
	struct sections_devices all;
	size_t last;

	*t = (struct table){.title = "Devices"};
	sections_devices(&all, c);
	last = most > 0 && most < all.count ? most : all.count;
	if (all.count > 0)
		HEADING(&d, device_row, &all, 0);
	for (size_t i = 0; i < last; i++)
		device_row(&d, &all, i);
	if (last < all.count) {
		add_others(&d, all.count - 1 - last);
		while (t->filled < t->column_count)
			table_empty(t);
		device_row(&d, &all, all.count - 1);
	}
	sections_devices_free(&all);
	text_free(&d.cell);
	return all.count > 0 ? 1 + (last < all.count) : 0;
}

/* ---- the host ---- */

enum { HOST_SHOWN = 3 };

static wide
host_delta(const struct comparison *c, const struct host_row *h)
{
	return (wide)h->on[SIDE_B].dur * c->terms.units[SIDE_A] -
	       (wide)h->on[SIDE_A].dur * c->terms.units[SIDE_B];
}

/* The call or range whose change is the largest below a limit, or NULL. */
static const struct host_row *
largest(const struct comparison *c, wide below)
{
	const struct host_row *best = NULL;
	wide most = 0;

	for (size_t i = 0; i < c->host.count; i++) {
		wide delta = host_delta(c, &c->host.all[i]);

		delta = delta < 0 ? -delta : delta;
		if (delta > most && delta < below) {
			most = delta;
			best = &c->host.all[i];
		}
	}
	return best;
}

static void
add_host_name(struct diff_table *d, const struct host_row *h)
{
	struct text name = {0}, json = {0};

	if (h->kind == KIND_range) {
		host_rows_add_name(&json, &d->c->host, h);
		path_rows_add_name(&name, text_span(&json));
		text_add_str(&d->cell, "range ");
	} else {
		host_rows_add_name(&name, &d->c->host, h);
		text_add_str(&d->cell, "call ");
	}
	if (!d->screen)
		text_add_span(&d->cell, text_span(&name));
	else if (h->kind == KIND_range)
		sections_add_end(&d->cell, text_span(&name), PATH);
	else
		sections_add_cut(&d->cell, text_span(&name), NAME);
	add_text(d, "On the host");
	text_free(&name);
	text_free(&json);
}

/* of a unit */
static void
add_host_time(struct diff_table *d, const struct host_row *h, int side)
{
	int64_t units = d->c->terms.units[side];
	double ns = units > 0 ? (double)h->on[side].dur / (double)units : 0;

	cells_add_fixed(&d->cell, llround(ns / (double)sections_unit(d->c)), 3);
	add_number(d, side == SIDE_A ? "A" : "B", 0);
}

static void
host_row(struct diff_table *d, const struct host_row *h, int64_t delta)
{
	if (!d->screen)
		add_host_name(d, h);
	add_delta(d, delta);
	for (int side = 0; side < SIDES && !d->screen; side++)
		add_host_time(d, h, side);
	if (d->screen)
		add_host_name(d, h);
}

void
diff_tables_host(struct table *t, const struct comparison *c, bool screen)
{
	wide below = c->terms.scale * INT64_MAX, delta;
	double least = 0.01 * c->wall.a * (double)c->terms.scale;
	struct diff_table d = {.t = t, .c = c, .screen = screen};
	const struct host_row *h;

	*t = (struct table){.title = "On the host"};
	HEADING(&d, host_row, &(struct host_row){0}, 0);
	for (int i = 0; i < HOST_SHOWN; i++) {
		h = largest(c, below);
		if (h == NULL)
			break;
		delta = host_delta(c, h);
		below = delta < 0 ? -delta : delta;
		if ((double)below < least)
			break;
		host_row(&d, h, sections_terms(c, delta));
	}
	text_free(&d.cell);
}

/* ---- checks ---- */

static void
check_row(struct table *t, const struct check_result *k)
{
	col_text(t, "Check", span_of(k->name != NULL ? k->name : ""));
	col_text(t, "A", k->a);
	col_text(t, "B", k->b);
	col_text(t, "", k->state == CHECK_UNKNOWN ? SPAN("unknown") : k->says);
}

void
diff_tables_checks(struct table *t, const struct comparison *c)
{
	*t = (struct table){.title = "Checks"};
	col_heading(t, check_row, &(struct check_result){0});
	for (size_t i = 0; i < c->checks.count; i++)
		if (c->checks.all[i].state != CHECK_SAME)
			check_row(t, &c->checks.all[i]);
}
