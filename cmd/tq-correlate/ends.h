/*
 * ends.h - what ends when: a heap of things by the time at which they end.
 */
#ifndef ENDS_H
#define ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ending {
	int64_t at;
	uint64_t number;
	void *what;
};

/* {0} is an empty one */
struct ends {
	struct ending *heap;
	size_t count, cap;
	uint64_t number;
};

void ends_free(struct ends *e);

void ends_add(struct ends *e, int64_t at, void *what);

/*
 * Take out the first that ended before ts, the youngest of those that ended
 * together: what was begun inside of another comes before it.  NULL if there
 * is none.
 */
void *ends_before(struct ends *e, int64_t ts);

/* Is there one? */
static inline bool
ends_any(const struct ends *e, int64_t ts)
{
	return e->count > 0 && e->heap[0].at < ts;
}

#endif
