/* lanes.c - slices that would cross go to lanes, and all others do not */

#include <inttypes.h>
#include <stdlib.h>

#include "check.h"
#include "../../common/draw/lanes.h"
#include "tq/base/mem.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define OPEN LANES_OPEN

/* slices of a row in the order in which they come, and where each goes */
static const struct {
	const char *what;
	bool flat;
	struct {
		int64_t start, end;
		size_t lane;
	} slice[8];
} rows[] = {
    {"neighbours", false, {{0, 10, 0}, {10, 20, 0}}},
    {"nested", false, {{0, 10, 0}, {2, 8, 0}, {3, 8, 0}}},
    {"crossing", false, {{0, 10, 0}, {5, 15, 1}}},
    {"crossing by 1 ns", false, {{0, 10, 0}, {9, 11, 1}}},
    {"crossing siblings, not the latest end", false,
	{{0, 100, 0}, {10, 20, 0}, {15, 25, 1}}},
    {"crossing two", false, {{0, 10, 0}, {5, 15, 1}, {8, 20, 2}}},
    {"back to the first lane", false, {{0, 10, 0}, {5, 15, 1}, {10, 12, 0}}},
    {"the same twice", false, {{0, 10, 0}, {0, 10, 0}}},
    {"same start, longer first", false, {{0, 10, 0}, {0, 5, 0}}},
    {"same start, shorter first", false, {{0, 5, 0}, {0, 10, 1}}},
    {"same end", false, {{0, 10, 0}, {5, 10, 0}}},
    {"no time", false, {{5, 5, 0}, {5, 5, 0}, {6, 6, 0}}},
    {"no time in a slice", false, {{0, 10, 0}, {0, 0, 0}, {9, 9, 0}}},
    {"no time at the end of one", false, {{0, 10, 0}, {10, 10, 0}}},
    {"backwards in time", false, {{10, 20, 0}, {0, 5, 0}, {4, 6, 1}}},
    {"the outer one last", false, {{10, 20, 0}, {30, 40, 0}, {5, 50, 0}}},
    {"inside of an outer one that came last", false,
	{{10, 20, 0}, {5, 50, 0}, {30, 40, 0}}},
    {"the outer one last, with the same start", false,
	{{10, 20, 0}, {10, 50, 1}}},
    {"up and down again", false,
	{{0, 100, 0}, {10, 50, 0}, {20, 30, 0}, {60, 90, 0}, {5, 8, 0},
	    {85, 88, 0}, {95, 120, 1}}},
    {"down again after what crossed", false,
	{{0, 100, 0}, {10, 50, 0}, {20, 60, 1}, {30, 40, 0}, {35, 50, 1},
	    {50, 100, 0}, {55, 60, 0}}},
    {"open", false, {{0, OPEN, 0}, {5, 10, 0}}},
    {"open inside of what ends", false, {{0, 10, 0}, {5, OPEN, 1}}},
    {"open, and the same start", false, {{0, OPEN, 0}, {0, 5, 1}}},
    {"open twice", false, {{0, OPEN, 0}, {5, OPEN, 0}}},
    {"flat: neighbours", true, {{0, 10, 0}, {10, 20, 0}, {20, 20, 0}}},
    {"flat: nested", true, {{0, 10, 0}, {2, 8, 1}}},
    {"flat: the same twice", true, {{0, 10, 0}, {0, 10, 1}}},
    {"flat: no time at a start", true, {{0, 0, 0}, {0, 10, 1}}},
    {"flat: at the limits", true, {{INT64_MAX - 1, INT64_MAX, 0}, {0, 1, 0}}},
};

static void
check_rows(void)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct lanes l;

		lanes_init(&l, rows[i].flat, 0);
		for (size_t k = 0; rows[i].slice[k].end > 0 ||
				   rows[i].slice[k].start > 0 || k == 0;
		     k++) {
			size_t lane = lanes_place(
			    &l, rows[i].slice[k].start, rows[i].slice[k].end);

			CHECK(lane == rows[i].slice[k].lane,
			    "%s: slice %zu went to lane %zu", rows[i].what, k,
			    lane);
		}
		lanes_free(&l);
	}
}

/* a slice that comes late ends before the next one starts, or on a lane */
static void
check_apart(void)
{
	static const struct {
		int64_t start, end;
		size_t lane;
	} slice[] = {{20, 30, 0}, {30, 40, 0}, {10, 20, 1}, {15, 19, 0},
	    {50, 90, 0}, {60, 70, 0}, {55, 60, 1}, {70, 90, 0}, {40, 50, 1}};
	struct lanes l;

	lanes_init(&l, false, 0);
	l.apart = true;
	for (size_t i = 0; i < COUNT(slice); i++) {
		size_t lane = lanes_place(&l, slice[i].start, slice[i].end);

		CHECK(lane == slice[i].lane,
		    "apart: slice %zu went to lane %zu", i, lane);
	}
	lanes_free(&l);
}

/* the innermost slice at a time */
static void
check_find(void)
{
	static const struct {
		int64_t start, end;
	} slice[] = {{0, 100}, {10, 20}, {15, 60}, {20, 30}, {22, 23}};
	static const struct {
		int64_t ts;
		bool found;
		size_t lane;
		int64_t start, inner;
	} want[] = {{-1, false, 0, 0, 0}, {0, true, 0, 0, 10},
	    {9, true, 0, 0, 10}, {10, true, 0, 10, OPEN},
	    {18, true, 1, 15, OPEN}, {20, true, 0, 20, 22},
	    {22, true, 0, 20, 22}, {30, true, 0, 20, 22},
	    {31, true, 1, 15, OPEN}, {60, true, 1, 15, OPEN},
	    {70, true, 0, 0, 10}, {100, true, 0, 0, 10}, {101, false, 0, 0, 0}};
	struct lanes l;
	struct lanes_found f;

	lanes_init(&l, false, 0);
	for (size_t i = 0; i < COUNT(slice); i++)
		lanes_place(&l, slice[i].start, slice[i].end);
	for (size_t i = 0; i < COUNT(want); i++) {
		bool found = lanes_find(&l, want[i].ts, &f);

		CHECK(found == want[i].found &&
			  (!found || (f.lane == want[i].lane &&
					 f.start == want[i].start &&
					 f.inner == want[i].inner)),
		    "at %" PRId64 ": lane %zu, start %" PRId64
		    ", inner %" PRId64,
		    want[i].ts, f.lane, f.start, f.inner);
	}
	lanes_free(&l);
}

/* ---- many slices: no two of a lane may cross ---- */

struct slice {
	int64_t start, end;
	size_t lane, at;
};

static uint64_t seed;

static int64_t
below(int64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((seed >> 33) % (uint64_t)n);
}

static int
by_lane_and_start(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* the slices of a lane in the order of viewers: a stack of ends */
static void
check_lanes(const char *what, struct slice *s, size_t n, bool flat)
{
	int64_t *ends = mem_resize(NULL, n, sizeof(*ends));
	size_t depth = 0;

	qsort(s, n, sizeof(*s), by_lane_and_start);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && s[i].lane != s[i - 1].lane)
			depth = 0;
		while (depth > 0 && ends[depth - 1] <= s[i].start)
			depth--;
		CHECK(depth == 0 || ends[depth - 1] >= s[i].end,
		    "%s: [%" PRId64 ", %" PRId64 ") crosses on lane %zu", what,
		    s[i].start, s[i].end, s[i].lane);
		CHECK(!flat || depth == 0,
		    "%s: [%" PRId64 ", %" PRId64 ") lies in another", what,
		    s[i].start, s[i].end);
		CHECK(i == 0 || s[i].lane != s[i - 1].lane ||
			  s[i].start != s[i - 1].start ||
			  s[i].end == s[i - 1].end || s[i].at > s[i - 1].at,
		    "%s: the longer of two at %" PRId64 " came last", what,
		    s[i].start);
		ends[depth++] = s[i].end;
	}
	free(ends);
}

/* spread is how far the starts jump; window how far lanes look back */
static size_t
check_many(const char *what, bool flat, size_t window, int64_t step,
    int64_t spread, int64_t longest)
{
	enum { MANY = 20000 };
	struct slice *s = mem_alloc(MANY * sizeof(*s));
	struct lanes l;
	size_t count;

	lanes_init(&l, flat, window);
	for (size_t i = 0; i < MANY; i++) {
		s[i].start = (int64_t)i * step + below(spread);
		s[i].end = s[i].start + 1 + below(longest);
		s[i].at = i;
		s[i].lane = lanes_place(&l, s[i].start, s[i].end);
	}
	count = l.count;
	check_lanes(what, s, MANY, flat);
	lanes_free(&l);
	free(s);
	return count;
}

/* ranges of a thread inside out, as they come when they are projected */
static void
check_inside_out(void)
{
	enum { STEPS = 40, INNER = 1000 };
	struct lanes l;

	lanes_init(&l, false, 1 << 16);
	for (int64_t step = 0; step < STEPS; step++) {
		for (int64_t i = 1; i < INNER; i++) {
			int64_t start = (step * INNER + i) * 10;

			lanes_place(&l, start + 2, start + 5);
			lanes_place(&l, start + 1, start + 9);
		}
		lanes_place(&l, step * INNER * 10, (step + 1) * INNER * 10);
	}
	lanes_place(&l, -5, STEPS * INNER * 10);
	CHECK(l.count == 1, "inside out: %zu lanes", l.count);
	lanes_free(&l);
}

/* each inside of the one before: as deep as viewers draw, and no deeper */
static void
check_depth(bool inside_out)
{
	enum { DEEP = 5000 };
	struct lanes l;

	lanes_init(&l, false, 1 << 16);
	for (int64_t i = 0; i < DEEP; i++) {
		int64_t start = inside_out ? DEEP - i : i;

		lanes_place(&l, start, 3 * DEEP - start);
	}
	CHECK(inside_out ? l.count == 1 : l.count == DEEP / 200,
	    "deep, inside out %d: %zu lanes", inside_out, l.count);
	lanes_free(&l);
}

/*
 * The lane that is searched for is that of a try of all lanes, one after
 * another, as it is made for slices that come late: mostly in order, of any
 * length up to longest, or open.
 */
static void
check_search(bool flat, bool apart, int64_t spread, int64_t longest)
{
	enum { MANY = 20000 };
	struct lanes l, tried;

	lanes_init(&l, flat, 0);
	lanes_init(&tried, flat, 0);
	l.apart = tried.apart = apart;
	tried.latest = INT64_MAX;
	for (int64_t i = 0; i < MANY; i++) {
		int64_t late = below(20) == 0 ? below(spread) : 0;
		int64_t start = i * 3 / 2 - late;
		int64_t end = start + below(below(longest) + 1);
		size_t a, b;

		if (below(500) == 0)
			end = OPEN;
		a = lanes_place(&l, start, end);
		b = lanes_place(&tried, start, end);
		CHECK(a == b,
		    "slice %" PRId64 " of at most %" PRId64
		    " went to lane %zu, not %zu",
		    i, longest, a, b);
	}
	lanes_free(&l);
	lanes_free(&tried);
}

int
main(void)
{
	size_t lanes;

	check_rows();
	check_apart();
	check_find();
	for (uint64_t run = 1; run < 5; run++) {
		seed = run;
		check_many("in order", false, 0, 10, 1, 50);
		check_many("in order, flat", true, 0, 10, 1, 50);
		check_many("a little out of order", false, 0, 10, 40, 50);
		check_many("far out of order", false, 0, 10, 100000, 50);
		check_many("shuffled", false, 1 << 16, 0, 200000, 100);
		check_many("shuffled, flat", true, 0, 0, 200000, 100);
		check_many("backwards", false, 0, -10, 1, 50);
		check_many("very long ones", false, 0, 10, 100, 100000);
		for (int64_t longest = 10; longest < 2000; longest *= 3) {
			check_search(false, false, 1, longest);
			check_search(false, true, 50, longest);
			check_search(true, false, 50, longest);
		}
	}
	lanes = check_many("one after the other", true, 0, 50, 1, 50);
	CHECK(lanes == 1, "one after the other: %zu lanes", lanes);
	lanes = check_many("backwards", true, 0, -50, 1, 50);
	CHECK(lanes == 1, "one before the other: %zu lanes", lanes);
	check_inside_out();
	check_depth(false);
	check_depth(true);
	return check_status();
}
