/*
 * ends.h - ends of slices that wait for their time: packets are written in
 * order of time, as far as the records come in it.
 */
#ifndef ENDS_H
#define ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ENDS_MAX = 1024 };

struct end {
	int64_t ts;
	size_t strip; /* its number */
};

/* the last one is the first to come; {0} is empty */
struct ends {
	struct end end[ENDS_MAX];
	size_t count;
};

/* Is there one to be taken by that time? */
static inline bool
ends_due(const struct ends *e, int64_t ts)
{
	return e->count > 0 && e->end[e->count - 1].ts <= ts;
}

/* Take the first to come, of at least one. */
static inline struct end
ends_take(struct ends *e)
{
	return e->end[--e->count];
}

/*
 * Add one; most come before those that wait.  True if there are too many:
 * then *end becomes the last to come, and does not wait any more.
 */
static inline bool
ends_add(struct ends *e, struct end *end)
{
	struct end last = e->end[0];
	bool full = e->count == ENDS_MAX;
	size_t at;

	if (full && end->ts >= last.ts)
		return true;
	if (full) {
		for (at = 0; at + 1 < ENDS_MAX && e->end[at + 1].ts > end->ts;
		     at++)
			e->end[at] = e->end[at + 1];
		e->end[at] = *end;
		*end = last;
		return true;
	}
	for (at = e->count++; at > 0 && e->end[at - 1].ts < end->ts; at--)
		e->end[at] = e->end[at - 1];
	e->end[at] = *end;
	return false;
}

#endif
