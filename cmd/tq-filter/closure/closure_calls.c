/* closure_calls.c - the calls that may still launch something */

#include "closure_calls.h"

static void
forget_call(struct closure_calls *cs, struct closure_call *c)
{
	struct closure_call *inner, *next;

	join_remove(&cs->join, &c->call);
	for (inner = c->inner; inner != NULL; inner = next) {
		next = inner->inner;
		join_give_back(&cs->join, &inner->call);
	}
	join_give_back(&cs->join, &c->call);
}

struct closure_call *
closure_calls_add(struct closure_calls *cs, const struct closure_call *from)
{
	struct closure_call *c = (struct closure_call *)join_new(&cs->join);
	struct closure_call *outer;

	*c = *from;
	outer = closure_calls_find(cs, c->call.pid, c->call.corr);
	if (outer != NULL && join_is_inner(&c->call, &outer->call)) {
		c->inner = outer->inner;
		c->outer = outer;
		outer->inner = c;
		/* of equal calls the one that counts may be the second */
		if (outer->call.count < c->call.count)
			outer->call.count = c->call.count;
		return c;
	}
	if (outer != NULL)
		join_hide(&cs->join, &outer->call);
	join_add(&cs->join, &c->call);
	return c;
}

static struct closure_call *
oldest(const struct closure_calls *cs)
{
	return (struct closure_call *)cs->join.oldest;
}

static struct closure_call *
younger(const struct closure_call *c)
{
	return (struct closure_call *)c->call.newer;
}

static bool
is_complete(const struct closure_call *c, int64_t now)
{
	const struct join_call *x = &c->call;

	return c->settled && time_end(x->end, CLOSURE_LINGER) < now &&
	       x->count != NO_ID && x->came >= x->count;
}

void
closure_calls_trim(struct closure_calls *cs, int64_t now)
{
	struct closure_call *c, *next;

	while ((c = oldest(cs)) != NULL && is_complete(c, now))
		forget_call(cs, c);
	if (cs->join.count <= CLOSURE_CALLS)
		return;
	for (c = oldest(cs); c != NULL; c = next) {
		next = younger(c);
		if (is_complete(c, now))
			forget_call(cs, c);
	}
	/* a quarter at once, since it takes a walk through all of them */
	for (c = oldest(cs);
	     cs->join.count > CLOSURE_CALLS / 4 * 3 && c != NULL; c = next) {
		next = younger(c);
		if (c->settled)
			forget_call(cs, c);
	}
}

void
closure_calls_clear(struct closure_calls *cs)
{
	while (oldest(cs) != NULL)
		forget_call(cs, oldest(cs));
	join_reset(&cs->join);
}

void
closure_calls_free(struct closure_calls *cs)
{
	closure_calls_clear(cs);
	join_free(&cs->join);
}
