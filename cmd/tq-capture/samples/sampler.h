/*
 * sampler.h - where threads of the command are on processors: samples with
 * their stacks, and context switches, as lines of the outputs
 *
 * All of it happens in the launcher: the kernel copies registers and a piece of
 * the stack of a thread (perf_rings.h), and tables of the files that it runs
 * lead to its callers (stacks/).  The program runs nothing.
 */
#ifndef TQ_CAPTURE_SAMPLER_H
#define TQ_CAPTURE_SAMPLER_H

#include "launcher/outputs.h"
#include "lines/stack_lines.h"
#include "blocked_waits.h"
#include "ring_thread.h"
#include "throttle.h"

/* a process of the command, from the records of the kernel */
struct sampled_process {
	int pid;
	struct code_map code;
	struct captured_process *target; /* NULL: it has no agent */
	int others;                      /* threads beside its first one */
	bool first_ended;                /* they may go on without it */
};

struct sampler {
	struct perf_rings rings;
	struct ring_thread *thread; /* NULL: nothing is recorded */
	struct ring_batch batch;
	bool samples, switches;
	bool blocked; /* the stacks of threads that wait */
	bool stopped;
	struct outputs *to;
	size_t seen;                             /* targets that are known */
	KEYED(struct sampled_process) processes; /* by pid */
	struct stack_lines *stacks;
	struct blocked_waits waits; /* of threads whose stacks are taken */
	struct throttle throttle;
	int64_t taken, whole; /* samples */
	int64_t homeless;     /* samples and switches for which there is no
			       * output: with --split, of no captured process */
};

/*
 * Begin with a command that waits for its exec, or with a process that runs
 * already, its threads and descendants; stacks is borrowed.  Returns 0, or
 * errno of perf_event_open(2).
 */
int sampler_start(struct sampler *s, const struct perf_wish *wish,
    struct outputs *to, struct stack_lines *stacks, pid_t pid);

/*
 * Write the records of these processes since the last call.  Returns ns of the
 * trace: all records from before it are written.
 */
int64_t sampler_write(
    struct sampler *s, struct captured_process *const *targets, size_t count);

/* Nothing more is recorded; sampler_write writes the rest. */
void sampler_stop(struct sampler *s);

/*
 * Samples and switches of processes that have no output: with --split, of
 * processes that are not captured.
 */
int64_t sampler_homeless(const struct sampler *s);

void sampler_free(struct sampler *s);

#endif
