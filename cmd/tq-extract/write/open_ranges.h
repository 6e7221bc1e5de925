/*
 * open_ranges.h - ranges that have begun and not ended: those of a thread are
 * a stack.  Memory grows with the ranges that are open at one time.
 */
#ifndef OPEN_RANGES_H
#define OPEN_RANGES_H

#include "tq/base/map.h"
#include "tq/base/text.h"

struct open_range {
	int64_t ts, pid, tid, stack;
	const char *domain;
	size_t type;      /* of the event that began it */
	struct text name; /* what ends pair with; may be empty */
	struct text text; /* of the source: values for its record */
	uint64_t outer;
};

/* {0} is empty */
struct open_ranges {
	struct open_range *all;
	size_t count, cap;
	uint64_t unused;      /* a chain of them: place + 1 */
	struct map innermost; /* of a key: place + 1 */
};

/*
 * Begin a range on the stack of (a, b).  The caller assigns the members above
 * name; its texts are empty.  Good until the next begin.
 */
struct open_range *open_ranges_begin(
    struct open_ranges *r, uint64_t a, uint64_t b);

/*
 * End the innermost range of this name on the stack of (a, b), if fewer than
 * 256 others are open within; else the innermost of all, also for an empty
 * name.  NULL if none is open.  Good until the next begin.
 */
const struct open_range *open_ranges_end(
    struct open_ranges *r, uint64_t a, uint64_t b, struct span name);

/* Call put for ranges that are still open, stack by stack. */
void open_ranges_rest(const struct open_ranges *r,
    void (*put)(void *arg, const struct open_range *), void *arg);

void open_ranges_free(struct open_ranges *r);

#endif
