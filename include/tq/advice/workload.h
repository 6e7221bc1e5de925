/*
 * workload.h - the work of the devices of a stream, summed up by a first pass:
 * the work of each kernel and of each stream, the best rate of copies of each
 * direction, and copies that come back.
 *
 * Devices and streams have their numbers of names/model.h.  Memory grows with
 * the names and streams of a device, and with the sizes of its copies, of which
 * there are WORKLOAD_SIZES at most: more are not looked at.
 */
#ifndef TQ_ADVICE_WORKLOAD_H
#define TQ_ADVICE_WORKLOAD_H

#include "tq/account/device_time.h"
#include "tq/base/intern.h"
#include "tq/base/keyed.h"
#include "tq/base/numbered.h"

enum {
	WORKLOAD_SIZES = 1 << 16,
	WORKLOAD_LARGE = 1 << 20, /* bytes of a copy that has a rate */
	WORKLOAD_MINOR = 10       /* percent: less is no use of a stream */
};

/* ns of kernels of a symbol, or of a name where they have none */
struct workload_name {
	int64_t ns;
};

/* ns of operations of a stream */
struct workload_stream {
	uint32_t device;
	int64_t ns[DEVICE_CLASSES];
};

/* of a device: ns, and the ns in which any kernel computes */
struct workload_device {
	int64_t ns[DEVICE_CLASSES];
	int64_t computes, until;
	int64_t pageable; /* ns of copies from or to pageable memory */
	uint32_t most;    /* the symbol whose kernels compute longest: */
	int64_t most_ns;
	/* workload_finish: streams with a share of the computing, and the
	 * index of the one with most of it */
	int64_t streams;
	size_t first;
	int64_t copy_streams; /* with a share of the copying */
};

/* bytes per second of copies of a direction */
struct workload_rate {
	int64_t best;
};

/* copies of a size */
struct workload_size {
	int64_t trips;    /* to the host and back in one step */
	int64_t step;     /* of the last copy to the host */
	bool on_the_host; /* none came back since */
};

/* {0} is empty */
struct workload {
	struct intern texts; /* names, directions */
	KEYED(struct workload_name) names;
	NUMBERED(struct workload_stream) streams;
	KEYED(struct workload_rate) rates;
	KEYED(struct workload_size) sizes;
	NUMBERED(struct workload_device) devices;
	struct text text;
};

/* Add the keys that it needs. */
void workload_keys(struct keyset *want);

/* Add an operation of a device, in the order of the stream, and its step. */
void workload_add(struct workload *w, const struct event *ev, int64_t step);

/* All was added. */
void workload_finish(struct workload *w);

/* Percent of the device's work that kernels of this one's symbol have. */
int64_t workload_name_share(struct workload *w, const struct event *ev);

/* True if no symbol has more of the device's computing than this one's. */
bool workload_name_first(const struct workload *w, const struct event *ev);

/*
 * True if the stream of a kernel has WORKLOAD_MINOR percent of the computing
 * of its device, and of its communication.
 */
bool workload_shared(const struct workload *w, const struct event *ev);

/*
 * True if the kernels of the device that compute are on two streams or more,
 * with WORKLOAD_MINOR percent each, run together for less than 5 % of the time,
 * and the stream of this one is one of them, and not that with most of it.
 */
bool workload_serial(const struct workload *w, const struct event *ev);

/* The best rate of large copies of this one's direction; 0: none. */
int64_t workload_best_rate(struct workload *w, const struct event *ev);

/* How often so many bytes went to the host and came back in one step. */
int64_t workload_trips(const struct workload *w, const struct event *ev);

/* bytes per second of a copy; 0: unknown */
int64_t workload_rate(const struct event *ev);

void workload_free(struct workload *w);

#endif
