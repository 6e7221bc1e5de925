/*
 * expiry.h - a priority queue: things by the time at which they end.
 */
#ifndef TQ_JOIN_EXPIRY_H
#define TQ_JOIN_EXPIRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expiry_entry {
	int64_t end;
	uint64_t number;
	void *thing;
};

struct expiry_list {
	struct expiry_entry *all;
	size_t count, cap;
};

/*
 * The thing that began last mostly ends first: it goes on a pile, the first to
 * end on top.  A thing that belongs far below the top goes to a heap.
 *
 * EXPIRY_EMPTY is an empty queue
 */
struct expiry {
	int64_t next; /* end of the first, or INT64_MAX */
	struct expiry_list pile, heap;
	uint64_t number;
};

#define EXPIRY_EMPTY ((struct expiry){.next = INT64_MAX})

/* Forget all things, and free the memory; *e is empty then. */
void expiry_free(struct expiry *e);

void expiry_add(struct expiry *e, int64_t end, void *thing);

/*
 * Remove the first thing to end; *e is not empty.  Of things that end together
 * the youngest is the first, since it began inside the others.
 */
void *expiry_take(struct expiry *e);

/* True if a thing ended before ts. */
static inline bool
expiry_due(const struct expiry *e, int64_t ts)
{
	return e->next < ts;
}

#endif
