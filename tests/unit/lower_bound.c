/* lower_bound.c - binary search, against one from left to right */

#include "check.h"
#include "tq/base/lower_bound.h"

enum { COUNT = 70 };

static size_t
linear(const int *all, size_t from, size_t to, int x)
{
	while (from < to && all[from] < x)
		from++;
	return from;
}

static void
test_ranges(const int *all)
{
	for (size_t from = 0; from <= COUNT; from++)
		for (size_t to = from; to <= COUNT; to++)
			for (int x = -1; x <= 24; x++) {
				size_t i, expect = linear(all, from, to, x);

				LOWER_BOUND(i, from, to, all[i] < x);
				CHECK(i == expect,
				    "%d in [%zu, %zu): %zu, not %zu", x, from,
				    to, i, expect);
			}
}

static void
test_steps(const int *all)
{
	int steps = 0;
	uint32_t i; /* of another type */

	if (steps == 0) /* it is one statement */
		LOWER_BOUND(i, 0, COUNT, (steps++, all[i] < 11));
	else
		i = 0;
	CHECK(i == linear(all, 0, COUNT, 11), "at %u", i);
	CHECK(steps <= 7, "%d steps for %d elements", steps, COUNT);
	LOWER_BOUND(i, UINT32_MAX - 10, UINT32_MAX, i < UINT32_MAX - 3);
	CHECK(i == UINT32_MAX - 3, "indices do not overflow");
}

int
main(void)
{
	int all[COUNT];

	for (int i = 0; i < COUNT; i++)
		all[i] = i / 3; /* each value more than once */
	test_ranges(all);
	test_steps(all);
	return check_status();
}
