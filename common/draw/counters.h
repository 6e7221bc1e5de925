/*
 * counters.h - rows of values: a counter of a group, or the memory in use.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "tracks.h"

struct counter_track {
	const struct track_group *group;
	struct text name; /* unique in its group */
	struct text unit; /* may be empty */
	int64_t total;    /* of memory, in bytes */
};

/* {0} is empty */
struct counters {
	struct counter_track *all;
	size_t count, cap;
	struct map map; /* (group, id or hash) -> index + 1 */
};

/* Forget all: a new section.  Also frees. */
void counters_reset(struct counters *c);

/* The values of a counter; id may be NO_ID.  Good until the next call. */
struct counter_track *counters_defined(struct counters *c,
    const struct names *names, const struct track_group *g, int64_t id);

/* The total of a kind of memory, likewise; the kind may be empty. */
struct counter_track *counters_memory(
    struct counters *c, const struct track_group *g, struct span kind);

#endif
