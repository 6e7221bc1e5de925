/*
 * python_sampler.h - where threads of Python are: samples with their stacks,
 * as lines of the outputs
 *
 * A thread of the launcher reads them from the memory of the processes of the
 * command, which run nothing for it; the launcher writes them.
 */
#ifndef TQ_CAPTURE_PYTHON_SAMPLER_H
#define TQ_CAPTURE_PYTHON_SAMPLER_H

#include "launcher/outputs.h"
#include "lines/stack_lines.h"

struct python_thread;

/* {0} writes nothing */
struct python_sampler {
	struct python_thread *thread; /* NULL: nothing is recorded */
	struct outputs *to;
	struct stack_lines *stacks;
	uint32_t *frames; /* of the thread's, by number: the number of stacks */
	size_t frame_count, frame_cap;
	int64_t torn, lost; /* without a record yet */
	int64_t homeless;   /* samples for which there is no output */
};

/* 0 if the memory of other processes can be read, else an errno. */
int python_sampler_try(void);

/* True unless the memory of this process may not be read. */
bool python_sampler_may_read(pid_t pid);

/* Begin with the process root and its descendants; stacks is borrowed. */

void python_sampler_start(struct python_sampler *s, int64_t hz, pid_t root,
    struct outputs *to, struct stack_lines *stacks);

/*
 * Write the samples of these processes read since the last call.  Returns ns of
 * the trace: all samples from before it are written.
 */
int64_t python_sampler_write(struct python_sampler *s,
    struct captured_process *const *targets, size_t count);

/* Write to the outputs how many samples are lost since the last call. */
void python_sampler_report(struct python_sampler *s);

/* Nothing more is read; then python_sampler_write writes the rest. */
void python_sampler_stop(struct python_sampler *s);

void python_sampler_free(struct python_sampler *s);

#endif
