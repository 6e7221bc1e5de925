/* terms.c - what the difference of two walls is the sum of, exactly */

#include <stdlib.h>

#include "terms.h"
#include "tq/base/mem.h"

const char *
terms_name(enum term t)
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

/* b / units of B - a / units of A */
static wide
differ(const struct terms *t, int64_t a, int64_t b)
{
	return (wide)b * t->units[SIDE_A] - (wide)a * t->units[SIDE_B];
}

/*
 * The part of launches: (nB - nA) (dA + dB) / 2 with d the mean of a launch. It
 * alone is rounded, to 1 / scale ns; what a launch takes is the rest.
 */
static wide
calls(const struct terms *t, const struct account_sum *a,
    const struct account_sum *b)
{
	wide more = differ(t, a->n, b->n), twice, product;

	if (__builtin_mul_overflow((wide)a->dur, b->n, &twice) ||
	    __builtin_add_overflow(twice, (wide)b->dur * a->n, &twice) ||
	    __builtin_mul_overflow(more, twice, &product))
		return (wide)((long double)more / 2 *
			      ((long double)a->dur / (long double)a->n +
				  (long double)b->dur / (long double)b->n));
	return divide(product, (wide)2 * a->n * b->n);
}

static void
divide_row(
    const struct terms *t, const struct match_row *m, struct terms_row *row)
{
	const struct account_sum *a = &m->on[SIDE_A], *b = &m->on[SIDE_B];
	bool on_a = a->n > 0 || a->dur > 0, on_b = b->n > 0 || b->dur > 0;

	row->sum = differ(t, a->exposed, b->exposed);
	if (!on_a || !on_b) {
		row->all[on_a ? TERM_GONE : TERM_NEW] = row->sum;
	} else if (m->level == MATCH_PLACE) {
		row->all[TERM_REPLACED] = row->sum;
	} else {
		wide longer = differ(t, a->dur, b->dur);

		if (a->n > 0 && b->n > 0)
			row->all[TERM_CALLS] = calls(t, a, b);
		row->all[TERM_PER_CALL] = longer - row->all[TERM_CALLS];
		row->all[TERM_OVERLAP] = row->sum - longer;
	}
}

static void
add_sides(struct terms *t, const struct match *m)
{
	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < m->sides[side]->count; r++) {
			const struct account *a = m->sides[side]->all[r];

			for (size_t d = 0; d < a->device_count; d++) {
				const struct account_device *from =
				    &a->devices[d];

				t->units[side] += from->units;
				t->wall[side] += from->wall;
				for (int p = 0; p < ACCOUNT_PARTS; p++)
					t->parts[side][p] += from->parts[p];
			}
		}
}

void
terms_make(struct terms *t, const struct match *m)
{
	*t = (struct terms){0};
	add_sides(t, m);
	t->scale = (wide)t->units[SIDE_A] * t->units[SIDE_B];
	t->rows = mem_alloc((m->row_count + 1) * sizeof(*t->rows));
	if (t->scale == 0)
		return;
	for (size_t i = 0; i < m->row_count; i++) {
		divide_row(t, &m->rows[i], &t->rows[i]);
		t->total.sum += t->rows[i].sum;
		for (int k = 0; k < TERMS; k++)
			t->total.all[k] += t->rows[i].all[k];
	}
	for (int p = PART_SYNC; p < ACCOUNT_PARTS; p++)
		t->idle[p] =
		    differ(t, t->parts[SIDE_A][p], t->parts[SIDE_B][p]);
	t->delta = differ(t, t->wall[SIDE_A], t->wall[SIDE_B]);
}

void
terms_free(struct terms *t)
{
	free(t->rows);
}

int64_t
terms_ns(const struct terms *t, wide scaled)
{
	return t->scale > 0 ? (int64_t)divide(scaled, t->scale) : 0;
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
terms_round(
    const wide *values, size_t n, wide total, wide unit, int64_t *rounded)
{
	struct remainder_of *rests = mem_resize(NULL, n + 1, sizeof(*rests));
	wide left = divide(total, unit);

	for (size_t i = 0; i < n; i++) {
		wide nearest = divide(values[i], unit);

		rests[i] = (struct remainder_of){values[i] - nearest * unit, i};
		rounded[i] = (int64_t)nearest;
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
