/* ends.c - what ends when, against a plain array */

#include <inttypes.h>

#include "../../cmd/tq-correlate/ends.h"
#include "check.h"

enum { MOST = 500, STEPS = 20000 };

struct thing {
	int64_t at;
	bool open;
};

/* of those that end together the youngest, which stands last */
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
 * Things that end up to spread after they begin, more than can be open at a
 * time being begun one after the other.
 */
static void
test_against_model(uint64_t spread)
{
	struct thing all[MOST], *expect;
	struct ends e = ENDS_NONE;
	size_t count = 0;

	for (int64_t now = 0; now < STEPS; now++) {
		if (count < MOST) {
			all[count] = (struct thing){
			    now + (int64_t)(check_random() % spread), true};
			ends_add(&e, all[count].at, &all[count]);
			count++;
		}
		while ((expect = first_of(all, count)) != NULL &&
		       expect->at < now) {
			CHECK(ends_any(&e, now), "%" PRIu64 ": none has ended",
			    spread);
			CHECK(!ends_any(&e, expect->at),
			    "%" PRIu64 ": another has ended", spread);
			CHECK(ends_take(&e) == expect,
			    "%" PRIu64 ": it is not the first", spread);
			expect->open = false;
		}
		CHECK(!ends_any(&e, now), "%" PRIu64 ": one is left", spread);
		if (count == MOST && expect == NULL)
			count = 0;
	}
	ends_free(&e);
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
