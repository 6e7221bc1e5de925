/* nested_claims.c - rules that may claim only a part of an operation's time */

#include "tq/advice/nested_claims.h"
#include "tq/base/time.h"

__extension__ typedef __int128 nested_wide;

/* ns of a piece, and the rules that may claim them */
struct nested_time {
	int64_t ns;
	uint64_t mask;
};

void
nested_claims_add(struct nested_claims *p, struct nested_claim claim)
{
	if (claim.mask != 0 && claim.part > 0 && p->count < NESTED_MOST)
		p->all[p->count++] = claim;
}

static int64_t
time_of(const struct nested_claim *c, int64_t ts, int64_t end, int64_t alone)
{
	int64_t to = c->cut && c->until < end ? c->until : end;
	int64_t ns = time_between(ts > c->from ? ts : c->from, to);

	if (c->alone && ns > alone)
		ns = alone;
	return (int64_t)((nested_wide)ns * c->part / c->whole);
}

void
nested_claims_divide(const struct nested_claims *p, int64_t ts, int64_t end,
    int64_t alone, uint64_t rules,
    void (*take)(void *arg, uint64_t mask, int64_t ns), void *arg)
{
	struct nested_time parts[NESTED_MOST]; /* the largest first */
	int64_t taken = 0;
	size_t n = 0, at;

	for (size_t i = 0; i < p->count; i++) {
		struct nested_time t = {
		    time_of(&p->all[i], ts, end, alone), p->all[i].mask};

		for (at = n++; at > 0 && parts[at - 1].ns < t.ns; at--)
			parts[at] = parts[at - 1];
		parts[at] = t;
	}
	for (size_t i = 1; i < n; i++)
		parts[i].mask |= parts[i - 1].mask;
	while (n-- > 0) {
		if (parts[n].ns > taken)
			take(arg, rules | parts[n].mask, parts[n].ns - taken);
		taken = parts[n].ns;
	}
	if (time_between(ts, end) > taken)
		take(arg, rules, time_between(ts, end) - taken);
}
