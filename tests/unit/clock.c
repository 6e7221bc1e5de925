/* clock.c - ticks become times that never go back and stay near the kernel's */

#include <stdlib.h>
#include <time.h>

#include "lines/clock.h"
#include "arena/ticks.h"
#include "check.h"

enum { NEAR = 1000, ADJUSTS = 20, STEPS = 1000 };

/* ns of the trace, by the kernel */
static int64_t
kernel_now(const struct clock *c)
{
	return (int64_t)ticks_system() - c->origin;
}

/* how far the clock is off, at the best of some tries */
static int64_t
error_of(const struct clock *c)
{
	int64_t least = INT64_MAX;

	for (int i = 0; i < 100; i++) {
		int64_t before = kernel_now(c), ours = clock_now(c);
		int64_t after = kernel_now(c), off = 0;

		if (ours < before)
			off = before - ours;
		if (ours > after)
			off = ours - after;
		if (off < least)
			least = off;
	}
	return least;
}

/* around each bend, in small steps, and over all of it in large ones */
static void
test_order(const struct clock *c)
{
	int64_t resolution = clock_resolution(c);

	for (size_t i = 0; i < c->count; i++) {
		uint64_t at = c->pieces[i].at;
		int64_t before = clock_ns(c, at - STEPS);

		for (uint64_t t = at - STEPS; t < at + STEPS; t++) {
			int64_t ns = clock_ns(c, t);

			CHECK(ns >= before && ns - before <= 1 + resolution,
			    "bend %zu: %jd after %jd", i, (intmax_t)ns,
			    (intmax_t)before);
			before = ns;
		}
	}
	for (uint64_t t = 0, n = 0; n < 1000; n++, t += UINT64_MAX / 1000)
		CHECK(clock_ns(c, t) <= clock_ns(c, t + UINT64_MAX / 1000),
		    "step %ju", (uintmax_t)n);
}

static void
test_limits(const struct clock *c)
{
	CHECK(clock_ns(c, UINT64_MAX) <= CLOCK_MOST, "the last tick");
	CHECK(clock_ns(c, 0) >= -CLOCK_MOST && clock_ns(c, 0) < 0,
	    "the first tick");
	CHECK(clock_span(c, 0) == 0, "no ticks");
	CHECK(clock_span(c, UINT64_MAX) == 0 &&
		  clock_span(c, UINT64_MAX / 4) == 0,
	    "nonsense");
	CHECK(clock_span(c, 1000000) > 0, "a span");
}

static void
test_clock(enum clock_choice choice)
{
	struct timespec pause = {0, 2000000};
	struct clock c;

	if (!clock_open(&c, choice)) {
		CHECK(choice == CLOCK_COUNTER, "only the counter may lack");
		clock_close(&c);
		return;
	}
	CHECK(error_of(&c) < 100 * NEAR, "at first, off by %jd ns",
	    (intmax_t)error_of(&c));
	for (int i = 0; i < ADJUSTS; i++) {
		uint64_t now = c.counter ? ticks_counter() : ticks_system();
		int64_t before = clock_ns(&c, now);

		clock_adjust(&c);
		CHECK(clock_ns(&c, now) == before, "what was told stays");
		nanosleep(&pause, NULL);
	}
	CHECK(error_of(&c) < NEAR, "off by %jd ns", (intmax_t)error_of(&c));
	CHECK(c.count == (c.counter ? ADJUSTS + 1 : 1), "%zu pieces", c.count);
	test_order(&c);
	test_limits(&c);
	CHECK(strcmp(clock_name(&c), c.counter ? "tsc" : "monotonic") == 0,
	    "%s", clock_name(&c));
	CHECK(clock_cost(&c) > 0 && clock_cost(&c) < 100000, "%f ns a reading",
	    clock_cost(&c));
	clock_close(&c);
}

/* a counter that was taken to be fast, and then is right again in a second */
static void
test_bend(void)
{
	struct clock c;
	int64_t off;

	if (!clock_open(&c, CLOCK_COUNTER))
		return;
	c.pieces[0].slope += c.pieces[0].slope / 100;
	off = clock_now(&c) - kernel_now(&c);
	clock_adjust(&c);
	CHECK(off > 10000, "%jd ns too fast", (intmax_t)off);
	CHECK(c.pieces[1].slope < c.pieces[0].slope, "slower");
	off = clock_ns(&c, c.pieces[1].at + ((uint64_t)1000000000 << 32) /
						c.pieces[1].slope) -
	      c.pieces[1].from;
	CHECK(off > 999000000 && off <= 1000000000, "%jd ns in a second",
	    (intmax_t)off);
	clock_close(&c);
}

/* counters of 1 GHz, 62.5, 31.25 and 25 MHz, and one that was measured badly */
static void
test_resolution(void)
{
	static const struct {
		uint64_t slope;
		int64_t want;
	} rows[] = {{(uint64_t)1 << 32, 1}, {(uint64_t)16 << 32, 16},
	    {(uint64_t)32 << 32, 32}, {(uint64_t)40 << 32, 40},
	    {((uint64_t)40 << 32) + 4000, 40},
	    {((uint64_t)40 << 32) - 4000, 40}, {(uint64_t)1 << 30, 1}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct clock_piece pieces[] = {
		    {5000, 0, rows[i].slope}, {9000, 0, rows[i].slope}};
		struct clock c = {true, .pieces = pieces, .count = 2};

		pieces[1].from = clock_span(&c, 4000);
		CHECK(clock_resolution(&c) == rows[i].want, "row %zu: %jd", i,
		    (intmax_t)clock_resolution(&c));
		test_order(&c);
	}
}

int
main(void)
{
	test_clock(CLOCK_AUTO);
	test_clock(CLOCK_COUNTER);
	test_clock(CLOCK_SYSTEM);
	test_bend();
	test_resolution();
	return check_status();
}
