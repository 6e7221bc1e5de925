/* expiry.c - a priority queue against a plain array */

#include <inttypes.h>

#include "check.h"
#include "tq/join/expiry.h"

enum { MOST = 500, STEPS = 20000 };

struct thing {
	int64_t at;
	bool open;
};

/* the first to end; of things that end together the youngest, the last in all
 */
static struct thing *
first_of(struct thing *all, size_t count)
{
	struct thing *first = NULL;

	for (size_t i = 0; i < count; i++)
		if (all[i].open && (first == NULL || all[i].at <= first->at))
			first = &all[i];
	return first;
}

/*
 * Things that end less than spread after they begin, one at a time; all are
 * waited for before more than MOST are added.
 */
static void
test_against_model(uint64_t spread)
{
	struct thing all[MOST], *expect;
	struct expiry e = EXPIRY_EMPTY;
	size_t count = 0;

	for (int64_t now = 0; now < STEPS; now++) {
		if (count < MOST) {
			all[count] = (struct thing){
			    now + (int64_t)(check_random() % spread), true};
			expiry_add(&e, all[count].at, &all[count]);
			count++;
		}
		while ((expect = first_of(all, count)) != NULL &&
		       expect->at < now) {
			CHECK(expiry_due(&e, now),
			    "%" PRIu64 ": none has ended", spread);
			CHECK(!expiry_due(&e, expect->at),
			    "%" PRIu64 ": another has ended", spread);
			CHECK(expiry_take(&e) == expect,
			    "%" PRIu64 ": it is not the first", spread);
			expect->open = false;
		}
		CHECK(!expiry_due(&e, now), "%" PRIu64 ": one is left", spread);
		if (count == MOST && expect == NULL)
			count = 0;
	}
	expiry_free(&e);
}

int
main(void)
{
	test_against_model(1);
	test_against_model(10);
	test_against_model(100);
	test_against_model(10000);
	return check_status();
}
