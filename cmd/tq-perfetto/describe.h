/*
 * describe.h - the tracks of a trace: which group, row or counters of values
 * is which track of which other one.
 */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "packets.h"
#include "tq/base/map.h"
#include "tq/draw/sink.h"
#include "tq/names.h"

struct describe {
	struct packets *packets;
	const struct names *names;
	uint64_t last;         /* uuid that was given */
	struct map groups;     /* pid for viewers -> uuid */
	struct map threads;    /* (group, thread) -> uuid */
	struct map counters;   /* (group, hash of the name) -> uuid */
	struct map rows;       /* (group, row) -> what merges its lanes */
	int64_t counter_count; /* of the section */
};

/* What all others stand in. */
void describe_root(struct describe *d);

/* Each writes what is needed, and returns the uuid to draw on. */
void describe_group(struct describe *d, const struct track_group *g);
uint64_t describe_track(struct describe *d, const struct track *s);
uint64_t describe_counter(struct describe *d, const struct sink_value *v);

/* A new section: nothing of the one before is drawn on any more. */
void describe_section(struct describe *d);

void describe_free(struct describe *d);

#endif
