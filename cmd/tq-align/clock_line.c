/* clock_line.c - a line takes times of one rank to the clock of another rank */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/mem.h"
#include "tq/base/squares.h"
#include "tq/base/time.h"

#include "clock_line.h"
#include "median.h"

enum {
	BLOCKS = 24,       /* that a recording is cut into, at most */
	BLOCKS_LEAST = 4,  /* for a drift */
	BLOCKS_STEP = 8,   /* for a clock that was set */
	BLOCK_LEAST = 8,   /* points of a block */
	STEP_LEAST = 5000, /* ns: a clock that was set */
	STEP_ERRORS = 8,   /* and so many standard errors */
	DRIFT_ERRORS = 3,  /* of a drift that bounds hold */
	DRIFT_ALONE = 8    /* of one that they do not */
};

static const int64_t PPB = 1000000000;
static const double NORMAL = 1.4826; /* standard deviations per distance */

/* ---- lines ---- */

static int64_t
clamp(int64_t v, int64_t low, int64_t high)
{
	return v < low ? low : v > high ? high : v;
}

int64_t
clock_line_map(const struct clock_line *l, int64_t t)
{
	return time_on_clock(t, l->offset, l->drift);
}

static int64_t
add_known(int64_t a, int64_t b)
{
	return a == NO_ID || b == NO_ID ? NO_ID : time_end(a, b);
}

/* how far the times from, to of one clock are outside of another's recording */
static int64_t
outside_of(const struct clock_line *first, const struct clock_line *second)
{
	wide from = clock_line_map(first, first->from);
	wide to = clock_line_map(first, first->to);
	wide before = second->from - from, behind = to - second->to;
	wide most = before > behind ? before : behind;

	return most > 0 ? wide_saturate(most) : 0;
}

struct clock_line
clock_line_join(const struct clock_line *first, const struct clock_line *second)
{
	struct clock_line l = {.offset = clock_line_map(second, first->offset),
	    .drift = first->drift + second->drift +
		     wide_saturate(
			 wide_divide((wide)first->drift * second->drift, PPB)),
	    .error = add_known(first->error, second->error),
	    .spread = add_known(first->spread, second->spread),
	    .matched = first->matched,
	    .room = first->room + second->room,
	    .from = first->from,
	    .to = first->to,
	    .by = first->by > second->by ? first->by : second->by};

	/* the error of the second is of the times that it recorded */
	if (l.error != NO_ID && second->room > 0)
		l.error = time_end(
		    l.error, wide_saturate(wide_divide(
				 (wide)outside_of(first, second) * second->room,
				 BOUNDS_UNIT)) +
				 1);
	return l;
}

/* ---- points in common ---- */

/* the ends of an operation: y = end on a less end on b, at x = end on b */
struct end_pair {
	int64_t x, y;
};

struct ends {
	struct end_pair *all;
	size_t count, cap;
};

struct found {
	struct ends of[OPERATION_KINDS];
	struct bounds bounds;
	size_t matched;
};

static int
compare_x(const void *a, const void *b)
{
	const struct end_pair *p = a, *q = b;

	return p->x < q->x ? -1 : p->x > q->x;
}

/* operations mostly end in the order in which they begin */
static void
sort_ends(struct ends *e)
{
	size_t i = 1;

	while (i < e->count && e->all[i - 1].x <= e->all[i].x)
		i++;
	if (i < e->count)
		qsort(e->all, e->count, sizeof(*e->all), compare_x);
}

static void
take_matches(struct found *f, const struct rank_pairing *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct pair_match *m = &p->all[i];
		struct ends *e = &f->of[m->a->kind];
		int64_t y;

		if (__builtin_sub_overflow(m->a->end, m->b->end, &y))
			continue;
		*array_add(&e->all, &e->count, &e->cap) =
		    (struct end_pair){m->b->end, y};
		pairing_bound(&f->bounds, m);
	}
	f->matched += p->count;
}

static void
free_found(struct found *f)
{
	for (int k = 0; k < OPERATION_KINDS; k++)
		free(f->of[k].all);
	bounds_free(&f->bounds);
}

/* ---- blocks ---- */

/* neighbouring points, by their medians */
struct block {
	int64_t x, y;
	double error; /* standard error of y */
};

static int64_t
middle_of(const struct ends *e, size_t from, size_t n, int64_t *scratch)
{
	for (size_t i = 0; i < n; i++)
		scratch[i] = e->all[from + i].y;
	return median_of(scratch, n);
}

/* the residuals of a line, in blocks of 8 points or more */
static size_t
make_blocks(const struct ends *e, struct block blocks[BLOCKS])
{
	size_t count = e->count / BLOCK_LEAST;
	int64_t *scratch = mem_resize(NULL, e->count + 1, sizeof(*scratch));

	if (count > BLOCKS)
		count = BLOCKS;
	for (size_t i = 0; i < count; i++) {
		size_t from = i * e->count / count;
		size_t n = (i + 1) * e->count / count - from;
		int64_t y = middle_of(e, from, n, scratch);

		blocks[i] = (struct block){.x = e->all[from + n / 2].x, .y = y};
		blocks[i].error = NORMAL *
				  (double)median_distance(scratch, n, y) /
				  sqrt((double)n);
	}
	free(scratch);
	return count;
}

/* parts of 10^12 between two blocks */
static int64_t
slope_between(const struct block *a, const struct block *b)
{
	wide x = (wide)b->x - a->x;

	return x <= 0 ? 0
		      : wide_saturate(
			    wide_divide(((wide)b->y - a->y) * BOUNDS_UNIT, x));
}

/*
 * How far a block is off a line, as a rule: by the spread of its points, and by
 * the spread of blocks; the larger counts.
 */
static double
block_error(const struct block *blocks, size_t n, int64_t slope)
{
	double single = 0, squares = 0, mean = 0, rest[BLOCKS];

	for (size_t i = 0; i < n; i++) {
		single += blocks[i].error / (double)n;
		rest[i] = (double)(blocks[i].y - blocks[0].y) -
			  (double)(blocks[i].x - blocks[0].x) * (double)slope /
			      (double)BOUNDS_UNIT;
		mean += rest[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++)
		squares += (rest[i] - mean) * (rest[i] - mean);
	squares = sqrt(squares / (double)(n - 2));
	if (squares < 1)
		squares = 1; /* clocks have ticks */
	return squares > single ? squares : single;
}

/*
 * The drift by blocks that are at least half of the recording apart, after
 * Theil and Sen; *error: its standard error.  False: there are too few.
 */
static bool
find_slope(const struct block *blocks, size_t n, int64_t *slope, double *error)
{
	int64_t slopes[BLOCKS * BLOCKS];
	size_t count = 0;
	double mean = 0, squares = 0;

	if (n < BLOCKS_LEAST)
		return false;
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			if (blocks[k].x - blocks[i].x >=
			    (blocks[n - 1].x - blocks[0].x) / 2)
				slopes[count++] =
				    slope_between(&blocks[i], &blocks[k]);
	*slope = median_of(slopes, count);
	for (size_t i = 0; i < n; i++)
		mean += (double)(blocks[i].x - blocks[0].x) / (double)n;
	for (size_t i = 0; i < n; i++) {
		double d = (double)(blocks[i].x - blocks[0].x) - mean;

		squares += d * d;
	}
	*error = block_error(blocks, n, *slope) * (double)BOUNDS_UNIT /
		 sqrt(squares > 0 ? squares : 1);
	return true;
}

/* the drift to take; 0 where it is not sure */
static int64_t
find_drift(const struct ends *e, int64_t least, int64_t most)
{
	struct block blocks[BLOCKS];
	size_t n = make_blocks(e, blocks);
	bool held = least > -BOUNDS_DRIFT && most < BOUNDS_DRIFT;
	int64_t slope;
	double error, errors;

	if (!find_slope(blocks, n, &slope, &error))
		return 0;
	errors = fabs((double)slope) / error;
	if (errors <= (held ? DRIFT_ERRORS : DRIFT_ALONE))
		return 0;
	return clamp(slope, least, most);
}

/* ---- the line ---- */

/* y less the effect of a drift */
static void
remove_drift(struct ends *e, int64_t drift)
{
	for (size_t i = 0; i < e->count; i++)
		e->all[i].y = wide_saturate(
		    (wide)e->all[i].y -
		    wide_divide((wide)e->all[i].x * drift, BOUNDS_UNIT));
}

/* the median distance of points from their median, without a trend */
static int64_t
spread_of(const struct ends *e, int64_t *center)
{
	int64_t *y = mem_resize(NULL, e->count + 1, sizeof(*y)), spread;

	*center = middle_of(e, 0, e->count, y);
	spread = median_distance(y, e->count, *center);
	free(y);
	return spread;
}

static bool
is_two_way(int kind)
{
	return kind == OPERATION_ALL_REDUCE || kind == OPERATION_ALL_GATHER ||
	       kind == OPERATION_REDUCE_SCATTER || kind == OPERATION_BARRIER ||
	       kind == OPERATION_ALL_TO_ALL || kind == OPERATION_SEND_RECEIVE;
}

/*
 * the kind of operation whose ends bound the clock best; NULL: there are too
 * few
 */
static struct ends *
best_kind(struct found *f)
{
	struct ends *best = NULL;
	double least = 0;
	bool two_way = false;

	for (int k = 1; k < OPERATION_KINDS; k++) {
		struct ends *e = &f->of[k];
		int64_t center;
		double weight;

		if (e->count < PAIRING_LEAST || (two_way && !is_two_way(k)))
			continue;
		weight = (double)spread_of(e, &center) / sqrt((double)e->count);
		if (best == NULL || weight < least ||
		    (is_two_way(k) && !two_way)) {
			best = e;
			least = weight;
			two_way = is_two_way(k);
		}
	}
	return best;
}

/*
 * The time of the block that is off a line most, whatever its drift, if that is
 * more than a clock that runs evenly has; false: none is.
 */
static bool
has_step(const struct ends *e, int64_t *at)
{
	struct block blocks[BLOCKS];
	size_t n = make_blocks(e, blocks);
	int64_t slope, rest[BLOCKS], sorted[BLOCKS], center;
	int64_t worst = STEP_LEAST;
	double error;
	bool found = false;

	if (n < BLOCKS_STEP || !find_slope(blocks, n, &slope, &error))
		return false;
	slope = clamp(slope, -BOUNDS_DRIFT, BOUNDS_DRIFT);
	for (size_t i = 0; i < n; i++)
		sorted[i] = rest[i] = wide_saturate(
		    blocks[i].y -
		    wide_divide(((wide)blocks[i].x - blocks[0].x) * slope,
			BOUNDS_UNIT));
	center = median_of(sorted, n);
	for (size_t i = 0; i < n; i++) {
		int64_t off = rest[i] - center;

		off = off < 0 ? -off : off;
		if (off > worst &&
		    (double)off > STEP_ERRORS * blocks[i].error) {
			worst = off;
			*at = blocks[i].x;
			found = true;
		}
	}
	return found;
}

/* the largest distance of the line to what bounds allow, at two times */
static int64_t
error_of(const struct bounds *b, const struct clock_line *l, int64_t least,
    int64_t most, const int64_t at[2])
{
	int64_t error = 0;

	for (int i = 0; i < 2; i++) {
		int64_t low, high;
		wide v = (wide)clock_line_map(l, at[i]) - at[i], d;

		bounds_at(b, least, most, at[i], &low, &high);
		if (low == INT64_MIN || high == INT64_MAX)
			return NO_ID;
		d = high - v > v - low ? high - v : v - low;
		if (d > error)
			error = wide_saturate(d);
	}
	return error;
}

/* operations are matched: the line in the middle of their bounds */
static void
fit(struct clock_line *l, struct found *f, const struct rank_points *b,
    struct text *said)
{
	int64_t least, most, low, high, center, drift, at;
	const int64_t ends[2] = {b->first, b->last};
	struct ends *e = best_kind(f);

	bounds_finish(&f->bounds);
	if (!bounds_drifts(&f->bounds, &least, &most)) {
		l->by = CLOCK_CONFLICT;
		text_add_str(said, "; its operations contradict each other");
		return;
	}
	if (e == NULL) {
		l->by = CLOCK_UTC;
		text_add_str(said,
		    "; no kind of operation that proves anything "
		    "is there 8 times");
		return;
	}
	sort_ends(e);
	l->drift =
	    (int64_t)wide_divide(find_drift(e, least, most), BOUNDS_UNIT / PPB);
	drift = l->drift * (BOUNDS_UNIT / PPB); /* as it is written */
	l->room = most - drift > drift - least ? most - drift : drift - least;
	remove_drift(e, drift);
	l->spread = spread_of(e, &center);
	l->offset = center;
	if (bounds_offsets(&f->bounds, drift, &low, &high))
		l->offset = clamp(center, low, high);
	/* roots leave before others: their ends are not those of others */
	if (is_two_way((int)(e - f->of)) && has_step(e, &at)) {
		l->by = CLOCK_CONFLICT;
		text_printf(
		    said, "; its clock was set near %" PRId64 " ns", at);
		return;
	}
	l->error = error_of(&f->bounds, l, least, most, ends);
	if (l->error == NO_ID) {
		l->by = CLOCK_UTC;
		text_add_str(said, "; its operations bound its clock on one "
				   "side only");
	}
}

/* ---- sequences ---- */

static void
say_pairing(struct text *said, const struct rank_pairing *p, const char *comm)
{
	comm = comm != NULL ? comm : "a stream";
	switch (p->result) {
	case PAIRING_FEW:
		text_printf(
		    said, "; %s: fewer than 8 operations in common", comm);
		break;
	case PAIRING_NONE:
		text_printf(
		    said, "; %s: no shift of operations is possible", comm);
		break;
	case PAIRING_AMBIGUOUS:
		text_printf(said,
		    "; %s: ambiguous: shifts %" PRId64 " and %" PRId64, comm,
		    p->shift, p->other);
		break;
	default:
		break;
	}
}

/* the k-th sequence without a communicator; NULL: there is none */
static const struct rank_sequence *
stream_at(const struct rank_points *p, size_t k)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->all[i].comm == NULL && k-- == 0)
			return &p->all[i];
	return NULL;
}

/* the sequence of b that has the communicator of one of a, or its place */
static const struct rank_sequence *
partner_of(const struct rank_points *a, size_t i, const struct rank_points *b)
{
	const char *comm = a->all[i].comm;
	size_t k = 0;

	if (comm == NULL) {
		for (size_t n = 0; n < i; n++)
			k += a->all[n].comm == NULL;
		return stream_at(b, k);
	}
	for (size_t n = 0; n < b->count; n++)
		if (b->all[n].comm != NULL && strcmp(b->all[n].comm, comm) == 0)
			return &b->all[n];
	return NULL;
}

/*
 * Streams that were taken for one and are not differ by much more than streams
 * that are; returns how many are good.
 */
static size_t
drop_guesses(struct rank_pairing *all, const struct rank_points *a)
{
	int64_t least = INT64_MAX;
	size_t good = 0;

	for (size_t i = 0; i < a->count; i++)
		if (all[i].result == PAIRING_GOOD && all[i].residual < least)
			least = all[i].residual;
	for (size_t i = 0; i < a->count; i++) {
		if (all[i].result == PAIRING_GOOD && a->all[i].comm == NULL &&
		    all[i].residual / 3 > least)
			all[i].result = PAIRING_NONE;
		good += all[i].result == PAIRING_GOOD && all[i].count > 0;
	}
	return good;
}

/* matched by values of the recordings, without a guess and without UTC */
static bool
is_known(const struct rank_pairing *p, const struct rank_sequence *s)
{
	return p->result == PAIRING_GOOD && s->comm != NULL && p->count > 0 &&
	       !p->by_utc;
}

static enum clock_by
take_pairings(struct found *f, const struct rank_pairing *all,
    const struct rank_points *a)
{
	bool known = false;

	for (size_t i = 0; i < a->count; i++)
		known |= is_known(&all[i], &a->all[i]);
	/* recordings with communicators need no guess */
	for (size_t i = 0; i < a->count; i++)
		if (known ? is_known(&all[i], &a->all[i])
			  : all[i].result == PAIRING_GOOD)
			take_matches(f, &all[i]);
	return known ? CLOCK_COLLECTIVES : CLOCK_SEQUENCE;
}

struct clock_line
clock_line_find(
    const struct rank_points *a, const struct rank_points *b, struct text *said)
{
	struct clock_line l = {.error = NO_ID,
	    .spread = NO_ID,
	    .from = b->first,
	    .to = b->last,
	    .by = CLOCK_UTC};
	struct rank_pairing *all = mem_alloc((a->count + 1) * sizeof(*all));
	struct found f = {0};

	for (size_t i = 0; i < a->count; i++) {
		const struct rank_sequence *other = partner_of(a, i, b);

		all[i].result = PAIRING_NONE;
		if (other == NULL)
			continue;
		pairing_find(&all[i],
		    &(struct pairing_side){&a->all[i], a->utc},
		    &(struct pairing_side){other, b->utc});
		say_pairing(said, &all[i], a->all[i].comm);
	}
	if (drop_guesses(all, a) > 0) {
		l.by = take_pairings(&f, all, a);
		l.matched = (int64_t)f.matched;
		fit(&l, &f, b, said);
	}
	for (size_t i = 0; i < a->count; i++)
		pairing_free(&all[i]);
	free(all);
	free_found(&f);
	return l;
}
