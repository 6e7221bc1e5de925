/* comparison.c - two sides compared */

#include <math.h>
#include <stdlib.h>

#include "comparison.h"
#include "matched_work.h"
#include "statistics/discoveries.h"
#include "statistics/mann_whitney.h"
#include "statistics/quantiles.h"
#include "tq/base/array.h"
#include "tq/base/time.h"

static const double ROW_WEIGHT = 0.005; /* of the unit, for a verdict */
static const double ROW_NS = 5000;      /* least effect on a unit */
static const double SCALE_OFF = 0.01;
static const double SAME_SHAPES = 0.9, COPY_OFF = 0.05; /* for a scale */
static const double WORK_SHARE = 0.5; /* of the time, for a pace */
static const double WORK_OFF = 0.02, WORK_SPREAD = 0.05;
static const double SAME_TIME = 0.05; /* of walls that a capture cut */

/*
 * Changes that recordings of one program, minutes apart, do not show: of a unit
 * that both sides repeat, and of a span with all of its start.
 */
static const double LIKELY_UNIT = 0.02, LIKELY_SPAN = 0.25;

enum { WITHIN_UNITS = 3 };

static bool
single(const struct comparison *c)
{
	return c->match.sides[SIDE_A]->count == 1 &&
	       c->match.sides[SIDE_B]->count == 1;
}

enum account_by
comparison_by(const struct comparison *c)
{
	return c->match.sides[SIDE_A]->count > 0
		   ? c->match.sides[SIDE_A]->all[0]->by
		   : ACCOUNT_BY_SPAN;
}

/* ---- the wall ---- */

/* The walls of the units of a recording, each > 0; free(3) them. */
static double *
walls(const struct account *a)
{
	double *all = mem_resize(NULL, a->unit_count + 1, sizeof(*all));

	for (size_t i = 0; i < a->unit_count; i++)
		all[i] = a->units[i].wall > 0 ? (double)a->units[i].wall : 1;
	return all;
}

double
comparison_wall(const struct account *a)
{
	double sum = 0;

	for (size_t i = 0; i < a->unit_count; i++)
		sum += (double)a->units[i].wall;
	return a->unit_count > 0 ? sum / (double)a->unit_count : 0;
}

/* The values of a side that are > 0. */
static size_t
side_walls(const struct accounts *side, double *values)
{
	size_t n = 0;

	for (size_t r = 0; r < side->count; r++) {
		double wall = comparison_wall(side->all[r]);

		if (wall > 0)
			values[n++] = wall;
	}
	return n;
}

/* The mean wall of a unit of a side. */
static double
mean_wall(const struct comparison *c, int side)
{
	int64_t units = c->terms.units[side];

	return units > 0 ? (double)c->terms.wall[side] / (double)units : 0;
}

static void
cannot_tell(struct comparison *c, const char *help)
{
	c->wall.word = VERDICT_CANNOT_TELL;
	c->wall.help = help;
}

/* The estimate is what the terms add up to. */
static void
compare_means(struct comparison *c, const struct comparison_settings *s)
{
	const struct accounts *const *sides = c->match.sides;
	double *a = mem_resize(NULL, sides[SIDE_A]->count + 1, sizeof(*a));
	double *b = mem_resize(NULL, sides[SIDE_B]->count + 1, sizeof(*b));
	size_t na = side_walls(sides[SIDE_A], a);
	size_t nb = side_walls(sides[SIDE_B], b);

	if (na > 0 && nb > 0) {
		verdict_of(&c->wall, a, na, b, nb, s->least_wall, s->noise);
		verdict_estimate(&c->wall, mean_wall(c, SIDE_A),
		    mean_wall(c, SIDE_B), s->least_wall);
	}
	free(a);
	free(b);
}

static void
compare_walls(struct comparison *c, const struct comparison_settings *s)
{
	compare_means(c, s);
	if ((c->checks.limits & CHECK_REFUSED) != 0)
		c->wall.word = VERDICT_NOT_COMPARABLE;
	else if ((c->checks.limits & CHECK_NO_WALL) != 0)
		cannot_tell(
		    c, comparability_find(&c->checks, CHECK_NO_WALL)->says.p);
	else if (c->wall.a <= 0 || c->wall.b <= 0)
		cannot_tell(c, "the units of a side take no time");
	else if (comparison_by(c) == ACCOUNT_BY_LAUNCH)
		cannot_tell(c, single(c) ? "one recording a side"
					 : "launches are compared, no wall");
}

/* Units within one recording: of as many as are independent. */
static double
worth(const double *all, size_t n)
{
	double lag = quantiles_lag(all, n);

	return lag > 0 ? (double)n * (1 - lag) / (1 + lag) : (double)n;
}

static void
compare_within(struct comparison *c)
{
	const struct account *a, *b;
	struct mann_whitney_shift shift;
	double *x, *y, ratio = c->wall.ratio;

	if (!single(c))
		return;
	a = c->match.sides[SIDE_A]->all[0];
	b = c->match.sides[SIDE_B]->all[0];
	if (a->unit_count < WITHIN_UNITS || b->unit_count < WITHIN_UNITS ||
	    a->by == ACCOUNT_BY_SPAN || a->by == ACCOUNT_BY_LAUNCH)
		return;
	x = walls(a);
	y = walls(b);
	shift = mann_whitney_ratio(x, a->unit_count, y, b->unit_count,
	    worth(x, a->unit_count), worth(y, b->unit_count));
	c->within = shift.interval;
	c->within_low = shift.low < ratio ? shift.low : ratio;
	c->within_high = shift.high > ratio ? shift.high : ratio;
	free(x);
	free(y);
}

/* ---- work and pace ---- */

static void
measure_pace(struct comparison *c)
{
	struct comparison_pace *p = &c->pace;
	struct matched_work w = matched_work_of(&c->match, c->terms.units);

	if (!w.known || c->wall.a <= 0 || match_share(&c->match) < WORK_SHARE)
		return;
	p->known = true;
	p->work = w.median;
	p->pace = c->wall.ratio / p->work;
	p->other = fabs(p->work - 1) > WORK_OFF &&
		   w.low > p->work * (1 - WORK_SPREAD) &&
		   w.high < p->work * (1 + WORK_SPREAD);
	p->cut = p->other && fabs(c->wall.ratio - 1) <= SAME_TIME;
	p->other &= !p->cut;
}

static void
compare_pace(struct comparison *c)
{
	enum account_by by = comparison_by(c);

	if (by != ACCOUNT_BY_SPAN && by != ACCOUNT_BY_LAUNCH)
		return;
	measure_pace(c);
	if ((c->checks.limits & (CHECK_REFUSED | CHECK_NO_WALL)) != 0)
		return;
	if (c->pace.cut)
		cannot_tell(c, "both sides were recorded for the same time, "
			       "which measures nothing: see --per");
	else if (c->pace.other)
		cannot_tell(c, "one side did more of the same work: see --per");
}

/* True if spans did the same, as far as that is known. */
static bool
has_equal_work(const struct comparison *c)
{
	if (match_on_host(&c->match) && !c->pace.known)
		return c->match.row_count >= CONTROLS_LEAST;
	return c->pace.known && fabs(c->pace.work - 1) <= WORK_SPREAD;
}

/* What one recording a side makes likely: units are no recordings. */
static void
judge_single(struct comparison *c, double least)
{
	struct verdict *v = &c->wall;
	double likely = c->within ? LIKELY_UNIT : LIKELY_SPAN;
	bool off = c->within ? c->within_low > 1 || c->within_high < 1
			     : has_equal_work(c);

	if (!single(c) || v->tested || v->word != VERDICT_CANNOT_TELL ||
	    v->a <= 0 || v->b <= 0 || c->pace.cut || c->pace.other ||
	    (c->checks.limits & CHECK_NO_WALL) != 0 ||
	    comparison_by(c) == ACCOUNT_BY_LAUNCH)
		return;
	if (off && fabs(log(v->ratio)) >= log(1 + likely) &&
	    fabs(v->ratio - 1) >= least)
		v->word = v->ratio > 1 ? VERDICT_LIKELY_SLOWER
				       : VERDICT_LIKELY_FASTER;
	else if (c->within && c->within_low >= 1 - least &&
		 c->within_high <= 1 + least)
		v->word = VERDICT_NO_CHANGE;
}

/* ---- rows ---- */

static size_t
row_values(
    const struct match *m, const struct match_row *r, int side, double *values)
{
	size_t n = 0;

	for (size_t i = 0; i < m->sides[side]->count; i++)
		if (r->means[side][i] > 0)
			values[n++] = r->means[side][i];
	return n;
}

static bool
weighs(const struct comparison *c, const struct match_row *r)
{
	for (int side = 0; side < SIDES; side++)
		if ((double)r->on[side].dur >=
		    ROW_WEIGHT * (double)c->terms.wall[side])
			return true;
	return false;
}

/* true if the change of a launch moves a unit by so much */
static bool
has_effect(
    const struct comparison *c, size_t i, const struct comparison_settings *s)
{
	const struct match_row *r = &c->match.rows[i];
	double ratio = (double)r->on[SIDE_B].dur / (double)r->on[SIDE_B].n /
		       ((double)r->on[SIDE_A].dur / (double)r->on[SIDE_A].n);
	double ns = (double)c->terms.rows[i].all[TERM_PER_CALL] /
		    (double)c->terms.scale;

	return fabs(ratio - 1) >= s->least_row && fabs(ns) >= ROW_NS;
}

/* Compare the means of a launch; the p-values of rows that weigh enough. */
static size_t
compare_rows(
    struct comparison *c, const struct comparison_settings *s, double *p)
{
	double *values[SIDES];
	size_t tests = 0, n[SIDES];

	for (int side = 0; side < SIDES; side++)
		values[side] = mem_resize(
		    NULL, c->match.sides[side]->count + 1, sizeof(double));
	for (size_t i = 0; i < c->match.row_count; i++) {
		const struct match_row *r = &c->match.rows[i];
		struct comparison_row *row = &c->rows[i];

		if (!match_is_pair(r))
			continue;
		row->weighs = weighs(c, r);
		for (int side = 0; side < SIDES; side++)
			n[side] = row_values(&c->match, r, side, values[side]);
		verdict_of(&row->verdict, values[SIDE_A], n[SIDE_A],
		    values[SIDE_B], n[SIDE_B], s->least_row, 0);
		if (row->weighs && row->verdict.tested)
			p[tests++] = row->verdict.p;
	}
	for (int side = 0; side < SIDES; side++)
		free(values[side]);
	return tests;
}

static void
test_rows(struct comparison *c, const struct comparison_settings *s)
{
	double *p = mem_resize(NULL, c->match.row_count + 1, sizeof(*p));

	discoveries_adjust(p, compare_rows(c, s, p));
	for (size_t i = 0, tests = 0; i < c->match.row_count; i++) {
		struct verdict *v = &c->rows[i].verdict;

		if (!c->rows[i].weighs || !v->tested) {
			v->word = VERDICT_CANNOT_TELL;
			continue;
		}
		v->p = p[tests++];
		if (v->least <= 0.05)
			verdict_decide(v, s->least_row);
		if ((verdict_slower(v) || verdict_faster(v)) &&
		    (!has_effect(c, i, s) ||
			(c->checks.limits & CHECK_NO_ROWS) != 0))
			v->word = VERDICT_CANNOT_TELL;
	}
	free(p);
}

/* ---- controls ---- */

static struct control
mean_control(const struct account_sum on[SIDES], uint32_t row)
{
	return (struct control){
	    .a = (double)on[SIDE_A].dur / (double)on[SIDE_A].n,
	    .b = (double)on[SIDE_B].dur / (double)on[SIDE_B].n,
	    .row = row,
	    .weight = 1,
	};
}

/* Grids of kernels, and rows without one. */
static size_t
collect_controls(const struct match *m, struct control *all)
{
	double *of_row = mem_alloc((m->row_count + 1) * sizeof(*of_row));
	size_t n = 0;

	for (size_t i = 0; i < m->grid_count; i++) {
		const struct match_grid *g = &m->grids[i];

		if (!match_has_grid(g) || !match_is_pair(&m->rows[g->row]) ||
		    g->on[SIDE_A].dur <= 0 || g->on[SIDE_B].dur <= 0)
			continue;
		of_row[g->row]++;
		all[n++] = mean_control(g->on, g->row);
	}
	for (size_t i = 0; i < n; i++)
		all[i].weight = 1 / of_row[all[i].row];
	for (uint32_t i = 0; i < m->row_count; i++)
		if (match_is_pair(&m->rows[i]) && of_row[i] < 1)
			all[n++] = mean_control(m->rows[i].on, i);
	free(of_row);
	return n;
}

static void
judge_rows(struct comparison *c, const struct comparison_settings *s)
{
	const struct match *m = &c->match;
	struct control *all =
	    mem_resize(NULL, m->grid_count + m->row_count + 1, sizeof(*all));
	size_t n = collect_controls(m, all);

	for (uint32_t i = 0; i < m->row_count; i++) {
		struct comparison_row *row = &c->rows[i];
		struct control one;

		c->launches = time_end(c->launches, m->rows[i].on[SIDE_B].n);
		if (!single(c) || !match_is_pair(&m->rows[i]) ||
		    !has_effect(c, i, s))
			continue;
		one = mean_control(m->rows[i].on, i);
		row->control = controls_judge(all, n, &one);
		row->suspect =
		    row->control.far && (c->checks.limits & CHECK_NO_ROWS) == 0;
		if (row->suspect)
			c->suspects += m->rows[i].on[SIDE_B].n;
	}
	free(all);
}

/* The launches of a row with grids that both sides have; without any, all. */
static struct control
same_shapes(const struct match *m, uint32_t row)
{
	const struct match_row *r = &m->rows[row];
	struct account_sum on[SIDES] = {{0}, {0}};

	for (size_t i = r->grid; i < r->grid + r->grids; i++)
		for (int side = 0; side < SIDES; side++)
			if (match_has_grid(&m->grids[i]))
				account_sum_add(
				    &on[side], m->grids[i].on[side]);
	return mean_control(on[SIDE_A].n > 0 ? on : r->on, row);
}

/* Bytes of a copy of one direction, of a side; 0: there is none. */
static double
copy_bytes(const struct accounts *side, struct span copy)
{
	double n = 0, bytes = 0;

	for (size_t r = 0; r < side->count; r++)
		for (size_t i = 0; i < side->all[r]->copy_count; i++) {
			const struct account_copy *p = &side->all[r]->copies[i];

			if (span_eq(p->copy, copy)) {
				n += (double)p->n;
				bytes += (double)p->bytes;
			}
		}
	return n > 0 ? bytes / n : 0;
}

/* True if grids, or the sizes of copies, say that the work is another one. */
static bool
has_other_shapes(const struct match *m)
{
	const struct accounts *a = m->sides[SIDE_A], *b = m->sides[SIDE_B];

	if (match_grid_share(m) < SAME_SHAPES)
		return true;
	for (size_t i = 0; i < a->all[0]->copy_count; i++) {
		struct span copy = a->all[0]->copies[i].copy;
		double from = copy_bytes(a, copy), to = copy_bytes(b, copy);

		if (from > 0 && to > 0 && fabs(log(to / from)) > COPY_OFF)
			return true;
	}
	return false;
}

/* Do all kernels take longer by the same factor, with the same work to do? */
static void
check_scale(struct comparison *c)
{
	const struct match *m = &c->match;
	struct control *all = mem_resize(NULL, m->row_count + 1, sizeof(*all));
	struct text t = {0};
	double ratio;
	size_t n = 0;

	for (uint32_t i = 0; i < m->row_count; i++)
		if (match_is_pair(&m->rows[i]) &&
		    m->rows[i].kind == KIND_kernel)
			all[n++] = same_shapes(m, i);
	ratio = exp(controls_scale(all, n)) - 1;
	free(all);
	if (fabs(ratio) <= SCALE_OFF || has_other_shapes(m))
		return;
	text_printf(&t,
	    "everything is %.1f %% %s: look at clocks, power, other users "
	    "first",
	    fabs(ratio) * 100, ratio > 0 ? "slower" : "faster");
	comparability_add(&c->checks, (struct check_result){.name = "scale",
					  .state = CHECK_DIFFERS,
					  .says = text_span(&t)});
	text_free(&t);
}

/* ---- order ---- */

struct contribution {
	wide size;
	size_t row;
};

static int
most_first(const void *x, const void *y)
{
	const struct contribution *a = x, *b = y;

	return a->size != b->size ? (a->size < b->size ? 1 : -1)
				  : (a->row > b->row) - (a->row < b->row);
}

static void
sort_rows(struct comparison *c)
{
	size_t n = c->match.row_count;
	struct contribution *all = mem_resize(NULL, n + 1, sizeof(*all));

	c->order = mem_resize(NULL, n + 1, sizeof(*c->order));
	for (size_t i = 0; i < n; i++) {
		wide sum = c->terms.rows[i].sum;

		all[i] = (struct contribution){sum < 0 ? -sum : sum, i};
	}
	qsort(all, n, sizeof(*all), most_first);
	for (size_t i = 0; i < n; i++)
		c->order[i] = all[i].row;
	free(all);
}

void
comparison_make(struct comparison *c, const struct accounts *a,
    const struct accounts *b, struct name_rules *rules,
    const struct comparison_settings *s)
{
	*c = (struct comparison){0};
	match_make(&c->match, a, b, rules, s->by);
	host_rows_make(&c->host, c->match.sides);
	comparability_make(&c->checks, &c->match, &s->checks);
	wall_terms_make(&c->terms, &c->match);
	device_terms_make(&c->devices, &c->match);
	c->rows = mem_alloc((c->match.row_count + 1) * sizeof(*c->rows));
	compare_walls(c, s);
	if (!comparison_refused(c)) {
		compare_pace(c);
		compare_within(c);
		judge_single(c, s->least_wall);
		test_rows(c, s);
		judge_rows(c, s);
		check_scale(c);
	}
	sort_rows(c);
}

void
comparison_free(struct comparison *c)
{
	match_free(&c->match);
	host_rows_free(&c->host);
	comparability_free(&c->checks);
	wall_terms_free(&c->terms);
	device_terms_free(&c->devices);
	free(c->rows);
	free(c->order);
}
