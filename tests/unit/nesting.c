/* nesting.c - a stack of ranges against a plain array */

#include <inttypes.h>
#include <stdlib.h>

#include "check.h"
#include "tq/join/nesting.h"

enum { MOST = 200, STEPS = 30000 };

struct thing {
	int64_t ts, end;
	bool open;
	uint64_t number; /* the younger, the higher */
};

static bool
encloses(const struct thing *a, const struct thing *b)
{
	return a->open && a->ts <= b->ts && a->end >= b->end;
}

/* True if a starts later than b, or is younger. */
static bool
is_younger(const struct thing *a, const struct thing *b)
{
	return a->ts > b->ts || (a->ts == b->ts && a->number > b->number);
}

/* The shortest that encloses x; of equal ones the younger, or the older. */
static struct thing *
parent_of(struct thing *all, const struct thing *x, bool older)
{
	struct thing *best = NULL;

	for (size_t i = 0; i < MOST; i++) {
		struct thing *a = &all[i];

		if (!encloses(a, x))
			continue;
		if (best == NULL || a->end - a->ts < best->end - best->ts ||
		    (a->end - a->ts == best->end - best->ts &&
			is_younger(a, best) != older))
			best = a;
	}
	return best;
}

static void
check_order(const struct nesting_stack *s, const struct thing *all)
{
	size_t open = 0, found = 0;

	for (size_t i = 0; i < MOST; i++)
		open += all[i].open;
	for (size_t i = 0; i < s->count; i++) {
		const struct nesting_slot *x = &s->slots[i];

		CHECK(i == 0 || x[-1].ts <= x->ts, "slot %zu", i);
		CHECK(x->within <= x->end && x->end <= x->reach,
		    "ends of slot %zu", i);
		found += x->range != NULL;
	}
	CHECK(found == open && s->count == found + s->empty,
	    "%zu of %zu are on the stack", found, open);
}

/* ranges of less than spread ns, in order or late by up to lateness */
static void
test_against_model(uint64_t spread, uint64_t lateness, bool older)
{
	static struct thing all[MOST];
	struct nesting_stack s = {.older = older};

	for (size_t i = 0; i < MOST; i++)
		all[i].open = false;
	for (uint64_t step = 0; step < STEPS; step++) {
		struct thing *x = &all[check_random() % MOST];
		int64_t ts = (int64_t)(step / 3 + lateness -
				       check_random() % (lateness + 1));

		if (x->open) {
			nesting_remove(&s, x, x->ts);
			x->open = false;
		} else {
			*x = (struct thing){ts,
			    ts + (int64_t)(check_random() % spread), false,
			    step};
			CHECK(
			    lateness > 0 || nesting_parent(&s, x->ts, x->end) ==
						parent_of(all, x, older),
			    "%" PRIu64 ": another parent at step %" PRIu64,
			    spread, step);
			nesting_push(&s, x, x->ts, x->end);
			x->open = true;
		}
		if (step % 100 == 0)
			check_order(&s, all);
	}
	nesting_stack_free(&s);
}

static void
test_threads(void)
{
	struct nesting n = {0};
	struct nesting_thread *t = nesting_thread(&n, 1, 2);

	CHECK(nesting_find(&n, 1, 3) == NULL, "a thread that is not there");
	CHECK(nesting_find(&n, 1, 2) == t, "a thread that is there");
	CHECK(nesting_domain(&n, t, SPAN("")) == &t->unnamed, "no name");
	CHECK(nesting_domain(&n, t, SPAN("a")) ==
		      nesting_domain(&n, t, SPAN("a")) &&
		  nesting_domain(&n, t, SPAN("a")) !=
		      nesting_domain(&n, t, SPAN("b")),
	    "domains by name");
	for (int64_t tid = 0; tid < MOST; tid++)
		CHECK(nesting_thread(&n, 1, tid)->tid == tid, "a new thread");
	CHECK(nesting_thread(&n, 1, 2) == t, "threads do not move");
	nesting_clear(&n);
	CHECK(nesting_find(&n, 1, 2) == NULL && n.first == NULL, "forgotten");
	nesting_free(&n);
}

int
main(void)
{
	for (int older = 0; older <= 1; older++) {
		test_against_model(1, 0, older);
		test_against_model(10, 0, older);
		test_against_model(1000, 0, older);
		test_against_model(1000, 100, older);
	}
	test_threads();
	return check_status();
}
