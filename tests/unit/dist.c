/*
 * dist.c - distributions, exact and as sketches, of integers of all sizes,
 * against what is told of them one by one
 */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "sums/dist.h"
#include "check.h"

enum { MOST = 3000 };

static int
compare(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* n of at most so many bits, below and above 0 in some rounds */
static void
fill(int64_t *v, size_t n, unsigned bits, unsigned round)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t x = check_random() >> (64 - bits);

		if (round % 3 == 0)
			x &= ~(uint64_t)31;
		if (round % 5 == 0 && check_random() % 2 == 0)
			x = -x;
		v[i] = (int64_t)x;
	}
}

static bool
within(int64_t v, int64_t of)
{
	wide error = (wide)v - of, size = of < 0 ? -(wide)of : of;

	if (size < SKETCH_ERROR)
		return error == 0;
	return (error < 0 ? -error : error) * SKETCH_ERROR < size;
}

/* as the textbook has it; up to what rounding does */
static bool
deviates(long double stddev, const int64_t *v, size_t n, wide sum)
{
	long double mean = n > 0 ? (long double)sum / (long double)n : 0;
	long double squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	squares = n > 1 ? sqrtl(squares / (long double)(n - 1)) : 0;
	return fabsl(stddev - squares) > squares * 1e-12L;
}

static void
check_round(unsigned round)
{
	static int64_t v[MOST];
	struct dist d = {0}, all = {.approx = true};
	struct dist parts[2] = {{.approx = true}, {0}};
	size_t n = check_random() % MOST;
	wide sum = 0;

	fill(v, n, 1 + check_random() % 64, round);
	for (size_t i = 0; i < n; i++) {
		sum += v[i];
		dist_add(&d, v[i]);
		dist_add(&all, v[i]);
		dist_add(&parts[check_random() % 2], v[i]);
	}
	dist_merge(&parts[1], &parts[0]);
	dist_approximate(&parts[1]);
	qsort(v, n, sizeof(*v), compare);
	dist_sort(&d);
	dist_sort(&all);
	dist_sort(&parts[1]);
	CHECK((all.sketch != NULL) == (n > DIST_EXACT), "%zu in a sketch", n);
	for (size_t i = 0; i < n; i++) {
		CHECK(dist_at(&d, i) == v[i], "%u: %zu of %zu", round, i, n);
		if (i % 16 != round % 16) /* it takes its time */
			continue;
		CHECK(within(dist_at(&all, i), v[i]),
		    "%u: %" PRId64 " for %" PRId64, round, dist_at(&all, i),
		    v[i]);
		CHECK(dist_at(&all, i) == dist_at(&parts[1], i), "%u: merged",
		    round);
	}
	for (unsigned b = 0; b < 64; b++) {
		int64_t from = dist_bucket_from(b);
		size_t below = 0;

		while (below < n && v[below] < from)
			below++;
		CHECK(dist_below(&d, from) == below, "%u: below", round);
		CHECK(dist_below(&all, from) == below, "%u: below", round);
	}
	CHECK(dist_min(&all) == dist_min(&d), "%u: min", round);
	CHECK(dist_max(&all) == dist_max(&d), "%u: max", round);
	CHECK(all.sum == sum && d.sum == sum && parts[1].sum == sum, "sum");
	CHECK(!deviates(dist_stddev(&d), v, n, sum), "%u: stddev", round);
	CHECK(dist_stddev(&all) >= dist_stddev(&d) &&
		  dist_stddev(&all) <= dist_stddev(&d),
	    "%u: stddev", round);
	dist_free(&d);
	dist_free(&all);
	dist_free(&parts[0]);
	dist_free(&parts[1]);
}

static void
test_ends(void)
{
	static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -256, -255, -1,
	    0, 1, 127, 128, 255, 256, 257, INT64_MAX};
	int last = SKETCH_FIRST - 1;

	CHECK(sketch_bucket(INT64_MIN) == SKETCH_FIRST, "the first");
	CHECK(sketch_bucket(INT64_MAX) == SKETCH_LAST, "the last");
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		CHECK(within(sketch_middle(sketch_bucket(ends[i])), ends[i]),
		    "%" PRId64, ends[i]);
	for (int b = SKETCH_FIRST; b <= SKETCH_LAST; b++) {
		CHECK(sketch_bucket(sketch_middle(b)) == b, "bucket %d", b);
		CHECK(b > last, "bucket %d", b);
		last = b;
	}
}

/* a small variance of large numbers is not lost */
static void
test_stddev(void)
{
	struct squares s = {0};
	wide sum = 0;

	for (int64_t i = -1; i <= 1; i++) {
		squares_add(&s, INT64_MAX - 1 + i);
		sum += INT64_MAX - 1 + i;
	}
	CHECK(fabsl(squares_stddev(&s, 3, sum) - 1) < 1e-15L, "%Lg",
	    squares_stddev(&s, 3, sum));
	CHECK(squares_stddev(&s, 1, sum) <= 0, "of one");
}

int
main(void)
{
	test_ends();
	test_stddev();
	for (unsigned round = 0; round < 200; round++)
		check_round(round);
	return check_status();
}
