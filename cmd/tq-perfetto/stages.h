/*
 * stages.h - operations of devices in Perfetto's model of a GPU: render
 * stage events, which fill its tables of GPUs and their slices.
 *
 * A queue is a row of streams; Perfetto itself draws slices that overlap, and
 * makes flows from the ids of events.
 */
#ifndef STAGES_H
#define STAGES_H

#include "packets.h"
#include "tq/names.h"
#include "tq/draw/args.h"
#include "tq/draw/sink.h"

struct stages {
	struct packets *packets;
	const struct names *names;
	struct map gpus; /* pid of a group -> number + 1 */
	int64_t count;
	struct text infos; /* GpuInfo so far, without the packet */
	uint64_t last;     /* id of an event without a flow */
	struct args unknown;
	size_t event;   /* where the open one begins */
	unsigned epoch; /* of packets, in which these numbers are good */
	uint32_t args[KEY_COUNT]; /* of interned names of arguments, or 0 */
};

/* A group is a device: it gets a number. */
void stages_group(struct stages *s, const struct track_group *g);

/*
 * Append an operation with its arguments to the open packet.  stages_close
 * gives it an id; 0 is for one without a flow.
 */
void stages_open(struct stages *s, const struct sink_slice *slice);
void stages_close(struct stages *s, uint64_t id);

void stages_free(struct stages *s);

#endif
