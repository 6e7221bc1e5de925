/*
 * describe.h - the tracks of a trace as Perfetto has them: groups, tracks and
 * counters, each with its parent.
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
	uint64_t last;         /* number of a uuid */
	bool has_aside;        /* the track above groups aside is described */
	struct map groups;     /* pid for viewers -> uuid */
	struct map threads;    /* (group, thread) -> uuid << 1 | described */
	struct map counters;   /* (group, hash of the name) -> uuid */
	struct map rows;       /* row -> what merges its lanes */
	struct map folders;    /* (group, fold) -> uuid */
	int64_t counter_count; /* of the section */
};

/* The root of all tracks. */
void describe_root(struct describe *d);

void describe_group(struct describe *d, const struct track_group *g);

/* Give Perfetto the name of the process of a device, which no track shows. */
void describe_process(struct describe *d, const struct track_group *g);

/* The uuid of a new track. */
uint64_t describe_number(struct describe *d, const struct track *k);

/* Describe a track, whose place is known; uuid is its describe_number. */
void describe_track(struct describe *d, const struct track *k, uint64_t uuid);

/* The uuid of a counter, which is described at its first value. */
uint64_t describe_counter(struct describe *d, const struct sink_value *v);

/* A new section: the tracks of the one before are not used again. */
void describe_section(struct describe *d);

void describe_free(struct describe *d);

#endif
