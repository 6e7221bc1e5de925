/* pairing.c - which operations of two ranks are the same */

#include <stdlib.h>
#include <string.h>

#include "tq/base/array.h"
#include "tq/base/mem.h"
#include "tq/base/squares.h"

#include "median.h"
#include "pairing.h"

enum {
	ROUGH = 16,      /* operations by which shifts are looked through */
	FINE = 64,       /* and the best of them again */
	FINEST = 1024,   /* and again, where all have to agree */
	ROUGH_KEPT = 64, /* shifts */
	KEPT = 8         /* of shifts that are tried in full */
};

static const int64_t UTC_MOST = 10000000000; /* ns: clocks are not worse */
static const int64_t UTC_NEAR = 100000000;   /* and mostly much better */

/* ---- operations that both have ---- */

static bool
is_message(int kind)
{
	return kind == OPERATION_SEND || kind == OPERATION_RECEIVE ||
	       kind == OPERATION_SEND_RECEIVE;
}

/* collectives, and the messages between the two */
static const struct point **
common_points(const struct rank_sequence *s, const struct rank_sequence *other,
    size_t *count)
{
	const struct point **all =
	    mem_alloc((s->count + 1) * sizeof(const struct point *));

	*count = 0;
	for (size_t i = 0; i < s->count; i++)
		if (!is_message(s->all[i].kind) || other->me == NO_ID ||
		    s->all[i].peer < 0 || s->all[i].peer == other->me)
			all[(*count)++] = &s->all[i];
	return all;
}

static bool
sizes_agree(const struct point *a, const struct point *b)
{
	switch (a->kind) {
	case OPERATION_ALL_REDUCE:
	case OPERATION_ALL_GATHER:
	case OPERATION_REDUCE_SCATTER:
	case OPERATION_BROADCAST:
	case OPERATION_REDUCE:
		return a->bytes == NO_ID || b->bytes == NO_ID ||
		       a->bytes == b->bytes;
	default:
		return true; /* each rank may have another size */
	}
}

static bool
may_be_same(const struct point *a, const struct point *b)
{
	if (a->kind == OPERATION_SEND || a->kind == OPERATION_RECEIVE)
		return a->kind + b->kind == OPERATION_SEND + OPERATION_RECEIVE;
	return a->kind == b->kind && sizes_agree(a, b) &&
	       (a->peer < 0 || b->peer < 0 || is_message(a->kind) ||
		   a->peer == b->peer);
}

/* ---- shifts ---- */

struct shift {
	int64_t shift;
	int64_t residual;
};

/*
 * a search for the shift: operations of a and b, and where the clocks should be
 */
struct shift_search {
	const struct point **a, **b;
	int64_t a_count, b_count;
	int64_t least;      /* operations that must overlap */
	int64_t a_me, b_me; /* NO_ID: unknown */
	bool has_utc;
	int64_t utc; /* of b's time 0, less a's */
	int64_t *ends;
	int64_t (*measure)(int64_t *ends, size_t n, int64_t time);
};

static int64_t
from_of(int64_t shift)
{
	return shift < 0 ? -shift : 0;
}

static int64_t
overlap_of(const struct shift_search *s, int64_t shift)
{
	int64_t to = s->b_count - shift;

	if (to > s->a_count)
		to = s->a_count;
	return to - from_of(shift);
}

static int64_t
saturating_difference(int64_t a, int64_t b)
{
	int64_t d;

	if (__builtin_sub_overflow(a, b, &d))
		d = a < b ? INT64_MIN / 2 : INT64_MAX / 2;
	return d;
}

static int64_t
distance(const struct point *a, const struct point *b)
{
	return saturating_difference(a->end, b->end);
}

/*
 * the difference of the ends without the part that comes of clocks with other
 * rates: the slope between the first and the last third, as far as clocks have
 * it
 */
static void
take_trend(int64_t *ends, size_t n, int64_t time)
{
	size_t third = n / 3;
	int64_t *copy, slope;
	wide most;

	if (third == 0 || time <= 0)
		return;
	copy = mem_resize(NULL, n, sizeof(*copy));
	memcpy(copy, ends, n * sizeof(*copy));
	slope = saturating_difference(
	    median_of(copy + n - third, third), median_of(copy, third));
	free(copy);
	most = (wide)time * BOUNDS_DRIFT / BOUNDS_UNIT;
	if (slope > most)
		slope = (int64_t)most;
	if (slope < -most)
		slope = (int64_t)-most;
	for (size_t i = 0; i < n; i++)
		ends[i] = saturating_difference(ends[i],
		    (int64_t)((wide)slope * (int64_t)i * 3 / ((int64_t)n * 2)));
}

/* how far the ends are from a line */
static int64_t
off_line(int64_t *ends, size_t n, int64_t time)
{
	take_trend(ends, n, time);
	return median_distance(ends, n, median_of(ends, n));
}

/* how unlike the steps are from one operation to the next, which stay alike
   where a clock was set */
static int64_t
off_steps(int64_t *ends, size_t n, int64_t time)
{
	(void)time;
	if (n < 2)
		return 0;
	for (size_t i = 0; i + 1 < n; i++)
		ends[i] = saturating_difference(ends[i + 1], ends[i]);
	return median_distance(ends, n - 1, median_of(ends, n - 1));
}

/* the residual of a shift by n operations spread over the overlap; -1: they
   are not the same */
static int64_t
residual_of(const struct shift_search *s, int64_t shift, int64_t n)
{
	int64_t overlap = overlap_of(s, shift), from = from_of(shift);
	const struct point *first = NULL, *last = NULL;

	if (n > overlap)
		n = overlap;
	if (n < 1)
		return -1;
	for (int64_t k = 0; k < n; k++) {
		int64_t i = from + (n > 1 ? k * (overlap - 1) / (n - 1) : 0);
		const struct point *a = s->a[i], *b = s->b[i + shift];

		if (!may_be_same(a, b))
			return -1;
		first = k == 0 ? a : first;
		last = a;
		s->ends[k] = distance(a, b);
	}
	return s->measure(
	    s->ends, (size_t)n, time_between(first->end, last->end));
}

/* where UTC is known, clocks of machines are within seconds of each other */
static int64_t
off_utc(const struct shift_search *s, int64_t shift)
{
	int64_t i = from_of(shift) + overlap_of(s, shift) / 2;
	wide d = (wide)distance(s->a[i], s->b[i + shift]) - s->utc;

	d = d < 0 ? -d : d;
	return d < INT64_MAX ? (int64_t)d : INT64_MAX;
}

static void
keep_best(struct shift *best, size_t *count, size_t most, struct shift s)
{
	size_t i = *count;

	if (i == most && best[i - 1].residual <= s.residual)
		return;
	if (i == most)
		i--;
	else
		(*count)++;
	for (; i > 0 && best[i - 1].residual > s.residual; i--)
		best[i] = best[i - 1];
	best[i] = s;
}

/* ---- what matches prove ---- */

static void
bound_above(struct bounds *bounds, const struct pair_match *m)
{
	int64_t y;

	if (!__builtin_sub_overflow(m->a->end, m->b->start, &y))
		bounds_most(bounds, m->b->start, y);
}

static void
bound_below(struct bounds *bounds, const struct pair_match *m)
{
	int64_t y;

	if (!__builtin_sub_overflow(m->a->start, m->b->end, &y))
		bounds_least(bounds, m->b->end, y);
}

/* from is where data comes from, and to cannot end before it entered */
static void
bound_flow(struct bounds *bounds, const struct pair_match *m, int32_t from)
{
	if (from < 0 || m->a_me == m->b_me)
		return;
	if (from == m->a_me)
		bound_below(bounds, m);
	else if (from == m->b_me)
		bound_above(bounds, m);
}

/* a root that everybody sends to cannot end before anybody entered */
static void
bound_root(struct bounds *bounds, const struct pair_match *m, int32_t root)
{
	if (root < 0 || m->a_me == m->b_me)
		return;
	if (root == m->a_me)
		bound_above(bounds, m);
	else if (root == m->b_me)
		bound_below(bounds, m);
}

/* a message between the two ranks, with data in it */
static bool
are_peers(const struct pair_match *m)
{
	return m->a_me >= 0 && m->b_me >= 0 && m->a->peer == m->b_me &&
	       m->b->peer == m->a_me && m->a->bytes != 0 && m->b->bytes != 0;
}

void
pairing_bound(struct bounds *bounds, const struct pair_match *m)
{
	switch (m->a->kind) {
	case OPERATION_ALL_REDUCE:
	case OPERATION_ALL_GATHER:
	case OPERATION_REDUCE_SCATTER:
	case OPERATION_BARRIER:
	case OPERATION_ALL_TO_ALL:
		bound_above(bounds, m);
		bound_below(bounds, m);
		break;
	case OPERATION_BROADCAST:
	case OPERATION_SCATTER:
		bound_flow(bounds, m, m->a->peer);
		break;
	case OPERATION_REDUCE:
	case OPERATION_GATHER:
		bound_root(bounds, m, m->a->peer);
		break;
	case OPERATION_SEND:
		if (are_peers(m))
			bound_below(bounds, m);
		break;
	case OPERATION_RECEIVE:
		if (are_peers(m))
			bound_above(bounds, m);
		break;
	case OPERATION_SEND_RECEIVE:
		if (are_peers(m)) {
			bound_above(bounds, m);
			bound_below(bounds, m);
		}
		break;
	default:
		break;
	}
}

static int32_t
short_rank(int64_t rank)
{
	return rank >= 0 && rank <= INT32_MAX ? (int32_t)rank : -1;
}

static struct pair_match
match_at(const struct shift_search *s, int64_t i, int64_t shift)
{
	return (struct pair_match){
	    s->a[i], s->b[i + shift], short_rank(s->a_me), short_rank(s->b_me)};
}

/* true if all operations of a shift may be the same */
static bool
agrees(const struct shift_search *s, int64_t shift)
{
	int64_t from = from_of(shift), n = overlap_of(s, shift);

	for (int64_t i = from; i < from + n; i++)
		if (!may_be_same(s->a[i], s->b[i + shift]))
			return false;
	return true;
}

/* and if no two of them contradict each other */
static bool
is_possible(const struct shift_search *s, int64_t shift)
{
	int64_t from = from_of(shift), n = overlap_of(s, shift), least, most;
	struct bounds bounds = {0};
	bool possible;

	if (!agrees(s, shift))
		return false;
	for (int64_t i = from; i < from + n; i++) {
		struct pair_match m = match_at(s, i, shift);

		pairing_bound(&bounds, &m);
	}
	bounds_finish(&bounds);
	possible = bounds_drifts(&bounds, &least, &most);
	bounds_free(&bounds);
	return possible;
}

/* ---- the search ---- */

/* the shifts with the least residuals by n operations, of the shifts in from */
static size_t
look_closer(const struct shift_search *s, const struct shift *from,
    size_t count, int64_t n, struct shift *best, size_t most)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		int64_t residual = residual_of(s, from[i].shift, n);

		if (residual >= 0)
			keep_best(best, &kept, most,
			    (struct shift){from[i].shift, residual});
	}
	return kept;
}

static size_t
look_through(const struct shift_search *s, struct shift best[ROUGH_KEPT])
{
	int64_t low = s->least - s->a_count, high = s->b_count - s->least;
	size_t kept = 0;

	for (int64_t shift = low; shift <= high; shift++) {
		int64_t residual;

		if (overlap_of(s, shift) < s->least ||
		    (s->has_utc && off_utc(s, shift) > UTC_MOST))
			continue;
		residual = residual_of(s, shift, ROUGH);
		if (residual >= 0)
			keep_best(best, &kept, ROUGH_KEPT,
			    (struct shift){shift, residual});
	}
	return kept;
}

/* the possible shift that UTC is near to; SIZE_MAX: none */
static size_t
near_utc(const struct shift_search *s, const struct shift *all, size_t count)
{
	size_t found = SIZE_MAX;

	if (!s->has_utc)
		return found;
	for (size_t i = 0; i < count; i++) {
		if (off_utc(s, all[i].shift) > UTC_NEAR)
			continue;
		if (found != SIZE_MAX)
			return SIZE_MAX;
		found = i;
	}
	return found;
}

static void
choose(struct rank_pairing *p, const struct shift_search *s,
    const struct shift *all, size_t count)
{
	size_t best = 0;
	bool clear;

	if (count == 0) {
		p->result = PAIRING_NONE;
		return;
	}
	clear = count == 1 || all[0].residual < all[1].residual / 3;
	if (!clear && (best = near_utc(s, all, count)) == SIZE_MAX) {
		p->result = PAIRING_AMBIGUOUS;
		p->shift = all[0].shift;
		p->other = all[1].shift;
		return;
	}
	p->result = PAIRING_GOOD;
	p->by_utc = !clear;
	p->shift = all[best].shift;
	p->residual = all[best].residual;
}

/*
 * Of shifts in order of their residuals, copy the possible ones to all, no more
 * of them than it takes to see that the first is by far the best.
 */
static size_t
keep_possible(const struct shift_search *s, const struct shift *from,
    size_t count, struct shift *all)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept == 1 && all[0].residual < from[i].residual / 3)
			break;
		if (is_possible(s, from[i].shift))
			all[kept++] = from[i];
	}
	return kept;
}

static void
find_shift(struct rank_pairing *p, const struct shift_search *s)
{
	struct shift rough[ROUGH_KEPT], fine[KEPT], whole[KEPT];
	size_t n = look_through(s, rough);

	n = look_closer(s, rough, n, FINE, fine, KEPT);
	n = look_closer(s, fine, n, FINEST, whole, KEPT);
	n = keep_possible(s, whole, n, fine);
	choose(p, s, fine, n);
}

/* both number their operations alike */
static void
take_numbers(struct rank_pairing *p, const struct shift_search *s,
    const struct rank_sequence *a, const struct rank_sequence *b)
{
	p->shift = a->first - b->first;
	if (overlap_of(s, p->shift) < PAIRING_LEAST) {
		p->result = PAIRING_FEW;
		return;
	}
	p->residual = residual_of(s, p->shift, INT64_MAX);
	p->result = p->residual >= 0 ? PAIRING_GOOD : PAIRING_NONE;
}

static void
add_matches(struct rank_pairing *p, const struct shift_search *s)
{
	int64_t from = from_of(p->shift), n = overlap_of(s, p->shift);

	for (int64_t i = from; i < from + n; i++)
		*array_add(&p->all, &p->count, &p->cap) =
		    match_at(s, i, p->shift);
}

static void
run_search(struct rank_pairing *p, struct shift_search *s,
    const struct rank_sequence *a, const struct rank_sequence *b)
{
	int64_t shorter = s->a_count < s->b_count ? s->a_count : s->b_count;

	s->least = (shorter + 1) / 2;
	if (s->least < PAIRING_LEAST)
		s->least = PAIRING_LEAST;
	if (shorter < PAIRING_LEAST)
		p->result = PAIRING_FEW;
	else if (a->absolute && b->absolute &&
		 s->a_count == (int64_t)a->count &&
		 s->b_count == (int64_t)b->count)
		take_numbers(p, s, a, b);
	else
		find_shift(p, s);
	if (p->result == PAIRING_AMBIGUOUS) {
		s->measure = off_steps;
		find_shift(p, s);
	}
	if (p->result == PAIRING_GOOD)
		add_matches(p, s);
}

void
pairing_find(struct rank_pairing *p, const struct pairing_side *a,
    const struct pairing_side *b)
{
	size_t a_count, b_count;
	struct shift_search s = {
	    .a = common_points(a->sequence, b->sequence, &a_count),
	    .b = common_points(b->sequence, a->sequence, &b_count),
	    .measure = off_line,
	    .a_me = a->sequence->me,
	    .b_me = b->sequence->me};

	*p = (struct rank_pairing){0};
	s.a_count = (int64_t)a_count;
	s.b_count = (int64_t)b_count;
	s.has_utc = a->utc != NO_ID && b->utc != NO_ID &&
		    !__builtin_sub_overflow(b->utc, a->utc, &s.utc);
	s.ends = mem_resize(NULL, a_count + 1, sizeof(*s.ends));
	run_search(p, &s, a->sequence, b->sequence);
	free(s.ends);
	free(s.a);
	free(s.b);
}

void
pairing_free(struct rank_pairing *p)
{
	free(p->all);
	*p = (struct rank_pairing){0};
}
