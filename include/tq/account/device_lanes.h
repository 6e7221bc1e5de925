/*
 * device_lanes.h - which operations are of one device, or of one stream, and
 * the gaps between them.
 *
 * A lane is a device of a process, or a stream of it, or a GPU of several
 * processes.  Each process numbers its devices: devices of two processes whose
 * own definitions have one UUID, or without one the same host and gpu, are one
 * GPU; those of one process never are.  It gets a
 * lane when the second process uses it, which starts as a copy of the lane of
 * its first device; an operation is of the lanes of its device and of that GPU.
 *
 *	struct device_lanes l = {.gap = add_gap, .arg = state};
 *
 *	device_lanes_open(&l);
 *	... gaps_host_add_call(&l.host, ...) for each call of the section, and
 *	device_lanes_add(&l, device_lanes_find(&l, &ev, ts), &ev, ts, end)
 *	for each operation, in order of ts
 *	device_lanes_end(&l, last);
 *	device_lanes_reset(&l);
 *	device_lanes_free(&l);
 */
#ifndef TQ_ACCOUNT_DEVICE_LANES_H
#define TQ_ACCOUNT_DEVICE_LANES_H

#include "tq/account/gap.h"
#include "tq/account/gpu_numbers.h"
#include "tq/base/map.h"
#include "tq/base/numbered.h"

struct device_lane {
	uint32_t number, process; /* see names/model.h */
	int64_t pid, device;      /* NO_ID of a GPU of several processes */
	int64_t context, stream;  /* NO_ID, but of a stream */
	int64_t gpu;              /* number of a GPU of several, or NO_ID */
	size_t shared;            /* index + 1 of the lane of that GPU, or 0 */
	int64_t ops, first;       /* first: start of its first operation */
	int64_t from, until;     /* it is busy; until: INT64_MAX while it has an
				  * operation that was never closed */
	int64_t copies, kernels; /* the end of the last one */
	uint32_t thread;         /* that launched its last operation */
	uint32_t last;           /* the name of what ended at until, see
				  * gaps_host_operation(); only where gaps are asked
				  * for; 0: nothing did */
};

/* a lane had nothing to do */
struct lane_gap {
	size_t lane;
	int64_t from, to;
	struct gap_parts parts;
	const struct event *ev; /* the operation that ended it */
};

/* a GPU that lanes of devices are of */
struct lane_gpu {
	int64_t number; /* of the definitions, or from 0 */
	size_t first;   /* the lane of its first device */
	size_t shared;  /* index + 1 of its own lane, or 0 */
};

/* set the first part; all else is 0 at first */
struct device_lanes {
	bool by_stream;
	bool whole; /* the time before the first operation is a gap, too: from
		     * begin */
	const struct names *names; /* or NULL: no GPU is looked for */
	bool calls; /* the host holds all calls, see gaps_host.h */
	/* Called before lane.from and lane.until change; or NULL. */
	void (*gap)(void *arg, const struct lane_gap *gap);
	/* Called for a new lane: of is the lane that it is a copy of, or
	 * SIZE_MAX; or NULL. */
	void (*made)(void *arg, size_t lane, size_t of);
	void *arg;
	int64_t begin; /* of the section */

	NUMBERED(struct device_lane) all;
	size_t first; /* of the section */
	size_t last;  /* that was found last */
	struct gpu_numbers numbers;
	struct lane_gpu *gpus; /* of the section, by number */
	size_t gpu_count, gpu_cap;
	struct gaps_host host;
};

void device_lanes_open(struct device_lanes *l);

/* The lane of the device, or stream, of an operation that starts at ts. */
size_t device_lanes_find(
    struct device_lanes *l, const struct event *ev, int64_t ts);

/*
 * Add an operation to its lane and to that of its GPU.  end: INT64_MAX if it
 * was never closed.
 */
void device_lanes_add(struct device_lanes *l, size_t lane,
    const struct event *ev, int64_t ts, int64_t end);

/* Operations of the section that were never closed end at last. */
void device_lanes_end(struct device_lanes *l, int64_t last);

/* The section is over: its lanes stay, but are not found any more. */
void device_lanes_reset(struct device_lanes *l);

void device_lanes_free(struct device_lanes *l);

#endif
