/* flows.c - calls wait for their operations, but not for ever */

#include "check.h"
#include "../../common/draw/flows.h"

enum { WAITING = 1 << 18 }; /* calls, at most */

static const char track[1] = ""; /* stands for one */

static bool
came(struct flows *a, int64_t pid, int64_t corr)
{
	struct flow_call call;

	return flows_operation(a, pid, corr, &call);
}

static void
check_counted(void)
{
	struct flows a = {0};

	CHECK(!came(&a, 1, 5), "nothing waits at first");
	CHECK(flows_call(&a, 1, 5, 2, track, 0, 10) != 0, "a call");
	CHECK(!came(&a, 2, 5), "a call of another process");
	CHECK(came(&a, 1, 5), "the first of two");
	CHECK(came(&a, 1, 5), "the second of two");
	CHECK(!came(&a, 1, 5), "a third of two");
	CHECK(flows_call(&a, 1, 6, 0, track, 20, 30) == 0, "nothing to come");
	CHECK(flows_call(&a, 1, 6, FLOWS_UNKNOWN, track, 20, 30) == 0,
	    "no count where others have one");
	flows_reset(&a);
	CHECK(flows_call(&a, 1, 6, FLOWS_UNKNOWN, track, 20, 30) != 0,
	    "no count in another section");
	CHECK(came(&a, 1, 6) && came(&a, 1, 6), "any number");
	flows_reset(&a);
	CHECK(!came(&a, 1, 6), "a call of another section");
	flows_free(&a);
}

static void
check_anchor(void)
{
	struct flows a = {0};
	struct flow_call c;
	uint64_t n = flows_call(&a, 1, 5, 1, track, 100, 200);

	CHECK(flows_call(&a, 1, 5, 1, track, 110, 120) == 0, "inside");
	flows_inside(&a, n, 150, 160);
	flows_inside(&a, n, 100, 110);
	flows_inside(&a, n, 110, 110);
	flows_inside(&a, n, 111, 300);
	flows_inside(&a, n + 1, 111, 120);
	CHECK(flows_operation(&a, 1, 5, &c) && c.ts == 100 && c.anchor == 111,
	    "the anchor is at %d", (int)c.anchor);
	flows_inside(&a, n, 111, 120); /* it waits no more */
	flows_free(&a);
}

/* each tenth gets its operation, at once; the others are too many */
static void
check_many(void)
{
	enum { MANY = 3 * WAITING };
	struct flows a = {0};
	int64_t found = 0;

	for (int64_t i = 0; i < MANY; i++) {
		flows_call(&a, 1, i, 1, track, i, i + 1);
		if (i % 10 == 0)
			CHECK(came(&a, 1, i), "call %d", (int)i);
	}
	CHECK(a.cap == WAITING, "room for %zu calls", a.cap);
	for (int64_t i = 0; i < MANY; i++)
		found += came(&a, 1, i);
	CHECK(found > WAITING / 2 && found <= WAITING, "%d were kept",
	    (int)found);
	CHECK(came(&a, 1, MANY - 1) == false, "the newest came");
	CHECK(a.calls.count == 0, "%zu are left", a.calls.count);
	flows_free(&a);
}

int
main(void)
{
	check_counted();
	check_anchor();
	check_many();
	return check_status();
}
