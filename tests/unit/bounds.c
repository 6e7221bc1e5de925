/*
 * bounds.c - hulls allow the same lines as all bounds do, and medians are those
 * of sorted values
 */

#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "check.h"
#include "median.h"

enum { COUNT = 200, ROUNDS = 300 };

static uint64_t state = 88172645463325252;

/* -most to most */
static int64_t
any(int64_t most)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state % (uint64_t)(2 * most + 1)) - most;
}

/* ---- medians ---- */

static int
compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void
check_medians(void)
{
	int64_t v[COUNT], sorted[COUNT];

	for (int round = 0; round < ROUNDS; round++) {
		size_t n = 1 + (size_t)round % COUNT;

		for (size_t i = 0; i < n; i++)
			v[i] = any(round % 7 == 0 ? 3 : 1000000);
		memcpy(sorted, v, sizeof(v));
		qsort(sorted, n, sizeof(*sorted), compare);
		CHECK(median_of(v, n) == sorted[(n - 1) / 2],
		    "round %d: not the median", round);
	}
	for (size_t i = 0; i < 3; i++)
		v[i] = i == 1 ? INT64_MIN : INT64_MAX;
	CHECK(median_distance(v, 3, 0) == INT64_MAX, "distance of 2^63");
}

/* ---- bounds ---- */

/* a line between which and its bounds there is room, but little at some */
static void
add_bounds(struct bounds *b, struct bound *most, struct bound *least,
    int64_t offset, int64_t drift)
{
	for (size_t i = 0; i < COUNT; i++) {
		int64_t x = any(1000000000), on = offset + x * drift / 1000000;

		most[i] = (struct bound){x, on + 10 + (any(50000) + 50000)};
		x = any(1000000000);
		on = offset + x * drift / 1000000;
		least[i] = (struct bound){x, on - 10 - (any(50000) + 50000)};
		bounds_most(b, most[i].x, most[i].y);
		bounds_least(b, least[i].x, least[i].y);
	}
	bounds_finish(b);
}

/* what all bounds, one by one, say of a drift, times BOUNDS_UNIT */
static void
by_hand(const struct bound *most, const struct bound *least, int64_t drift,
    __int128_t *low, __int128_t *high)
{
	for (size_t i = 0; i < COUNT; i++) {
		__int128_t up = (__int128_t)most[i].y * BOUNDS_UNIT -
				(__int128_t)drift * most[i].x;
		__int128_t down = (__int128_t)least[i].y * BOUNDS_UNIT -
				  (__int128_t)drift * least[i].x;

		*high = i == 0 || up < *high ? up : *high;
		*low = i == 0 || down > *low ? down : *low;
	}
}

static void
check_drift(const struct bounds *b, const struct bound *most,
    const struct bound *least, int64_t drift, bool expected)
{
	__int128_t low = 0, high = 0;
	int64_t from, to;

	by_hand(most, least, drift, &low, &high);
	CHECK((low <= high) == expected, "drift %lld: room %d",
	    (long long)drift, low <= high);
	if (!bounds_offsets(b, drift, &from, &to))
		return;
	CHECK((__int128_t)from * BOUNDS_UNIT >= low &&
		  (__int128_t)(from - 1) * BOUNDS_UNIT < low,
	    "drift %lld: least offset %lld", (long long)drift, (long long)from);
	CHECK((__int128_t)to * BOUNDS_UNIT <= high &&
		  (__int128_t)(to + 1) * BOUNDS_UNIT > high,
	    "drift %lld: most offset %lld", (long long)drift, (long long)to);
}

static void
check_bounds(void)
{
	struct bound most[COUNT], least[COUNT];

	for (int round = 0; round < ROUNDS; round++) {
		struct bounds b = {0};
		int64_t offset = any(1000000000), drift = any(150);
		int64_t from, to, low, high;

		add_bounds(&b, most, least, offset, drift);
		CHECK(b.upper.count < COUNT / 4 && b.lower.count < COUNT / 4,
		    "round %d: hulls have %zu, %zu corners", round,
		    b.upper.count, b.lower.count);
		if (!bounds_drifts(&b, &from, &to)) {
			CHECK(false, "round %d: no line", round);
			continue;
		}
		/* the last that is allowed, and the next that is not */
		check_drift(&b, most, least, from, true);
		check_drift(&b, most, least, to, true);
		if (from > -BOUNDS_DRIFT)
			check_drift(&b, most, least, from - 1, false);
		if (to < BOUNDS_DRIFT)
			check_drift(&b, most, least, to + 1, false);
		bounds_at(&b, from, to, 0, &low, &high);
		CHECK(low <= offset && offset <= high,
		    "round %d: the truth is outside", round);
		bounds_free(&b);
	}
}

static void
check_contradictions(void)
{
	struct bounds b = {0};
	int64_t from, to;

	bounds_finish(&b);
	CHECK(bounds_drifts(&b, &from, &to) && from == -BOUNDS_DRIFT &&
		  to == BOUNDS_DRIFT,
	    "nothing is not anything");
	bounds_at(&b, from, to, 5, &from, &to);
	CHECK(from == INT64_MIN && to == INT64_MAX, "nothing bounds a value");
	bounds_free(&b);
	bounds_most(&b, 0, 10);
	bounds_least(&b, 1000, 11 + 1); /* 2000 parts of a million above it */
	bounds_finish(&b);
	CHECK(!bounds_drifts(&b, &from, &to), "a contradiction is allowed");
	bounds_free(&b);
	bounds_most(&b, INT64_MAX, INT64_MAX);
	bounds_least(&b, INT64_MIN, INT64_MIN);
	bounds_most(&b, INT64_MIN, INT64_MAX);
	bounds_finish(&b);
	CHECK(bounds_drifts(&b, &from, &to), "times at the ends of 64 bits");
	bounds_free(&b);
}

int
main(void)
{
	check_medians();
	check_bounds();
	check_contradictions();
	return check_status();
}
