/* comparison.c - two sides compared */

#include <math.h>
#include <stdlib.h>

#include "comparison.h"
#include "statistics/discoveries.h"
#include "statistics/mann_whitney.h"
#include "statistics/quantiles.h"
#include "tq/base/array.h"

static const double ROW_WEIGHT = 0.005; /* of the unit, for a verdict */
static const double ROW_NS = 5000;      /* least effect on a unit */
static const double SCALE_OFF = 0.01;
static const double WORK_OFF = 0.02, WORK_SPREAD = 0.05;

enum { WORK_LAUNCHES = 8, WITHIN_UNITS = 3 };

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

/* The walls of the units of a recording; free(3) them. */
static double *
walls(const struct account *a)
{
	double *all = mem_resize(NULL, a->unit_count + 1, sizeof(*all));

	for (size_t i = 0; i < a->unit_count; i++)
		all[i] = (double)a->units[i].wall;
	return all;
}

double
comparison_wall(const struct account *a)
{
	double *all = walls(a), median;

	quantiles_sort(all, a->unit_count);
	median = a->unit_count > 0 ? quantiles_median(all, a->unit_count) : 0;
	free(all);
	return median;
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

static void
compare_walls(struct comparison *c, const struct comparison_settings *s)
{
	const struct accounts *const *sides = c->match.sides;
	double *a = mem_resize(NULL, sides[SIDE_A]->count + 1, sizeof(*a));
	double *b = mem_resize(NULL, sides[SIDE_B]->count + 1, sizeof(*b));
	size_t na = side_walls(sides[SIDE_A], a);
	size_t nb = side_walls(sides[SIDE_B], b);

	if (na > 0 && nb > 0)
		verdict_of(&c->wall, a, na, b, nb, s->least_wall, s->noise);
	if ((c->checks.limits & CHECK_REFUSED) != 0)
		c->wall.word = VERDICT_NOT_COMPARABLE;
	else if ((c->checks.limits & CHECK_NO_WALL) != 0) {
		c->wall.word = VERDICT_CANNOT_TELL;
		c->wall.help =
		    comparability_find(&c->checks, CHECK_NO_WALL)->says.p;
	} else if (comparison_by(c) == ACCOUNT_BY_LAUNCH) {
		c->wall.word = VERDICT_CANNOT_TELL;
		c->wall.help = single(c) ? "one recording a side"
					 : "launches are compared, no wall";
	}
	free(a);
	free(b);
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
	double *x, *y;

	if (!single(c))
		return;
	a = c->match.sides[SIDE_A]->all[0];
	b = c->match.sides[SIDE_B]->all[0];
	if (a->unit_count < WITHIN_UNITS || b->unit_count < WITHIN_UNITS ||
	    a->by == ACCOUNT_BY_SPAN || a->by == ACCOUNT_BY_LAUNCH)
		return;
	x = walls(a);
	y = walls(b);
	for (size_t i = 0; i < a->unit_count; i++)
		x[i] = x[i] > 0 ? x[i] : 1;
	for (size_t i = 0; i < b->unit_count; i++)
		y[i] = y[i] > 0 ? y[i] : 1;
	shift = mann_whitney_ratio(x, a->unit_count, y, b->unit_count,
	    worth(x, a->unit_count), worth(y, b->unit_count));
	c->within = shift.interval;
	c->within_ratio = shift.ratio;
	c->within_low = shift.low;
	c->within_high = shift.high;
	free(x);
	free(y);
}

/* ---- work and pace ---- */

struct weighted {
	double value, weight;
};

static int
by_value(const void *x, const void *y)
{
	double a = ((const struct weighted *)x)->value;
	double b = ((const struct weighted *)y)->value;

	return (a > b) - (a < b);
}

/* The least value with so much weight up to it. */
static double
weighted_quantile(
    const struct weighted *all, size_t n, double all_weight, double q)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += all[i].weight;
		if (sum >= q * all_weight)
			return all[i].value;
	}
	return all[n - 1].value;
}

/* of a unit */
static double
launches(const struct comparison *c, const struct match_row *r, int side)
{
	return (double)r->on[side].n / (double)c->terms.units[side];
}

static void
measure_pace(struct comparison *c)
{
	struct weighted *all =
	    mem_resize(NULL, c->match.row_count + 1, sizeof(*all));
	struct comparison_pace *p = &c->pace;
	double weight = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->match.row_count; i++) {
		const struct match_row *r = &c->match.rows[i];

		if ((r->kind != KIND_kernel && r->kind != KIND_range) ||
		    r->on[SIDE_A].n < WORK_LAUNCHES ||
		    r->on[SIDE_B].n < WORK_LAUNCHES)
			continue;
		all[n].value = launches(c, r, SIDE_B) / launches(c, r, SIDE_A);
		all[n].weight =
		    (double)r->on[SIDE_A].dur + (double)r->on[SIDE_B].dur;
		weight += all[n++].weight;
	}
	if (n > 0 && c->wall.a > 0) {
		qsort(all, n, sizeof(*all), by_value);
		p->known = true;
		p->work = weighted_quantile(all, n, weight, 0.5);
		p->low = weighted_quantile(all, n, weight, 0.25);
		p->high = weighted_quantile(all, n, weight, 0.75);
		p->pace = c->wall.b / c->wall.a / p->work;
		p->cut = fabs(p->work - 1) > WORK_OFF &&
			 p->low > p->work * (1 - WORK_SPREAD) &&
			 p->high < p->work * (1 + WORK_SPREAD);
	}
	free(all);
}

static void
compare_pace(struct comparison *c)
{
	enum account_by by = comparison_by(c);

	if (by != ACCOUNT_BY_SPAN && by != ACCOUNT_BY_LAUNCH)
		return;
	measure_pace(c);
	if (c->pace.cut &&
	    (c->checks.limits & (CHECK_REFUSED | CHECK_NO_WALL)) == 0) {
		c->wall.word = VERDICT_CANNOT_TELL;
		c->wall.help =
		    "a duration of the capture is no measurement: see --per";
	}
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

		c->launches += m->rows[i].on[SIDE_B].n;
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

/* Do all kernels take longer by the same factor? */
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
			all[n++] = mean_control(m->rows[i].on, i);
	ratio = exp(controls_scale(all, n)) - 1;
	free(all);
	if (fabs(ratio) <= SCALE_OFF)
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
