/*
 * process.h - the state of the agent in its process: the arena, and whether
 * this is still the process that made it
 *
 * The struct lives in a page that the kernel wipes in a child after fork, by
 * whatever call: so the child finds neither an arena nor a lock that a
 * thread of the parent holds.  Everything else is inherited.
 */
#ifndef TQ_AGENT_PROCESS_H
#define TQ_AGENT_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "arena/arena.h"
#include "arena/ticks.h"

struct process {
	_Atomic uint32_t generation; /* of the arena; 0: there is none */
	_Atomic uint32_t refused;    /* 1: there will be none */
	_Atomic uint32_t lock;       /* of names and permanent memory */
	_Atomic int32_t owner;       /* its id, for osrt_record.c; 0: unknown */
	struct arena *_Atomic arena; /* set before generation */
};

extern struct process *process; /* NULL before the first process_open */
extern bool process_tsc;        /* the clock is the cycle counter */

/*
 * True if the settings allow to capture this process.  Short, for entry points
 * of NVTX: other threads spin until they return.  Any thread may call it;
 * preserves errno.
 */
bool process_is_wanted(void);

/*
 * Make the arena of this process and send it to the launcher, unless that was
 * done already.  False if this process is not captured.  Any thread may call it
 * at any time; errno may change.
 */
bool process_open(void);

/*
 * CUPTI has addresses of buffers of the arena from now on, in a child after
 * fork too: the child must leave them mapped.  Returns the first buffer, with
 * their number in *count.  Call it once there is an arena.
 */
char *process_lend_buffers(uint32_t *count);

/* The lock; not recursive, gone in a child after fork. */
void process_lock(void);
void process_unlock(void);

/*
 * This thread does not go on with its work under the lock, if it holds it: a
 * signal handler has jumped out.
 */
void process_forsake(void);

/* True if the launcher has ended, with full=block.  Costs a system call. */
bool process_alone(void);

/* Ticks of the clock of the capture. */
static inline uint64_t
process_clock(void)
{
	return process_tsc ? ticks_counter() : ticks_system();
}

#endif
