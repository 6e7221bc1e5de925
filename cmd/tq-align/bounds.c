/* bounds.c - the lines that a clock can be */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/squares.h"

#include "bounds.h"

static const wide UNBOUND = (wide)1 << 120;

void
bounds_most(struct bounds *b, int64_t x, int64_t y)
{
	struct hull *h = &b->upper;

	*array_add(&h->all, &h->count, &h->cap) = (struct bound){x, y};
	b->uppers++;
}

void
bounds_least(struct bounds *b, int64_t x, int64_t y)
{
	struct hull *h = &b->lower;

	*array_add(&h->all, &h->count, &h->cap) = (struct bound){x, y};
	b->lowers++;
}

/* ---- hulls ---- */

/* of equal x the strictest comes first: the least of most, the most of least */
static int
compare_upper(const void *a, const void *b)
{
	const struct bound *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return p->y < q->y ? -1 : p->y > q->y;
}

static int
compare_lower(const void *a, const void *b)
{
	const struct bound *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return p->y > q->y ? -1 : p->y < q->y;
}

/* above 0 if a, b, c turn to the left; times are below 2^60, so that their
   differences are 64 bits */
static int
turn(const struct bound *a, const struct bound *b, const struct bound *c)
{
	wide left = (wide)(b->x - a->x) * (c->y - a->y);
	wide right = (wide)(b->y - a->y) * (c->x - a->x);

	return left > right ? 1 : left < right ? -1 : 0;
}

/* operations come in order of time, and their bounds mostly do */
static bool
is_sorted(const struct hull *h, int (*compare)(const void *, const void *))
{
	for (size_t i = 1; i < h->count; i++)
		if (compare(&h->all[i - 1], &h->all[i]) > 0)
			return false;
	return true;
}

/* keep the corners: which is 1 for the lower hull of points, -1 the upper */
static void
make_hull(struct hull *h, int which)
{
	int (*compare)(const void *, const void *) =
	    which > 0 ? compare_upper : compare_lower;
	size_t n = 0;

	if (h->count == 0)
		return;
	if (!is_sorted(h, compare))
		qsort(h->all, h->count, sizeof(*h->all), compare);
	for (size_t i = 0; i < h->count; i++) {
		struct bound p = h->all[i];

		if (n > 0 && h->all[n - 1].x == p.x)
			continue;
		while (n > 1 &&
		       turn(&h->all[n - 2], &h->all[n - 1], &p) * which <= 0)
			n--;
		h->all[n++] = p;
	}
	h->count = n;
}

void
bounds_finish(struct bounds *b)
{
	make_hull(&b->upper, 1);
	make_hull(&b->lower, -1);
}

/* ---- lines ---- */

/* the most offset of a line of that drift, times BOUNDS_UNIT */
static wide
most_offset(const struct bounds *b, wide drift)
{
	wide most = UNBOUND;

	for (size_t i = 0; i < b->upper.count; i++) {
		wide v = (wide)b->upper.all[i].y * BOUNDS_UNIT -
			 drift * b->upper.all[i].x;

		if (v < most)
			most = v;
	}
	return most;
}

static wide
least_offset(const struct bounds *b, wide drift)
{
	wide least = -UNBOUND;

	for (size_t i = 0; i < b->lower.count; i++) {
		wide v = (wide)b->lower.all[i].y * BOUNDS_UNIT -
			 drift * b->lower.all[i].x;

		if (v > least)
			least = v;
	}
	return least;
}

/* how much room lines of that drift have: concave in the drift */
static wide
room(const struct bounds *b, int64_t drift)
{
	return most_offset(b, drift) - least_offset(b, drift);
}

/* where a concave function of the drift is largest */
static int64_t
summit(const struct bounds *b, int64_t low, int64_t high, int64_t x,
    wide (*f)(const struct bounds *b, int64_t drift, int64_t x))
{
	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (f(b, middle, x) < f(b, middle + 1, x))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static wide
room_of(const struct bounds *b, int64_t drift, int64_t x)
{
	(void)x;
	return room(b, drift);
}

bool
bounds_drifts(const struct bounds *b, int64_t *least, int64_t *most)
{
	int64_t best = summit(b, -BOUNDS_DRIFT, BOUNDS_DRIFT, 0, room_of);
	int64_t low = -BOUNDS_DRIFT, high = best;

	if (room(b, best) < 0)
		return false;
	while (low < high) { /* the first drift with room */
		int64_t middle = low + (high - low) / 2;

		if (room(b, middle) >= 0)
			high = middle;
		else
			low = middle + 1;
	}
	*least = low;
	low = best;
	high = BOUNDS_DRIFT;
	while (low < high) { /* the last one */
		int64_t middle = high - (high - low) / 2;

		if (room(b, middle) >= 0)
			low = middle;
		else
			high = middle - 1;
	}
	*most = low;
	return true;
}

/* v / BOUNDS_UNIT, down or up, and INT64_MIN or INT64_MAX beyond */
static int64_t
scaled(wide v, bool up)
{
	wide q = v / BOUNDS_UNIT, rest = v % BOUNDS_UNIT;

	if (v <= -UNBOUND / 2)
		return INT64_MIN;
	if (v >= UNBOUND / 2)
		return INT64_MAX;
	if (up && rest > 0)
		q++;
	if (!up && rest < 0)
		q--;
	return q < INT64_MIN   ? INT64_MIN
	       : q > INT64_MAX ? INT64_MAX
			       : (int64_t)q;
}

bool
bounds_offsets(
    const struct bounds *b, int64_t drift, int64_t *least, int64_t *most)
{
	wide low = least_offset(b, drift), high = most_offset(b, drift);

	*least = scaled(low, true);
	*most = scaled(high, false);
	return low <= high && *least <= *most;
}

static wide
most_at(const struct bounds *b, int64_t drift, int64_t x)
{
	return most_offset(b, drift) + (wide)drift * x;
}

/* the opposite of the least, which is convex */
static wide
less_at(const struct bounds *b, int64_t drift, int64_t x)
{
	return -(least_offset(b, drift) + (wide)drift * x);
}

void
bounds_at(const struct bounds *b, int64_t low, int64_t high, int64_t x,
    int64_t *least, int64_t *most)
{
	*most = scaled(most_at(b, summit(b, low, high, x, most_at), x), true);
	*least =
	    scaled(-less_at(b, summit(b, low, high, x, less_at), x), false);
}

void
bounds_free(struct bounds *b)
{
	free(b->upper.all);
	free(b->lower.all);
	*b = (struct bounds){0};
}
