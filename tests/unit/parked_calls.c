/* parked_calls.c - calls of the driver wait for those of the runtime */

#include <stdlib.h>
#include <string.h>

#include "lines/parked_calls.h"
#include "check.h"

static const int64_t SECOND = 1000000000;

static void
add(struct parked_calls *p, uint32_t process, uint32_t corr, int64_t now,
    const char *line)
{
	parked_calls_add(p,
	    &(struct sorter_line){
		.ts = now, .dur = 1, .line = {line, strlen(line)}, .tag = 7},
	    process, corr, now);
}

/* the next line is this one; NULL: there is none */
static void
expect(struct parked_calls *p, int64_t now, const char *line, bool nested)
{
	struct sorter_line l;
	bool is_nested;
	bool any = parked_calls_next(p, now, &l, &is_nested);

	CHECK(any == (line != NULL), "line %s: %d", shown(line), any);
	if (!any || line == NULL)
		return;
	CHECK(span_eq(l.line, span_of(line)), "line %s: %.*s", line,
	    (int)l.line.len, l.line.p);
	CHECK(is_nested == nested, "line %s: nested %d", line, is_nested);
	CHECK(l.tag == 7 && l.dur == 1, "line %s: %u", line, l.tag);
}

/* a call waits a second, and is nested if the outer one came meanwhile */
static void
test_outer_call_comes_late(void)
{
	struct parked_calls p = {0};

	add(&p, 1, 5, -10, "a");
	add(&p, 1, 6, 0, "b");
	add(&p, 2, 5, 0, "c");
	expect(&p, SECOND - 11, NULL, false);
	parked_calls_found(&p, 1, 5);
	parked_calls_found(&p, 1, 7);
	expect(&p, SECOND - 10, "a", true);
	expect(&p, SECOND - 10, NULL, false);
	expect(&p, SECOND, "b", false);
	expect(&p, SECOND, "c", false);
	expect(&p, SECOND, NULL, false);
	CHECK(p.calls.count == 0, "%zu calls are left", p.calls.count);
	parked_calls_free(&p);
}

/* one call of the runtime may make several of the driver */
static void
test_several_with_one_id(void)
{
	struct parked_calls p = {0};

	add(&p, 1, 5, 0, "a");
	add(&p, 1, 5, 0, "b");
	parked_calls_found(&p, 1, 5);
	add(&p, 1, 5, 1, "c");
	expect(&p, INT64_MAX, "a", true);
	expect(&p, INT64_MAX, "b", true);
	expect(&p, INT64_MAX, "c", true);
	/* forgotten with the last of them */
	add(&p, 1, 5, 2, "d");
	expect(&p, INT64_MAX, "d", false);
	parked_calls_free(&p);
}

/* what has no room goes first, whatever the time; nothing is lost */
static void
test_full(void)
{
	enum { LINES = 40, BYTES = 1 << 20 };
	char *line = malloc(BYTES + 1);
	struct parked_calls p = {0};
	struct sorter_line l;
	bool nested;
	int early = 0, rest = 0;

	memset(line, 'x', BYTES);
	line[BYTES] = '\0';
	for (uint32_t i = 0; i < LINES; i++) {
		add(&p, 1, i + 1, 0, line);
		while (parked_calls_next(&p, 0, &l, &nested))
			early++;
		CHECK(p.lines.len < (18 << 20), "%zu bytes", p.lines.len);
	}
	while (parked_calls_next(&p, INT64_MAX, &l, &nested))
		rest++;
	CHECK(early > 0 && rest > 0 && early + rest == LINES, "%d and %d",
	    early, rest);
	parked_calls_free(&p);
	free(line);
}

int
main(void)
{
	test_outer_call_comes_late();
	test_several_with_one_id();
	test_full();
	return check_status();
}
