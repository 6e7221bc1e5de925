/*
 * throttle.h - the samples that the kernel did not take, because they came more
 * often than kernel.perf_event_max_sample_rate allows
 *
 * It takes no more samples of a thread on a processor until its next tick, and
 * records when this begins and ends, but not how many samples it left out.
 */
#ifndef TQ_CAPTURE_THROTTLE_H
#define TQ_CAPTURE_THROTTLE_H

#include <stdint.h>

#include "tq/base/keyed.h"

/* a thread on a processor */
struct throttled_thread {
	int64_t since; /* ns; -1: it is sampled */
};

/* {0} with these set */
struct throttle {
	int64_t period, tick;                   /* ns */
	KEYED(struct throttled_thread) threads; /* by thread and processor */
	int64_t missed; /* ns without samples that throttle_take did not give */
};

/* Times are ns of one clock. */
void throttle_begin(struct throttle *t, uint32_t tid, uint32_t cpu, int64_t ts);

/* Does nothing if it did not begin. */
void throttle_end(struct throttle *t, uint32_t tid, uint32_t cpu, int64_t ts);

/* How many samples were left out since the last call. */
uint64_t throttle_take(struct throttle *t);

void throttle_free(struct throttle *t);

#endif
