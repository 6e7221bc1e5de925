/* python_thread.h - the thread that reads stacks of Python */
#ifndef TQ_CAPTURE_PYTHON_THREAD_H
#define TQ_CAPTURE_PYTHON_THREAD_H

#include "lines/clock.h"
#include "tq/base/text.h"

struct python_sample {
	uint64_t ticks; /* of the clock of the capture */
	int pid, tid;
	uint32_t count;  /* periods that it stands for */
	uint32_t frames; /* how many */
	bool running;
};

/* samples that the launcher has not taken yet */
struct python_batch {
	struct python_sample *samples;
	size_t count, cap;
	uint32_t *frames; /* of all samples, one behind the other */
	size_t frame_count, frame_cap;
	char **names; /* of frames, which are numbered in this order; free(3) */
	size_t name_count, name_cap;
	char **notes; /* warnings; free(3) */
	size_t note_count, note_cap;
	int64_t until; /* ns of CLOCK_MONOTONIC: all from before is there */
	int64_t torn;  /* samples whose stack changed while it was read */
	int64_t lost;  /* that were dropped */
};

struct python_thread;

/* NULL after a message. */
struct python_thread *python_thread_start(
    int64_t hz, const struct clock *clock, pid_t root);

/* Move what there is into *batch, which is empty. */
void python_thread_take(struct python_thread *t, struct python_batch *batch);

void python_thread_stop(struct python_thread *t);

void python_thread_free(struct python_thread *t);

/* Free the memory of a batch. */
void python_thread_release(struct python_batch *batch);

#endif
