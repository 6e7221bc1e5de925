/* array.c - growing arrays */

#include <stdlib.h>

#include "check.h"
#include "tq/base/array.h"

static void
test_capacity(void)
{
	static const struct {
		size_t count, cap, expect;
	} rows[] = {{0, 0, 8}, {0, 1, 1}, {7, 8, 8}, {8, 8, 24}, {100, 8, 208}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t cap = rows[i].cap;
		void *p =
		    mem_more(mem_resize(NULL, cap, 2), rows[i].count, &cap, 2);

		CHECK(cap == rows[i].expect, "row %zu: room for %zu", i, cap);
		free(p);
	}
}

/* structs, counted by 64 bits */
static void
test_structs(void)
{
	struct point {
		int64_t x;
		char y;
	} *all = NULL;
	size_t count = 0, cap = 0;

	for (int i = 0; i < 10000; i++)
		*array_add(&all, &count, &cap) =
		    (struct point){i, (char)(i % 100)};
	CHECK(count == 10000 && cap >= count, "%zu of %zu", count, cap);
	for (int i = 0; i < 10000; i++)
		CHECK(all[i].x == i && all[i].y == i % 100, "point %d", i);
	free(all);
}

/* pointers, in a struct, counted by 32 bits */
static void
test_members(void)
{
	struct {
		const char **names;
		uint32_t count;
		size_t cap;
	} s = {0};
	const char **last = NULL;

	for (int i = 0; i < 100; i++) {
		last = array_add(&s.names, &s.count, &s.cap);
		*last = i % 2 == 0 ? "even" : "odd";
	}
	CHECK(s.count == 100, "count is %u", s.count);
	CHECK(last == &s.names[99], "the result is the last element");
	CHECK(strcmp(s.names[0], "even") == 0 && strcmp(*last, "odd") == 0,
	    "elements move with their values");
	free(s.names);
}

int
main(void)
{
	test_capacity();
	test_structs();
	test_members();
	return check_status();
}
