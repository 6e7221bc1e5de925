/*
 * counters.h - rows of values: a counter of a group, or the memory in use.
 */
#ifndef TQ_DRAW_COUNTERS_H
#define TQ_DRAW_COUNTERS_H

#include "tq/draw/tracks.h"

struct series {
	const struct group *group;
	struct text name; /* unique in its group */
	struct text unit; /* may be empty */
	int64_t total;    /* of memory, in bytes */
};

/* {0} is empty */
struct series_set {
	struct series *series;
	size_t count, cap;
	struct map map; /* (group, id or hash) -> series + 1 */
};

/* Forget all: a new section.  Also frees. */
void series_reset(struct series_set *set);

/* The values of a counter; id may be NO_ID.  Good until the next call. */
struct series *series_counter(struct series_set *set, const struct names *names,
    const struct group *g, int64_t id);

/* The total of a kind of memory, likewise; the kind may be empty. */
struct series *series_memory(
    struct series_set *set, const struct group *g, struct span kind);

#endif
