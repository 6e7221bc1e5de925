/* host_bound.c - what a device gains where the host is the bound */

#include <stdlib.h>

#include "tq/advice/host_bound.h"
#include "tq/advice/rule.h"
#include "tq/base/mem.h"
#include "tq/base/time.h"

static int64_t
ahead_of_host(const struct host_bound_rule *r)
{
	return time_between(r->host, r->device);
}

/* What the rules that are ahead have left. */
static void
set_most(struct host_bound *b)
{
	b->most = 0;
	for (uint64_t left = b->ahead; left != 0; left &= left - 1) {
		const struct host_bound_rule *r =
		    &b->rules[__builtin_ctzll(left)];

		if (ahead_of_host(r) == 0)
			b->ahead &= ~(left & -left);
		else if (b->most < ahead_of_host(r))
			b->most = ahead_of_host(r);
	}
}

/* The device comes earlier by that much with each of the rules, and the host
   by that. */
static void
add(struct host_bound *b, uint64_t rules, int64_t device, int64_t host)
{
	if (rules != 0 && b->rules == NULL)
		b->rules = mem_alloc(RULES_MOST * sizeof(*b->rules));
	for (uint64_t left = rules; left != 0; left &= left - 1) {
		struct host_bound_rule *r = &b->rules[__builtin_ctzll(left)];

		r->device = time_end(r->device, device);
		r->host = time_end(r->host, host);
		if (b->most < ahead_of_host(r))
			b->most = ahead_of_host(r);
	}
}

void
host_bound_work(struct host_bound *b, uint64_t rules, int64_t ns)
{
	if (ns <= 0)
		return;
	add(b, rules, ns, 0);
	b->ahead |= rules;
}

void
host_bound_idle(struct host_bound *b, uint64_t rules, int64_t ns)
{
	if (ns > 0)
		add(b, rules, ns, ns);
}

void
host_bound_wait(struct host_bound *b, int64_t ns)
{
	if (ns <= 0)
		return;
	for (uint64_t left = b->ahead; left != 0; left &= left - 1) {
		struct host_bound_rule *r = &b->rules[__builtin_ctzll(left)];
		int64_t all = ahead_of_host(r);

		r->host = time_end(r->host, ns < all ? ns : all);
	}
	set_most(b);
}

void
host_bound_start(struct host_bound *b, int64_t slack)
{
	if (slack >= b->most)
		return;
	for (uint64_t left = b->ahead; left != 0; left &= left - 1) {
		struct host_bound_rule *r = &b->rules[__builtin_ctzll(left)];
		int64_t behind = ahead_of_host(r) - slack;

		if (behind <= 0)
			continue;
		r->device -= behind;
		r->behind = time_end(r->behind, behind);
	}
	set_most(b);
}

struct host_bound_thread *
host_bound_launch(struct host_bound *b, uint32_t thread)
{
	struct host_bound_thread *t;

	for (unsigned i = 0; i < HOST_BOUND_THREADS; i++)
		if (b->threads[i].thread == thread)
			return &b->threads[i];
	t = &b->threads[b->next++ % HOST_BOUND_THREADS];
	*t = (struct host_bound_thread){
	    .thread = thread, .ts = INT64_MIN, .called = INT64_MIN};
	return t;
}

int64_t
host_bound_behind(const struct host_bound *b, unsigned rule)
{
	return b->rules != NULL ? b->rules[rule].behind : 0;
}

void
host_bound_free(struct host_bound *b)
{
	free(b->rules);
}
