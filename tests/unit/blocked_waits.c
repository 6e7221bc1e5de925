/* blocked_waits.c - a wait of 20 ms is given once, and a shorter one never */

#include "samples/blocked_waits.h"
#include "check.h"

enum { MS = 1000000 };

static struct blocked_waits waits;

/* the tids that are given at that ms, as a number: 7, then 8, is 78 */
static int
given(int64_t ms)
{
	struct blocked_wait w;
	int n = 0;

	while (blocked_waits_next(&waits, ms * MS, &w)) {
		CHECK(w.pid == 1, "pid %d", (int)w.pid);
		n = n * 10 + (int)w.tid;
	}
	return n;
}

static void
check_given(int64_t ms, int tids)
{
	int n = given(ms);

	CHECK(n == tids, "%d, not %d, at %d ms", n, tids, (int)ms);
}

static void
check_some(void)
{
	blocked_waits_begin(&waits, 1, 7, 0);
	blocked_waits_begin(&waits, 1, 8, 1 * MS);
	blocked_waits_begin(&waits, 1, 9, 2 * MS);
	check_given(19, 0);
	blocked_waits_end(&waits, 1, 8);
	check_given(20, 7);
	check_given(30, 9);
	/* each wait is given once, and the next one is another */
	check_given(1000, 0);
	blocked_waits_begin(&waits, 1, 8, 1000 * MS);
	blocked_waits_end(&waits, 1, 8);
	blocked_waits_begin(&waits, 1, 8, 1010 * MS);
	check_given(1020, 0);
	check_given(1030, 8);
}

static void
check_many(void)
{
	for (int i = 0; i < 100000; i++) {
		blocked_waits_begin(&waits, 1, 5, (2000 + i) * (int64_t)MS);
		check_given(2000 + i, 0);
		blocked_waits_end(&waits, 1, 5);
	}
	CHECK(waits.cap < 1000, "room for %zu", waits.cap);
}

int
main(void)
{
	check_some();
	check_many();
	blocked_waits_free(&waits);
	return check_status();
}
