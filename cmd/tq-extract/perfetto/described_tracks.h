/* described_tracks.h - the tracks of a trace, and whose they are */
#ifndef DESCRIBED_TRACKS_H
#define DESCRIBED_TRACKS_H

#include "tq/base/keyed.h"
#include "tq/base/region.h"
#include "tq/base/span.h"
#include "tq/base/time.h"

struct described_track {
	uint64_t uuid, parent;
	struct span name, unit;
	struct span gpu;  /* "GPU 0": of a counter that has no process */
	int64_t pid, tid; /* of the descriptor, or NO_ID */
	struct span process_name; /* of the process of pid */
	bool counter, distances;  /* values are distances from the last */
	int64_t multiplier;

	/* once all are known: of the track itself or the tracks above it */
	bool settled;
	int64_t process, thread, device, context, stream, queue;
	uint32_t number; /* of its counter + 1; 0: none yet */
	double value;    /* the sum of distances */
};

/* {0} is empty */
struct described_tracks {
	KEYED(struct described_track) all;
	struct region texts;
	bool ours;            /* tq-perfetto wrote the trace */
	int64_t only_process; /* NO_ID where there are several, or none */
};

/* Take a TrackDescriptor, or the descriptor of a thread by itself. */
void described_tracks_take(struct described_tracks *t, struct span descriptor);
uint64_t described_tracks_thread(
    struct described_tracks *t, struct span thread);

/* All descriptors were taken. */
void described_tracks_settle(struct described_tracks *t, bool ours);

/*
 * The track of an event, once all descriptors were taken; it is added where
 * none was.  Good until the next call.
 */
struct described_track *described_tracks_find(
    struct described_tracks *t, uint64_t uuid);

void described_tracks_free(struct described_tracks *t);

#endif
