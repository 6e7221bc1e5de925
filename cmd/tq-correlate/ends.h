/*
 * ends.h - what ends when: things by the time at which they end.
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

struct endings {
	struct ending *all;
	size_t count, cap;
};

/*
 * What is begun last mostly ends first: it is put on a pile, the first to
 * end on top.  Where it does not belong near the top, it goes to a heap.
 *
 * ENDS_NONE is an empty one
 */
struct ends {
	int64_t next; /* end of the first, or INT64_MAX */
	struct endings pile, heap;
	uint64_t number;
};

#define ENDS_NONE ((struct ends){.next = INT64_MAX})

/* Forget all. */
void ends_free(struct ends *e);

void ends_add(struct ends *e, int64_t at, void *what);

/*
 * Take out the first to end, which there is: the youngest of those that end
 * together, since what was begun inside of another comes before it.
 */
void *ends_take(struct ends *e);

/* Has one ended before ts? */
static inline bool
ends_any(const struct ends *e, int64_t ts)
{
	return e->next < ts;
}

#endif
