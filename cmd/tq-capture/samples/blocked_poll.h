/*
 * blocked_poll.h - where threads wait for long, where the kernel records no
 * context switches: the times that it keeps of each thread are read 20 times a
 * second, and a thread that has not run in between waits
 */
#ifndef TQ_CAPTURE_BLOCKED_POLL_H
#define TQ_CAPTURE_BLOCKED_POLL_H

#include "counters/process_tree.h"
#include "launcher/outputs.h"
#include "lines/stack_lines.h"

/* a process whose threads wait */
struct polled_process {
	int pid;
	int64_t read; /* ns: when its code was read */
	struct code_map code;
};

/* a thread, when it was seen to have run last */
struct polled_thread {
	uint64_t ran, slices; /* ns, turns on a processor */
	bool taken;           /* its stack, since then */
};

/* set by the caller: to, stacks, callers; the rest zeroed */
struct blocked_poll {
	struct outputs *to;
	struct stack_lines *stacks;
	bool callers; /* stacks have more than their leaf */
	KEYED(struct polled_process) processes; /* by pid */
	KEYED(struct polled_thread) threads;    /* by pid and tid */
	int64_t looked;                         /* ns: the last time */
	unsigned round;                         /* number of it */
	int64_t homeless; /* samples for which there is no output */
};

enum { BLOCKED_POLL_MS = 50 };

/* Look at these processes, if it is time, and write the samples.  targets:
   the processes that have outputs. */
void blocked_poll_look(struct blocked_poll *p, const struct process_tree *tree,
    struct captured_process *const *targets, size_t count);

void blocked_poll_free(struct blocked_poll *p);

#endif
