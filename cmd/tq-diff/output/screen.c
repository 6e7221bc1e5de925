/* screen.c - a comparison on one screen */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "match/path_rows.h"
#include "records.h"
#include "screen.h"
#include "sections.h"
#include "tq/show/display.h"
#include "tq/show/escape.h"

enum { NAME_WIDTH = 44, TERM_WIDTH = 11 };

/* ---- parts ---- */

/* the first steps of processes, which do not count */
static int64_t
left_out(const struct comparison *c)
{
	int64_t sum = 0;

	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < c->match.sides[side]->count; r++)
			sum += c->match.sides[side]->all[r]->left_out;
	return sum;
}

static void
add_head(struct text *t, const struct comparison *c)
{
	size_t n[SIDES] = {
	    c->match.sides[SIDE_A]->count, c->match.sides[SIDE_B]->count};
	struct text scratch = {0};

	sections_add_verdict(&scratch, c);
	text_add_str(t, "verdict    ");
	escape_terminal(t, text_span(&scratch));
	scratch.len = 0;
	text_printf(t, "\nsides      %zu and %zu recordings, %lld and %lld %ss",
	    n[SIDE_A], n[SIDE_B], (long long)c->terms.units[SIDE_A],
	    (long long)c->terms.units[SIDE_B], sections_unit_word(c));
	text_add_str(
	    t, left_out(c) > 0 ? " without the first of each process\n" : "\n");
	sections_add_period(&scratch, c);
	if (scratch.len > 0) {
		text_add_str(t, "period     ");
		escape_terminal(t, text_span(&scratch));
		text_add_char(t, '\n');
	}
	text_free(&scratch);
	if (c->pace.known && comparison_by(c) == ACCOUNT_BY_SPAN) {
		text_printf(t, "pace       ");
		sections_add_percent(t, c->pace.pace);
		text_printf(t, ", work %.2f\n", c->pace.work);
	}
	if (c->within) {
		text_printf(t, "within     %ss within these two recordings: ",
		    sections_unit_word(c));
		sections_add_percent(t, c->within_ratio);
		text_printf(t, ", %+.2f to %+.2f %%\n",
		    (c->within_low - 1) * 100, (c->within_high - 1) * 100);
	}
}

/* A text cut to width columns: percent of it is of its beginning. */
static void
add_cut(struct text *t, struct span s, size_t width, unsigned percent)
{
	struct text clean = {0};

	escape_terminal(&clean, s);
	display_add_cut(t, text_span(&clean), width, percent, "...");
	text_free(&clean);
}

/* A path; its end if it is long. */
static void
add_end(struct text *t, struct span path, size_t width)
{
	add_cut(t, path, width, 0);
}

static void
add_short(struct text *t, struct span s, size_t width)
{
	add_cut(t, s, width, 100);
}

static void
add_checks(struct text *t, const struct comparison *c)
{
	for (size_t i = 0; i < c->checks.count; i++) {
		const struct check_result *k = &c->checks.all[i];

		if (k->state != CHECK_DIFFERS)
			continue;
		text_printf(t, "%-10s ", k->name);
		if ((k->a.len > 0 || k->b.len > 0) && !k->in_full) {
			add_short(t, k->a, 60);
			if (!span_eq(k->a, k->b)) {
				text_add_str(t, " | ");
				add_short(t, k->b, 60);
			}
			text_add_str(t, k->says.len > 0 ? ": " : "");
		}
		escape_terminal(t, k->says);
		text_add_char(t, '\n');
	}
}

/* ---- the sum ---- */

static void
add_sum(struct text *t, const struct comparison *c)
{
	struct sections_sum sum;

	sections_sum(&sum, c);
	text_add_char(t, '\n');
	sections_add_signed(t, sum.total);
	text_printf(t, " %s a %s on the mean =\n", sections_unit_name(c),
	    sections_unit_word(c));
	for (size_t i = 0; i < sum.count; i++) {
		text_printf(t,
		    sum.lines[i].of_per_call ? "    %-10s " : "  %-12s ",
		    sum.lines[i].name);
		sections_add_signed(t, sum.lines[i].value);
		text_add_char(t, '\n');
	}
}

/* ---- rows ---- */

/* A name and the grid behind it, which is not cut. */
static void
add_grid_name(struct text *t, struct span name, size_t grid)
{
	add_short(t, (struct span){name.p, name.len - grid}, NAME_WIDTH - 20);
	text_add_str(t, name.len - grid > NAME_WIDTH - 20 ? " " : "");
	text_add(t, name.p + name.len - grid, grid);
}

static void
add_column(struct text *t, struct text *cell, size_t width)
{
	display_add_right(t, text_span(cell), width);
	cell->len = 0;
}

static void
add_launches(struct text *t, const struct comparison *c,
    const struct match_row *m, int side)
{
	double n = (double)m->on[side].n / (double)c->terms.units[side];

	text_printf(t, n < 99.95 && n != floor(n) ? "%.1f" : "%.0f", n);
}

static void
add_row(struct text *t, const struct comparison *c, size_t i, int64_t delta)
{
	const struct match_row *m = &c->match.rows[i];
	bool both =
	    m->on[SIDE_A].n > 0 && m->on[SIDE_B].n > 0 && m->on[SIDE_A].dur > 0;
	struct text cell = {0};
	double means[SIDES];

	sections_add_signed(&cell, delta);
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
			sections_add_number(
			    &cell, (int64_t)llround(means[side]));
		add_column(t, &cell, 12);
	}
	if (both)
		sections_add_percent(&cell, means[SIDE_B] / means[SIDE_A]);
	add_column(t, &cell, 11);
	if (c->checks.clock > 0) {
		if (sections_has_clock(c, m))
			sections_add_percent(
			    &cell, sections_at_equal_clock(c, m));
		add_column(t, &cell, 16);
	}
	text_add_str(t, "  ");
	if (m->kind == KIND_range)
		add_end(t, m->name, NAME_WIDTH + 20);
	else if (c->match.by == MATCH_BY_GRID && m->grids > 0)
		add_grid_name(t, m->name, c->match.grids[m->grid].grid.len);
	else
		add_short(t, m->name, NAME_WIDTH);
	sections_add_note(&cell, c, i);
	if (cell.len > 0) {
		text_add_str(t, "  ");
		escape_terminal(t, text_span(&cell));
	}
	text_add_char(t, '\n');
	text_free(&cell);
}

/* ---- a table ---- */

static void
add_table(struct text *t, const struct comparison *c, const int64_t *deltas,
    enum sections_table table, size_t most)
{
	struct sections_rows r;
	struct text cell = {0};

	sections_rows(&r, c, deltas, table, most);
	if (r.count > 0)
		text_printf(t, "\n%11s%14s%24s%11s%s  %s\n",
		    sections_unit_name(c), "Launches", "Mean us", "Change",
		    c->checks.clock > 0 ? "  At equal clock" : "", r.title);
	for (size_t i = 0; i < r.count; i++)
		add_row(t, c, r.rows[i], deltas[r.rows[i]]);
	if (r.hidden > 0) {
		sections_add_signed(&cell, r.others);
		add_column(t, &cell, 11);
		text_printf(t, "%51s%zu others\n", "", r.hidden);
	}
	text_free(&cell);
	sections_rows_free(&r);
}

/* ---- devices ---- */

static void
add_device(struct text *t, const struct comparison *c,
    const struct sections_devices *d, size_t i)
{
	struct text cell = {0};

	sections_add_signed(&cell, d->all[i].total);
	add_column(t, &cell, 11);
	for (size_t k = 0; k < TERMS_AND_PARTS; k++)
		if (d->has[k]) {
			sections_add_signed(&cell, d->all[i].values[k]);
			add_column(t, &cell, TERM_WIDTH);
		}
	text_add_str(t, "  ");
	sections_add_device(&cell, c, i);
	add_short(t, text_span(&cell), NAME_WIDTH);
	text_add_char(t, '\n');
	text_free(&cell);
}

static void
add_devices(struct text *t, const struct comparison *c)
{
	struct sections_devices d;

	sections_devices(&d, c);
	if (d.count > 0) {
		text_printf(t, "\n%11s", sections_unit_name(c));
		for (size_t k = 0; k < TERMS_AND_PARTS; k++)
			if (d.has[k])
				text_printf(t, "%*s", TERM_WIDTH,
				    sections_term_name(k));
		text_add_str(t, "  Device\n");
	}
	for (size_t i = 0; i < d.count; i++)
		add_device(t, c, &d, i);
	sections_devices_free(&d);
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

/* Those that changed most, by 1 % of the wall at least. */
static void
add_host(struct text *t, const struct comparison *c)
{
	wide below = c->terms.scale * INT64_MAX, delta;
	double least = 0.01 * c->wall.a * (double)c->terms.scale;
	const struct host_row *h;
	struct text cell = {0};

	for (int i = 0; i < HOST_SHOWN; i++) {
		h = largest(c, below);
		if (h == NULL)
			break;
		delta = host_delta(c, h);
		below = delta < 0 ? -delta : delta;
		if ((double)below < least)
			break;
		if (i == 0)
			text_printf(
			    t, "\n%11s  On the host\n", sections_unit_name(c));
		sections_add_signed(
		    &cell, wall_terms_ns(&c->terms, delta) / sections_unit(c));
		add_column(t, &cell, 11);
		if (h->kind == KIND_range) {
			text_add_str(t, "  range ");
			path_rows_add_name(&cell, h->name);
			add_end(t, text_span(&cell), NAME_WIDTH + 20);
			cell.len = 0;
		} else {
			text_add_str(t, "  call ");
			add_short(t, h->name, NAME_WIDTH);
		}
		text_add_char(t, '\n');
	}
	text_free(&cell);
}

/*
 * The operations of a row as an expression of tq-filter: false if no short one
 * finds them in the recordings of both sides.
 */
static bool
add_expression(struct text *t, const struct match *m, const struct match_row *r)
{
	const struct span copy = SPAN("[CUDA memcpy ");
	bool base = m->by == MATCH_BY_BASE;
	struct span name = r->name;

	if ((!base && m->by != MATCH_BY_NAME && m->by != MATCH_BY_GRID) ||
	    r->level > (base ? MATCH_BASE : MATCH_FULL) ||
	    name.len > NAME_WIDTH)
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (strchr("'\"\\", name.p[i]) != NULL)
			return false;
	if (r->kind == KIND_memset) {
		text_add_str(t, "kind == \"memset\"");
		return true;
	}
	if (r->kind == KIND_memcpy && span_begins(name, copy)) {
		text_add_str(t, "kind == \"memcpy\" and copy == \"");
		name =
		    (struct span){name.p + copy.len, name.len - copy.len - 1};
	} else if (r->kind == KIND_kernel) {
		if (!base) {
			text_add_str(t, "demangled == \"");
			text_add_visible(t, name, "");
			text_add_str(t, "\" or ");
		}
		text_add_str(t, "name == \"");
	} else {
		return false;
	}
	text_add_visible(t, name, "");
	text_add_char(t, '"');
	return true;
}

/* the first suspect, as a command */
static void
add_look(struct text *t, const struct comparison *c)
{
	for (size_t i = 0; i < c->match.row_count; i++) {
		size_t row = c->order[i], len = t->len;

		if (!c->rows[row].suspect)
			continue;
		text_add_str(t, "\nlook at    tq-filter '");
		if (add_expression(t, &c->match, &c->match.rows[row])) {
			text_add_str(t, "' of both\n");
			return;
		}
		t->len = len;
	}
}

void
screen_add(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	bool launches = comparison_by(c) == ACCOUNT_BY_LAUNCH;
	int64_t *deltas;

	add_head(t, c);
	add_checks(t, c);
	if (comparison_refused(c))
		return;
	if (!launches) {
		add_sum(t, c);
		add_devices(t, c);
	}
	deltas = records_deltas(c, sections_unit(c));
	for (int table = 0; table < SECTIONS_TABLES; table++)
		if (table != SECTIONS_SAME || launches)
			add_table(
			    t, c, deltas, (enum sections_table)table, s->rows);
	free(deltas);
	if (!launches)
		add_host(t, c);
	add_look(t, c);
}
