/*
 * blocked_sample.h - where a thread waits, as a line: a sample that stands for
 * no time on a processor
 */
#ifndef TQ_CAPTURE_BLOCKED_SAMPLE_H
#define TQ_CAPTURE_BLOCKED_SAMPLE_H

#include "lines/stack_lines.h"
#include "stacks/thread_look.h"

/* a thread as it was at a time */
struct blocked_sample {
	pid_t pid, tid;
	int64_t ts; /* ns of the trace */
	struct thread_call call;
	char stack[THREAD_LOOK_STACK];
	size_t stack_size;
};

/*
 * Look at the thread b->pid, b->tid.  False: it does not wait, or not in one
 * system call while its stack is read.
 */
bool blocked_sample_take(struct blocked_sample *b, const struct clock *clock);

/* Write the sample; code: of its process.  callers: with those of its leaf. */
void blocked_sample_write(const struct blocked_sample *b,
    struct stack_lines *stacks, struct out_stream *o,
    const struct code_map *code, bool callers);

#endif
