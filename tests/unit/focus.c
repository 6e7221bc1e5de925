/* focus.c - which times are wanted, as options and programs say */

#include <inttypes.h>

#include "lines/focus.h"
#include "check.h"

enum { EVENTS = 12, TIMES = 1000 };

/*
 * What the programs say, in the order in which it is read: +N a trigger that
 * opens at N, -N one that closes.  wanted: "from-until ..." of the times 0 to
 * 999 that are wanted; over, shutdown: as it is at the end.
 */
static const struct {
	const char *what;
	struct focus options;
	int changes[EVENTS];
	const char *wanted;
	bool over, shutdown;
} rows[] = {
    {"all", {0}, {0}, "0-999", false, false},
    {"a delay", {.delay = 100}, {0}, "100-999", false, false},
    {"a duration", {.duration = 100, .end = FOCUS_END_STOP}, {0}, "0-99", true,
	false},
    {"both", {.delay = 100, .duration = 50, .end = FOCUS_END_STOP}, {0},
	"100-149", true, false},
    {"until the program ends", {.duration = 100, .end = FOCUS_END_SHUTDOWN},
	{0}, "0-99", true, true},
    {"it never began", {.trigger = FOCUS_PROFILER}, {0}, "", false, false},
    {"one range", {.trigger = FOCUS_PROFILER, .end = FOCUS_END_STOP},
	{100, -200, 300, -400}, "100-199", true, false},
    {"and the command is told",
	{.trigger = FOCUS_PROFILER, .end = FOCUS_END_SHUTDOWN},
	{100, -200, 300, -400}, "100-199", true, true},
    {"it goes on", {.trigger = FOCUS_PROFILER, .end = FOCUS_END_NONE},
	{100, -200, 300, -400}, "100-999", false, false},
    {"again and again", {.trigger = FOCUS_PROFILER, .end = FOCUS_END_REPEAT},
	{100, -200, 300, -400, 500}, "100-199 300-399 500-999", false, false},
    {"twice",
	{.trigger = FOCUS_PROFILER, .end = FOCUS_END_REPEAT, .repeats = 2},
	{100, -200, 300, -400, 500, -600}, "100-199 300-399", true, false},
    {"overlapping", {.trigger = FOCUS_PROFILER, .end = FOCUS_END_STOP},
	{100, 150, -200, -300, 400}, "100-299", true, false},
    {"of several processes, not read in order",
	{.trigger = FOCUS_PROFILER, .end = FOCUS_END_REPEAT},
	{500, -600, 100, -200, 150, -550}, "100-599", false, false},
    {"one ends when the next begins",
	{.trigger = FOCUS_PROFILER, .end = FOCUS_END_STOP},
	{100, -200, 200, -300}, "100-299", true, false},
    {"ends without beginnings",
	{.trigger = FOCUS_PROFILER, .end = FOCUS_END_STOP},
	{-50, -60, 100, -200}, "100-199", true, false},
    {"no time at all", {.trigger = FOCUS_PROFILER, .end = FOCUS_END_STOP},
	{100, -100}, "", true, false},
    {"too early",
	{.trigger = FOCUS_PROFILER, .end = FOCUS_END_STOP, .delay = 150},
	{100, -200, 300, -400}, "300-399", true, false},
    {"one too early that ends in another",
	{.trigger = FOCUS_PROFILER, .end = FOCUS_END_STOP, .delay = 150},
	{100, 200, -300, -400}, "200-399", true, false},
    {"not longer than that",
	{.trigger = FOCUS_PROFILER, .end = FOCUS_END_STOP, .duration = 50},
	{100, -200, 300, -400}, "100-149", true, false},
    {"each not longer than that",
	{.trigger = FOCUS_PROFILER, .end = FOCUS_END_REPEAT, .duration = 50},
	{100, -200, 300, -320}, "100-149 300-319", false, false},
};

static void
show(struct text *t, const struct focus *f)
{
	bool before = false;

	t->len = 0;
	for (int64_t ts = 0; ts < TIMES; ts++) {
		bool now = focus_wants(f, ts);

		if (now && !before)
			text_printf(
			    t, "%s%" PRId64 "-", t->len > 0 ? " " : "", ts);
		if (before && !now)
			text_printf(t, "%" PRId64, ts - 1);
		before = now;
	}
	if (before)
		text_printf(t, "%d", TIMES - 1);
}

/* settled all at once, or at each moment that may be */
static void
test_row(size_t i, int64_t step)
{
	struct focus f = rows[i].options;
	struct text t = {0};

	focus_start(&f);
	for (size_t k = 0; k < EVENTS && rows[i].changes[k] != 0; k++) {
		int at = rows[i].changes[k];

		focus_change(&f, at > 0 ? at : -at, at > 0 ? 1 : -1);
	}
	for (int64_t until = step; until < TIMES; until += step)
		focus_settle(&f, until);
	focus_settle(&f, TIMES);
	show(&t, &f);
	CHECK(text_is(&t, rows[i].wanted), "%s: %.*s", rows[i].what, (int)t.len,
	    t.p);
	CHECK(f.over == rows[i].over && f.shutdown == rows[i].shutdown,
	    "%s: over %d, shutdown %d", rows[i].what, f.over, f.shutdown);
	text_free(&t);
	focus_free(&f);
}

/* a call belongs to the time it is made at, and its work to it */
static void
test_work(uint32_t first)
{
	struct focus f = {.trigger = FOCUS_PROFILER, .end = FOCUS_END_REPEAT};
	uint32_t corr = first;

	focus_start(&f);
	for (int i = 100; i < TIMES; i += 200) {
		focus_change(&f, i, 1);
		focus_change(&f, i + 100, -1);
	}
	focus_settle(&f, TIMES);
	for (int64_t ts = 0; ts < TIMES; ts += 50, corr++)
		CHECK(focus_wants_call(&f, 1, corr, ts) == (ts / 100 % 2 == 1),
		    "a call at %" PRId64, ts);
	/* whenever it is done */
	corr = first;
	for (int64_t ts = 0; ts < TIMES; ts += 50, corr++) {
		bool wanted = ts / 100 % 2 == 1;

		CHECK(focus_wants_work(&f, 1, corr, TIMES) == wanted &&
			  focus_wants_work(&f, 1, corr, 150) == wanted,
		    "work of %" PRIu32, corr);
	}
	/* before the first call, and of a process without any: by its time */
	CHECK(focus_wants_work(&f, 1, first - 1, 150) &&
		  !focus_wants_work(&f, 1, first - 1, 250),
	    "earlier work");
	CHECK(focus_wants_work(&f, 0, first, 150) &&
		  !focus_wants_work(&f, 7, first, 250),
	    "work of others");
	focus_free(&f);
}

/* two threads make calls at a time: ids are not quite in order */
static void
test_near_an_edge(void)
{
	struct focus f = {.delay = 100};

	focus_start(&f);
	focus_wants_call(&f, 0, 10, 90);
	focus_wants_call(&f, 0, 13, 101);
	focus_wants_call(&f, 0, 12, 102);
	CHECK(focus_wants_work(&f, 0, 12, 500) &&
		  !focus_wants_work(&f, 0, 11, 500),
	    "the lower id of those behind the edge");
	focus_free(&f);
}

static void
test_set(void)
{
	struct focus f = {.trigger = FOCUS_SIGNAL, .end = FOCUS_END_STOP};
	struct text t = {0};

	focus_start(&f);
	CHECK(!focus_wants_records(&f, 50) && !focus_set(&f, 50, false),
	    "off at first");
	CHECK(focus_set(&f, 100, true) && !focus_set(&f, 110, true), "on");
	CHECK(focus_wants_records(&f, 150), "records");
	CHECK(focus_set(&f, 200, false), "off");
	CHECK(focus_set(&f, 300, true), "on again");
	focus_settle(&f, TIMES);
	show(&t, &f);
	CHECK(text_is(&t, "100-199 300-999"), "%.*s", (int)t.len, t.p);
	CHECK(f.begun == 2 && !f.over, "begun %" PRId64, f.begun);
	text_free(&t);
	focus_free(&f);
}

static void
test_trigger(void)
{
	struct focus f = {.trigger = FOCUS_NVTX};
	struct span domain = SPAN("domain"), none = SPAN("");
	size_t at;

	CHECK(range_spec_parse(&f.range, "step@domain", &at) == NULL, "parse");
	CHECK(focus_is_trigger(&f, SPAN("step"), domain, false), "it");
	CHECK(!focus_is_trigger(&f, SPAN("step"), none, false), "domain");
	CHECK(!focus_is_trigger(&f, SPAN("steps"), domain, false), "name");
	f.registered_only = true;
	CHECK(!focus_is_trigger(&f, SPAN("step"), domain, false) &&
		  focus_is_trigger(&f, SPAN("step"), domain, true),
	    "registered only");
	f.over = true;
	CHECK(!focus_is_trigger(&f, SPAN("step"), domain, true), "over");
	focus_free(&f);
}

int
main(void)
{
	static const uint32_t firsts[] = {1, UINT32_MAX - 5, INT32_MAX - 3};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		test_row(i, TIMES);
		test_row(i, 10);
		test_row(i, 37);
	}
	for (size_t i = 0; i < 3; i++)
		test_work(firsts[i]);
	test_near_an_edge();
	test_set();
	test_trigger();
	return check_status();
}
