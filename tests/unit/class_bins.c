/* class_bins.c - the strip, spread and lane of a page, against sums one by one
 */

#include <inttypes.h>
#include <math.h>

#include "page/thread_intervals.h"
#include "page/duration_bins.h"
#include "page/class_bins.h"
#include "check.h"

/* ---- strip ---- */

static uint64_t
whole(const struct class_bins *s, unsigned c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < STRIP_BINS; i++)
		sum += class_bins_get(s, c, i);
	return sum;
}

/* Segments one behind the other, of up to so many ns. */
static void
test_segments(uint64_t longest)
{
	struct class_bins s;
	uint64_t sums[STRIP_CLASSES] = {0};
	int64_t begin = -5000, at = begin;

	class_bins_begin(&s, begin);
	for (int i = 0; i < 3000; i++) {
		unsigned c = (unsigned)(check_random() % STRIP_CLASSES);
		int64_t to = at + (int64_t)(check_random() % longest);

		class_bins_add(&s, c, at, to);
		sums[c] += (uint64_t)(to - at);
		at = to;
	}
	for (unsigned c = 0; c < STRIP_CLASSES; c++) {
		CHECK(whole(&s, c) == sums[c], "class %u of %" PRIu64, c,
		    longest);
		CHECK(class_bins_time(&s, c, begin, at) == sums[c],
		    "time of class %u of %" PRIu64, c, longest);
	}
	for (size_t i = 0; i + 1 < class_bins_used(&s); i++) {
		uint64_t sum = 0;

		for (unsigned c = 0; c < STRIP_CLASSES; c++)
			sum += class_bins_get(&s, c, i);
		CHECK(sum == s.width, "bin %zu of %" PRIu64, i, longest);
	}
	CHECK(s.width == STRIP_WIDTH || class_bins_used(&s) > STRIP_BINS / 2,
	    "%zu bins of %" PRIu64, class_bins_used(&s), longest);
	class_bins_free(&s);
}

static void
test_strip(void)
{
	struct class_bins s;

	for (uint64_t longest = 1; longest < (uint64_t)1 << 50; longest *= 32)
		test_segments(longest);
	class_bins_begin(&s, 100);
	class_bins_add(&s, 0, 0, 50);
	CHECK(class_bins_used(&s) == 0, "all of it is before the begin");
	class_bins_add(&s, 0, 50, 600);
	CHECK(whole(&s, 0) == 500, "the part before the begin is cut");
	CHECK(
	    class_bins_time(&s, 0, 100, 600) == 500, "the last bin ends there");
	class_bins_add(&s, 1, 600, 1100);
	CHECK(class_bins_time(&s, 0, 100, 600) == 250,
	    "half a bin, half its time");
	CHECK(class_bins_time(&s, 2, 100, 600) == 0, "of another class");
	class_bins_free(&s);
	class_bins_begin(&s, INT64_MIN);
	class_bins_add(&s, 0, INT64_MIN, INT64_MAX);
	CHECK(whole(&s, 0) == UINT64_MAX, "all times there are");
	CHECK(class_bins_time(&s, 0, INT64_MIN, INT64_MAX) == UINT64_MAX,
	    "the same time");
	class_bins_free(&s);
	CHECK(class_bins_used(&s) > STRIP_BINS / 2, "in %zu bins",
	    class_bins_used(&s));
}

/* ---- spread ---- */

static void
test_fill(bool approx)
{
	struct dist d = {0};
	struct duration_bins s;

	if (approx)
		dist_approximate(&d);
	for (int64_t v = 1; v <= 2048; v++)
		dist_add(&d, v);
	dist_sort(&d);
	duration_bins_fill(&s, &d);
	CHECK(s.counts[4] == 2 && s.counts[5] == 2, "4 and 5, 6 and 7");
	CHECK(s.counts[14] + s.counts[15] == 128, "128 to 255");
	CHECK(s.counts[20] + s.counts[21] == 1024, "1024 to 2047");
	CHECK(s.counts[22] == 1, "2048");
	dist_free(&d);
}

static void
test_spread(void)
{
	CHECK(duration_bins_bin(INT64_MIN) == 0 && duration_bins_bin(0) == 0 &&
		  duration_bins_bin(1) == 0,
	    "the first bin");
	for (unsigned i = 40; i < 90; i++)
		CHECK(duration_bins_bin(duration_bins_from(i) + 2000) == i &&
			  duration_bins_bin(duration_bins_from(i) - 2000) ==
			      i - 1,
		    "bin %u from %" PRId64, i, duration_bins_from(i));
	CHECK(duration_bins_bin(INT64_MAX) == 125, "the last bin");
	for (unsigned i = 0; i < 10000; i++) {
		int64_t v =
		    (int64_t)(check_random() >> (check_random() % 62 + 2));
		long double exact = v > 0 ? 2 * log2l((long double)v) : 0;
		unsigned bin = duration_bins_bin(v);

		CHECK((long double)bin <= exact + 1e-9L &&
			  (long double)bin > exact - 1 - 1e-9L,
		    "%" PRId64 " in %u", v, bin);
	}
	test_fill(false);
	test_fill(true);
}

/* ---- lane ---- */

static void
test_lane(unsigned n, uint64_t longest)
{
	struct thread_intervals l = {0};
	int64_t at = 0, ends = 0;
	uint64_t count = 0, time = 0;

	for (unsigned i = 0; i < n; i++) {
		int64_t from = at + (int64_t)(check_random() % 100);
		int64_t to = from + (int64_t)(check_random() % longest);

		thread_intervals_add(&l, from, to, i);
		time += (uint64_t)(to - from);
		at = ends = to;
	}
	CHECK(l.count <= LANE_MOST, "%zu of %u are kept", l.count, n);
	CHECK(n < LANE_MOST || l.count > LANE_MOST / 8, "only %zu of %u are",
	    l.count, n);
	for (size_t i = 0; i < l.count; i++) {
		CHECK(l.all[i].name == count, "%zu begins with %u", i,
		    l.all[i].name);
		CHECK(i == 0 || l.all[i].from >= l.all[i - 1].to,
		    "%zu is behind the one before", i);
		count += l.all[i].count;
	}
	CHECK(
	    count == n && l.added == n && l.time == time, "the sums of %u", n);
	CHECK(n == 0 || l.all[l.count - 1].to == ends, "the end of %u", n);
	thread_intervals_free(&l);
}

/* What is long stays apart from the short ones between. */
static void
test_long(void)
{
	struct thread_intervals l = {0};
	int64_t at = 0;
	size_t alone = 0;

	for (uint32_t i = 0; i < 100; i++) {
		thread_intervals_add(&l, at, at + 1000000, i);
		at += 1000000;
		for (uint32_t j = 0; j < 99; j++, at += 100)
			thread_intervals_add(&l, at, at + 100, j);
	}
	for (size_t i = 0; i < l.count; i++)
		alone += l.all[i].count == 1 &&
			 l.all[i].to - l.all[i].from == 1000000;
	CHECK(alone == 100, "%zu long ones of 100", alone);
	thread_intervals_free(&l);
}

int
main(void)
{
	test_strip();
	test_spread();
	for (unsigned n = 0; n < 100000; n = 3 * n + 1)
		for (uint64_t longest = 1; longest < 1000000000; longest *= 100)
			test_lane(n, longest);
	test_long();
	return check_status();
}
