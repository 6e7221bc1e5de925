/*
 * ring_thread.h - the thread that empties the rings of the kernel into memory,
 * so that none is lost while the launcher reads tables of a large file
 */
#ifndef TQ_CAPTURE_RING_THREAD_H
#define TQ_CAPTURE_RING_THREAD_H

#include "perf_rings.h"

struct ring_thread;

/* records that the launcher has not seen yet, in order of time */
struct ring_batch {
	char *bytes; /* struct queued_record, payload, to a multiple of 8 */
	size_t size, cap;
	int64_t until; /* ns of CLOCK_MONOTONIC: all from before it are there */
	int64_t lost;  /* that were dropped */
};

/* Empty r, which is the thread's from now on; NULL after a message. */
struct ring_thread *ring_thread_start(struct perf_rings *r);

/* Move what there is into *batch, whose bytes are free to be used again. */
void ring_thread_take(struct ring_thread *t, struct ring_batch *batch);

/* The next record of a batch, whose first byte is *at; false at its end. */
bool ring_thread_next(
    const struct ring_batch *b, size_t *at, struct perf_record *record);

/* Read the rest, and end; then ring_thread_take once more, and free. */
void ring_thread_stop(struct ring_thread *t);

void ring_thread_free(struct ring_thread *t);

#endif
