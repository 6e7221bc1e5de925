/* wall_terms.c - split the change of wall time into exact terms */

#include <stdlib.h>

#include "wall_terms.h"
#include "tq/base/mem.h"
#include "tq/base/time.h"

const char *
wall_terms_name(enum term t)
{
	static const char *const names[TERMS] = {
	    "calls", "per call", "overlap", "new", "gone", "replaced"};

	return names[t];
}

/* half away from zero; by > 0 */
static wide
divide(wide v, wide by)
{
	wide half = by / 2;

	return v < 0 ? -((-v + half) / by) : (v + half) / by;
}

/* The nearest; beyond all sums that occur, a limit. */
static wide
to_wide(long double v)
{
	static const long double limit = 1e36L;

	v = v > limit ? limit : v < -limit ? -limit : v;
	return v < 0 ? -(wide)(-v + 0.5L) : (wide)(v + 0.5L);
}

/* b / units of B - a / units of A */
static wide
differ(const struct wall_terms *t, int64_t a, int64_t b)
{
	return (wide)b * t->units[SIDE_A] - (wide)a * t->units[SIDE_B];
}

/*
 * The part of launches: (nB - nA) (dA + dB) / 2 with d the mean of a launch.
 * It alone is rounded, to 1 / scale ns; the part of a launch's duration is the
 * rest.
 */
static wide
calls(const struct wall_terms *t, const struct account_sum *a,
    const struct account_sum *b)
{
	wide more = differ(t, a->n, b->n), twice, product;

	if (a->n > INT64_MAX / 2 ||
	    __builtin_add_overflow(
		(wide)a->dur * b->n, (wide)b->dur * a->n, &twice) ||
	    __builtin_mul_overflow(more, twice, &product))
		return to_wide((long double)more / 2 *
			       ((long double)a->dur / (long double)a->n +
				   (long double)b->dur / (long double)b->n));
	return divide(product, (wide)2 * a->n * b->n);
}

/*
 * the duration of a launch with a grid; of a side without one as on the other
 */
static long double
grid_mean(const struct match_grid *g, int side)
{
	const struct account_sum *on = &g->on[g->on[side].n > 0 ? side : !side];

	return (long double)on->dur / (long double)on->n;
}

/*
 * The part of a launch's duration that comes of another mix of grids: the mean
 * number of launches times the sum over grids of (pB - pA) (dA + dB) / 2, where
 * p is the share of the launches and d the duration of one.
 */
static wide
shape(const struct wall_terms *t, const struct match *m,
    const struct match_row *r)
{
	const struct account_sum *a = &r->on[SIDE_A], *b = &r->on[SIDE_B];
	long double launches =
	    ((long double)a->n * (long double)t->units[SIDE_B] +
		(long double)b->n * (long double)t->units[SIDE_A]) /
	    2;
	long double sum = 0;

	for (size_t i = r->grid; i < r->grid + r->grids; i++) {
		const struct match_grid *g = &m->grids[i];

		if (g->on[SIDE_A].n > 0 || g->on[SIDE_B].n > 0)
			sum +=
			    ((long double)g->on[SIDE_B].n / (long double)b->n -
				(long double)g->on[SIDE_A].n /
				    (long double)a->n) *
			    (grid_mean(g, SIDE_A) + grid_mean(g, SIDE_B)) / 2;
	}
	return to_wide(launches * sum);
}

/* True if both sides have grids, or the row is one. */
static bool
has_grids(const struct match *m, const struct match_row *r)
{
	bool on[SIDES] = {false, false};

	if (m->by == MATCH_BY_GRID)
		return false;
	for (size_t i = r->grid; i < r->grid + r->grids; i++)
		for (int side = 0; side < SIDES; side++)
			on[side] |= m->grids[i].grid.len > 0 &&
				    m->grids[i].on[side].n > 0;
	return on[SIDE_A] && on[SIDE_B];
}

static void
divide_row(const struct wall_terms *t, const struct account_sum on[SIDES],
    unsigned level, struct wall_terms_row *row)
{
	const struct account_sum *a = &on[SIDE_A], *b = &on[SIDE_B];
	bool on_a = a->n > 0 || a->dur > 0, on_b = b->n > 0 || b->dur > 0;

	row->sum = differ(t, a->exposed, b->exposed);
	if (!on_a || !on_b) {
		row->all[on_a ? TERM_GONE : TERM_NEW] = row->sum;
	} else if (level >= MATCH_PLACE) {
		row->all[TERM_REPLACED] = row->sum;
	} else {
		wide longer = differ(t, a->dur, b->dur);

		if (a->n > 0 && b->n > 0)
			row->all[TERM_CALLS] = calls(t, a, b);
		row->all[TERM_PER_CALL] = longer - row->all[TERM_CALLS];
		row->all[TERM_OVERLAP] = row->sum - longer;
	}
}

void
wall_terms_add_device(
    struct wall_terms *t, int side, const struct account_device *d)
{
	t->units[side] = time_end(t->units[side], d->units);
	t->wall[side] = time_end(t->wall[side], d->wall);
	for (int p = 0; p < ACCOUNT_PARTS; p++)
		t->parts[side][p] = time_end(t->parts[side][p], d->parts[p]);
	for (int p = 0; p < ACCOUNT_IDLE; p++)
		for (int c = 0; c < IDLE_CAUSES; c++) {
			int64_t *sum = &t->causes[side][p][c];

			*sum = time_end(*sum, d->idle[p][c]);
		}
	t->scale = (wide)t->units[SIDE_A] * t->units[SIDE_B];
}

void
wall_terms_add_row(struct wall_terms *t, const struct match *m, size_t i,
    const struct account_sum on[SIDES], struct wall_terms_row *row)
{
	const struct match_row *r = &m->rows[i];

	*row = (struct wall_terms_row){0};
	divide_row(t, on, r->level, row);
	row->by_grid = on == r->on &&
		       row->all[TERM_CALLS] + row->all[TERM_PER_CALL] != 0 &&
		       has_grids(m, r);
	t->total.sum += row->sum;
	for (int k = 0; k < TERMS; k++)
		t->total.all[k] += row->all[k];
	if (!row->by_grid)
		return;
	row->shape = shape(t, m, r);
	t->total.by_grid = true;
	t->total.shape += row->shape;
	t->same_shape += row->all[TERM_PER_CALL] - row->shape;
}

void
wall_terms_end(struct wall_terms *t)
{
	for (int p = PART_SYNC; p < ACCOUNT_PARTS; p++)
		t->idle[p] =
		    differ(t, t->parts[SIDE_A][p], t->parts[SIDE_B][p]);
	t->delta = differ(t, t->wall[SIDE_A], t->wall[SIDE_B]);
}

void
wall_terms_make(struct wall_terms *t, const struct match *m)
{
	*t = (struct wall_terms){0};
	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < m->sides[side]->count; r++) {
			const struct account *a = m->sides[side]->all[r];

			for (size_t d = 0; d < a->device_count; d++)
				wall_terms_add_device(t, side, &a->devices[d]);
		}
	t->rows = mem_alloc((m->row_count + 1) * sizeof(*t->rows));
	if (t->scale == 0)
		return;
	for (size_t i = 0; i < m->row_count; i++)
		wall_terms_add_row(t, m, i, m->rows[i].on, &t->rows[i]);
	wall_terms_end(t);
}

void
wall_terms_free(struct wall_terms *t)
{
	free(t->rows);
}

/* a limit beyond all times of clocks; one more, or less, fits, too */
static int64_t
narrow(wide v)
{
	static const wide limit = INT64_MAX - 1;

	return (int64_t)(v > limit ? limit : v < -limit ? -limit : v);
}

int64_t
wall_terms_ns(const struct wall_terms *t, wide scaled)
{
	return t->scale > 0 ? narrow(divide(scaled, t->scale)) : 0;
}

int64_t
wall_terms_sum(int64_t a, int64_t b)
{
	return narrow((wide)a + b);
}

struct remainder_of {
	wide rest;
	size_t index;
};

static int
largest_first(const void *x, const void *y)
{
	const struct remainder_of *a = x, *b = y;

	return a->rest != b->rest
		   ? (a->rest < b->rest ? 1 : -1)
		   : (a->index > b->index) - (a->index < b->index);
}

void
wall_terms_round(
    const wide *values, size_t n, wide total, wide unit, int64_t *rounded)
{
	struct remainder_of *rests = mem_resize(NULL, n + 1, sizeof(*rests));
	wide left = divide(total, unit);

	for (size_t i = 0; i < n; i++) {
		wide nearest = divide(values[i], unit);

		rests[i] = (struct remainder_of){values[i] - nearest * unit, i};
		rounded[i] = narrow(nearest);
		left -= nearest;
	}
	/* as many have a remainder of the sign of left, so that the negative
	 * of all values becomes the negative of all rounded ones */
	for (size_t i = 0; i < n && left < 0; i++)
		rests[i].rest = -rests[i].rest;
	qsort(rests, n, sizeof(*rests), largest_first);
	for (size_t i = 0; i < n && left != 0; i++) {
		int sign = left < 0 ? -1 : 1;

		rounded[rests[i].index] += sign;
		left -= sign;
	}
	free(rests);
}

wide
wall_terms_value(const struct wall_terms *t, size_t i)
{
	return i < TERMS ? t->total.all[i] : t->idle[i - TERMS];
}

int64_t
wall_terms_round_all(
    const struct wall_terms *t, int64_t unit, int64_t rounded[TERMS_AND_PARTS])
{
	wide values[TERMS_AND_PARTS], scale = t->scale > 0 ? t->scale : 1;
	wide total = 0;

	for (size_t i = 0; i < TERMS_AND_PARTS; i++)
		values[i] = wall_terms_value(t, i);
	wall_terms_round(
	    values, TERMS_AND_PARTS, t->delta, scale * unit, rounded);
	for (size_t i = 0; i < TERMS_AND_PARTS; i++)
		total += rounded[i];
	return narrow(total);
}

/* True if all of the part has a finer cause. */
static bool
has_causes(const struct wall_terms *t, int side, enum account_part part)
{
	int64_t sum = 0;

	for (int c = 0; c < IDLE_CAUSES; c++)
		sum = time_end(sum, t->causes[side][part - PART_SYNC][c]);
	return sum == t->parts[side][part];
}

bool
wall_terms_round_causes(const struct wall_terms *t, enum account_part part,
    int64_t value, int64_t unit, int64_t rounded[IDLE_CAUSES])
{
	const int64_t *a = t->causes[SIDE_A][part - PART_SYNC];
	const int64_t *b = t->causes[SIDE_B][part - PART_SYNC];
	wide values[IDLE_CAUSES], scale = t->scale > 0 ? t->scale * unit : 1;

	if (!has_causes(t, SIDE_A, part) || !has_causes(t, SIDE_B, part))
		return false;
	for (int c = 0; c < IDLE_CAUSES; c++)
		values[c] = differ(t, a[c], b[c]);
	wall_terms_round(
	    values, IDLE_CAUSES, (wide)value * scale, scale, rounded);
	return true;
}
