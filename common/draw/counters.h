/*
 * counters.h - tracks of values: a counter of a group, or its memory in use.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "tq/base/keyed.h"
#include "tq/draw/sink.h"
#include "tq/names.h"

struct counter_track {
	const struct track_group *group;
	struct text name; /* unique in its group */
	struct text unit; /* may be empty */
	int64_t total;    /* of memory, in bytes */
};

/* {0} is empty */
struct counters {
	KEYED(struct counter_track) tracks; /* by group, and id or hash */
};

/* Forget all: a new section.  Also frees. */
void counters_reset(struct counters *c);

/* The track of a counter; id may be NO_ID.  Good until the next call. */
struct counter_track *counters_defined(struct counters *c,
    const struct names *names, const struct track_group *g, int64_t id);

/* The track of a kind of memory, likewise; the kind may be empty. */
struct counter_track *counters_memory(
    struct counters *c, const struct track_group *g, struct span kind);

#endif
