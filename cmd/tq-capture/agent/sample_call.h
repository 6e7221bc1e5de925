/*
 * sample_call.h - the interface between the timers of libtq-preload.so and
 * libtq-capture.so: samples without perf_event_open(2)
 */
#ifndef TQ_AGENT_SAMPLE_CALL_H
#define TQ_AGENT_SAMPLE_CALL_H

#include <stdint.h>

#include "arena/record.h"

#pragma GCC visibility push(default)

/* Before main: ns of a thread's time between its samples; 0: none are taken. */
int64_t tq_capture_sample_begin(void);

/*
 * In a signal handler: record where this thread was interrupted, for that many
 * periods.
 */
void tq_capture_sample(const struct osrt_stack *registers, uint32_t count);

/* The number of periods between two samples now. */
uint32_t tq_capture_sample_every(void);

/* A thread began with the signal blocked: it is not sampled meanwhile. */
void tq_capture_sample_blocked(void);

/* The program uses the signal itself: this process is not sampled any more. */
void tq_capture_sample_end(void);

#pragma GCC visibility pop

#endif
