/* diff_tables.c - the tables of a comparison, for documents */

#include <math.h>

#include "diff_tables.h"
#include "tq/show/col.h"

/* a table while it is made */
struct diff_table {
	struct table *t;
	const struct comparison *c;
	struct text cell;
};

/* A column of numbers with the text in d->cell, which is empty then. */
static void
add_number(struct diff_table *d, const char *name)
{
	if (d->t->heading)
		table_column(d->t, name, UNIT_NONE);
	else
		table_text(d->t, text_span(&d->cell));
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
	add_number(d, sections_unit_name(d->c));
}

/* Call row(&d, ...) for the columns. */
#define HEADING(d, row, ...) \
	((d)->t->heading = true, (row)((d), __VA_ARGS__), \
	    (void)((d)->t->heading = false))

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
	struct diff_table d = {t, c, {0}};
	struct sections_sum sum;

	*t = (struct table){.title = "Sum"};
	HEADING(&d, sum_row, "", "", 0);
	sections_sum(&sum, c);
	for (size_t i = 0; i < sum.count; i++)
		sum_row(&d, sum.lines[i].of_per_call ? "of these: " : "",
		    sum.lines[i].name, sum.lines[i].value);
	sum_row(&d, "all of a ", sections_unit_word(c), sum.total);
	text_free(&d.cell);
}

/* ---- rows ---- */

static void
add_launches(struct diff_table *d, const struct match_row *m, int side)
{
	text_printf(&d->cell, "%.4g",
	    (double)m->on[side].n / (double)d->c->terms.units[side]);
	add_number(d, side == SIDE_A ? "Launches A" : "B");
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
		sections_add_number(&d->cell, llround(mean(m, side)));
	add_number(d, side == SIDE_A ? "Mean us A" : "B");
}

static void
rows_row(struct diff_table *d, const char *title, size_t i, int64_t delta)
{
	const struct match_row *m = &d->c->match.rows[i];

	text_add_span(&d->cell, m->name);
	add_text(d, title);
	add_delta(d, delta);
	for (int side = 0; side < SIDES; side++)
		add_launches(d, m, side);
	for (int side = 0; side < SIDES; side++)
		add_mean(d, m, side);
	if (m->on[SIDE_A].dur > 0 && m->on[SIDE_A].n > 0 && m->on[SIDE_B].n > 0)
		sections_add_percent(
		    &d->cell, mean(m, SIDE_B) / mean(m, SIDE_A));
	add_number(d, "Change");
	if (d->c->checks.clock > 0) {
		if (sections_has_clock(d->c, m))
			sections_add_percent(
			    &d->cell, sections_at_equal_clock(d->c, m));
		add_number(d, "At equal clock");
	}
	sections_add_note(&d->cell, d->c, i);
	add_text(d, "");
}

/* "5 others", and what they contribute */
static void
others_row(struct diff_table *d, size_t others, int64_t delta)
{
	text_printf(&d->cell, "%zu others", others);
	add_text(d, NULL);
	add_delta(d, delta);
	while (d->t->filled < d->t->column_count)
		table_empty(d->t);
}

void
diff_tables_rows(struct table *t, const struct comparison *c,
    const int64_t *deltas, enum sections_table table, size_t most)
{
	struct diff_table d = {t, c, {0}};
	struct sections_rows r;

	sections_rows(&r, c, deltas, table, most);
	*t = (struct table){.title = r.title};
	if (r.count > 0)
		HEADING(&d, rows_row, r.title, r.rows[0], 0);
	for (size_t i = 0; i < r.count; i++)
		rows_row(&d, r.title, r.rows[i], deltas[r.rows[i]]);
	if (r.hidden > 0)
		others_row(&d, r.hidden, r.others);
	sections_rows_free(&r);
	text_free(&d.cell);
}

/* ---- devices ---- */

static void
device_row(struct diff_table *d, const struct sections_devices *all, size_t i)
{
	sections_add_device(&d->cell, d->c, i);
	add_text(d, "Device");
	add_delta(d, all->all[i].total);
	for (size_t k = 0; k < TERMS_AND_PARTS; k++)
		if (all->has[k]) {
			sections_add_signed(&d->cell, all->all[i].values[k]);
			add_number(d, sections_term_name(k));
		}
}

void
diff_tables_devices(struct table *t, const struct comparison *c, size_t most)
{
	struct diff_table d = {t, c, {0}};
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
		text_printf(&d.cell, "%zu others", all.count - 1 - last);
		add_text(&d, NULL);
		while (t->filled < t->column_count)
			table_empty(t);
		device_row(&d, &all, all.count - 1);
	}
	sections_devices_free(&all);
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
