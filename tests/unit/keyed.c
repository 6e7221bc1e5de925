/* keyed.c - structs that are found by two words */

#include "check.h"
#include "tq/base/keyed.h"

enum { SIDE = 40 };

struct thread_intervals {
	uint64_t a, b;
	int uses;
};

struct lanes {
	KEYED(struct thread_intervals) lanes;
};

static void
use(struct lanes *s, uint64_t a, uint64_t b)
{
	size_t before = s->lanes.count;
	bool fresh;
	struct thread_intervals *lane = keyed_get(&s->lanes, a, b, &fresh);

	CHECK(fresh == (s->lanes.count > before), "fresh is not the count");
	if (fresh) {
		CHECK(lane == &s->lanes.all[before], "a new one is the last");
		*lane = (struct thread_intervals){.a = a, .b = b};
	}
	CHECK(lane->a == a && lane->b == b, "another element is found");
	lane->uses++;
}

static void
test_all(struct lanes *s)
{
	const struct thread_intervals *found;

	for (uint64_t pass = 0; pass < 3; pass++)
		for (uint64_t a = 0; a < SIDE; a++)
			for (uint64_t b = 0; b < SIDE; b++)
				use(s, a, pass == 1 ? SIDE - 1 - b : b);
	CHECK(s->lanes.count == (size_t)SIDE * SIDE, "%zu elements",
	    s->lanes.count);
	for (size_t i = 0; i < s->lanes.count; i++) {
		const struct thread_intervals *lane = &s->lanes.all[i];

		CHECK(lane->a == i / SIDE && lane->b == i % SIDE,
		    "element %zu is out of order", i);
		CHECK(lane->uses == 3, "element %zu: %d uses", i, lane->uses);
	}
	found = keyed_find(&s->lanes, 2, 1);
	CHECK(found == &s->lanes.all[2 * SIDE + 1], "find");
	CHECK(keyed_find(&s->lanes, SIDE, 0) == NULL, "find none");
	CHECK(s->lanes.count == (size_t)SIDE * SIDE, "find adds none");
}

int
main(void)
{
	struct lanes s = {0};

	CHECK(keyed_find(&s.lanes, 0, 0) == NULL, "an empty one finds none");
	test_all(&s);
	keyed_clear(&s.lanes);
	CHECK(s.lanes.count == 0, "clear");
	CHECK(keyed_find(&s.lanes, 2, 1) == NULL, "find after clear");
	test_all(&s);
	keyed_free(&s.lanes);
	CHECK(s.lanes.all == NULL && s.lanes.cap == 0, "free");
	test_all(&s);
	keyed_free(&s.lanes);
	return check_status();
}
