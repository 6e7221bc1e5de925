/* flows.c - calls wait for their operations, but not for ever */

#include "check.h"
#include "../../common/draw/flows.h"

enum { WAITING = 1 << 18 }; /* calls, at most */

static const struct track track;

static bool
came(struct flows *f, int64_t pid, int64_t corr)
{
	int64_t nth;

	return flows_operation(f, pid, corr, &nth) != NULL;
}

static struct flow_call *
call(struct flows *f, int64_t corr, int64_t gpu, int64_t ts, int64_t end)
{
	return flows_call(f, 1, corr, gpu, &track, ts, end);
}

static void
check_counted(void)
{
	struct flows f;

	flows_init(&f);
	CHECK(!came(&f, 1, 5), "nothing waits at first");
	CHECK(flows_launches(&f, NO_ID), "no count");
	CHECK(call(&f, 5, 2, 0, 10) != NULL, "a call");
	CHECK(!came(&f, 2, 5), "a call of another process");
	CHECK(came(&f, 1, 5), "the first of two");
	CHECK(came(&f, 1, 5), "the second of two");
	CHECK(!came(&f, 1, 5), "a third of two");
	CHECK(!flows_launches(&f, 0), "nothing to come");
	CHECK(!flows_launches(&f, NO_ID), "no count where others have one");
	flows_reset(&f);
	CHECK(flows_launches(&f, NO_ID), "no count in another section");
	CHECK(call(&f, 6, NO_ID, 20, 30) != NULL, "any number");
	CHECK(came(&f, 1, 6) && came(&f, 1, 6), "any number of operations");
	flows_reset(&f);
	CHECK(!came(&f, 1, 6), "a call of another section");
	flows_free(&f);
}

static void
check_nth(void)
{
	struct flows f;
	int64_t nth[4];

	flows_init(&f);
	call(&f, 5, 2, 0, 10);
	call(&f, 6, NO_ID, 0, 10);
	for (int i = 0; i < 4; i++)
		flows_operation(&f, 1, 5 + i / 2, &nth[i]);
	CHECK(nth[0] == 0 && nth[1] == 1, "counted");
	CHECK(nth[2] == SINK_FIRST && nth[3] == SINK_LATER, "not counted");
	flows_free(&f);
}

static void
check_anchor(void)
{
	static const struct track other;
	struct flows f;
	struct flow_call *c;
	const struct flow_call *found;
	int64_t nth;

	flows_init(&f);
	c = call(&f, 5, 1, 100, 200);
	CHECK(call(&f, 5, 1, 110, 120) == NULL, "inside");
	flows_inside(c, &track, 150, 160);
	flows_inside(c, &track, 100, 110);
	flows_inside(c, &track, 110, 110);
	flows_inside(c, &track, 111, 300);
	flows_inside(c, &other, 111, 120);
	found = flows_operation(&f, 1, 5, &nth);
	CHECK(found == c && c->call.ts == 100 && c->anchor == 111,
	    "the anchor is at %d", (int)c->anchor);
	flows_inside(c, &track, 111, 120); /* it does not wait any more */
	CHECK(c->anchor == 111, "the anchor moved to %d", (int)c->anchor);
	flows_free(&f);
}

/* each tenth gets its operation, at once; the others are too many */
static void
check_many(void)
{
	enum { MANY = 3 * WAITING };
	struct flows f;
	int64_t found = 0;

	flows_init(&f);
	for (int64_t i = 0; i < MANY; i++) {
		call(&f, i, 1, i, i + 1);
		if (i % 10 == 0)
			CHECK(came(&f, 1, i), "call %d", (int)i);
	}
	CHECK(f.join.count <= WAITING, "%zu calls wait", f.join.count);
	for (int64_t i = 0; i < MANY; i++)
		found += came(&f, 1, i);
	CHECK(found > WAITING / 2 && found <= WAITING, "%d were kept",
	    (int)found);
	CHECK(!came(&f, 1, MANY - 1), "the newest came");
	CHECK(f.join.count == 0, "%zu are left", f.join.count);
	flows_free(&f);
}

int
main(void)
{
	check_counted();
	check_nth();
	check_anchor();
	check_many();
	return check_status();
}
