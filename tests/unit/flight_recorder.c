/* flight_recorder.c - the events of the time that is kept are there, each once,
   and take little memory */

#include <inttypes.h>

#include "lines/flight_recorder.h"
#include "check.h"

static const int64_t MS = 1000000;

/* the lines that were given: event n has the text "n" */
struct given {
	int64_t count, first, last, definitions;
	bool in_order;
};

static void
take_line(void *arg, const struct sorter_line *l)
{
	struct given *g = arg;
	char digits[32];
	int64_t n = l->ts / MS;

	snprintf(digits, sizeof(digits), "%" PRId64 "\n", n);
	CHECK(l->line.len >= strlen(digits) &&
		  memcmp(l->line.p, digits, strlen(digits)) == 0,
	    "line %" PRId64 ": %.*s", n, (int)l->line.len, l->line.p);
	if (g->count++ == 0)
		g->first = n;
	else
		g->in_order &= n > g->last;
	g->last = n;
}

static void
take_definition(void *arg, const struct sorter_line *l)
{
	struct given *g = arg;

	CHECK(l->line.len == 4 && memcmp(l->line.p, "def\n", 4) == 0,
	    "a definition of %zu bytes", l->line.len);
	g->definitions++;
}

/* an event at n ms that takes dur ms, its text padded to size bytes */
static void
add(struct flight_recorder *r, int64_t n, int64_t dur, size_t size)
{
	struct text t = {0};

	text_printf(&t, "%" PRId64 "\n", n);
	while (t.len < size)
		text_add_char(&t, (char)('a' + t.len % 7));
	flight_recorder_add(r, n * MS, dur < INT64_MAX ? dur * MS : INT64_MAX,
	    false, text_span(&t));
	text_free(&t);
}

static struct given
take(struct flight_recorder *r, int64_t from)
{
	struct given g = {.in_order = true};

	flight_recorder_definitions(r, take_definition, &g);
	CHECK(flight_recorder_take(r, from * MS, take_line, &g) == 0,
	    "something was lost");
	return g;
}

/* events of size bytes, one each ms; those of the last keep ms are there */
static void
test_times(int64_t count, int64_t keep, size_t size)
{
	struct flight_recorder *r = flight_recorder_open();
	struct given g;

	for (int64_t n = 0; n < count; n++) {
		if (n % 100 == 0)
			flight_recorder_define(r, SPAN("def\n"));
		add(r, n, 0, size);
		if (n % 1000 == 0)
			flight_recorder_forget(r, (n - keep) * MS);
	}
	g = take(r, count - keep);
	CHECK(g.first == count - keep && g.last == count - 1 &&
		  g.count == keep && g.in_order,
	    "%zu: %" PRId64 " lines, %" PRId64 " to %" PRId64, size, g.count,
	    g.first, g.last);
	CHECK(g.definitions == (count + 99) / 100, "%" PRId64 " definitions",
	    g.definitions);
	g = take(r, 0);
	CHECK(g.count == 0 && g.definitions == (count + 99) / 100,
	    "%" PRId64 " lines are there twice", g.count);
	add(r, count, 0, size);
	g = take(r, 0);
	CHECK(g.count == 1, "%" PRId64 " lines after it", g.count);
	flight_recorder_free(r);
}

/* an event counts by its end; one that goes on is of any time */
static void
test_ends(void)
{
	struct flight_recorder *r = flight_recorder_open();
	struct given g;

	add(r, 1, 10000, 0);
	add(r, 2, 0, 0);
	add(r, 3, INT64_MAX, 0);
	add(r, 9000, 0, 0);
	flight_recorder_forget(r, 5000 * MS);
	g = take(r, 5000);
	CHECK(g.count == 3 && g.first == 1, "%" PRId64 " lines", g.count);
	flight_recorder_free(r);
}

static void
test_losses(void)
{
	struct flight_recorder *r = flight_recorder_open();
	struct given g = {0};

	for (int64_t n = 0; n < 100; n++)
		flight_recorder_lose(r, n * MS, n);
	flight_recorder_forget(r, 50 * MS);
	CHECK(flight_recorder_take(r, 98 * MS, take_line, &g) == 98 + 99,
	    "losses of the time that is kept");
	CHECK(flight_recorder_take(r, 0, take_line, &g) == 0,
	    "losses are told twice");
	flight_recorder_free(r);
}

/* a day of events, of which two seconds are kept, takes memory for these */
static void
test_memory(void)
{
	struct flight_recorder *r = flight_recorder_open();
	size_t most = 0;

	for (int64_t n = 0; n < 1000000; n++) {
		add(r, n, 0, 137);
		if (n % 1000 != 0)
			continue;
		flight_recorder_forget(r, (n - 2000) * MS);
		if (flight_recorder_bytes(r) > most)
			most = flight_recorder_bytes(r);
	}
	CHECK(most < 1 << 20, "%zu bytes", most);
	flight_recorder_free(r);
}

int
main(void)
{
	test_times(20000, 3000, 0);
	test_times(20000, 3000, 137);
	test_times(2000, 1500, 300000);
	test_times(8, 3, 5000000);
	test_times(1000, 1000, 10);
	test_ends();
	test_losses();
	test_memory();
	return check_status();
}
