/*
 * process.h - what the agent knows of its process: the arena, and whether it
 * is still the process that made it
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
#include <time.h>

#include "arena/arena.h"

struct process {
	_Atomic uint32_t generation; /* of the arena; 0: there is none */
	_Atomic uint32_t refused;    /* there will be none either */
	_Atomic uint32_t lock;       /* of names and of what is kept */
	struct arena *_Atomic arena; /* set before generation */
};

extern struct process *process; /* NULL before the first process_open */
extern bool process_tsc;        /* the clock is the cycle counter */

/*
 * Make the arena of this process and tell the launcher, unless that was done
 * already.  False where nothing is to be captured.  Any thread may call it
 * at any time; errno may change.
 */
bool process_open(void);

/*
 * From now on somebody else has addresses of buffers of the arena, also in a
 * child after fork, which is to leave them mapped.  Once there is an arena.
 */
void process_lend_buffers(void);

/* The lock; not recursive, gone in a child after fork. */
void process_lock(void);
void process_unlock(void);

/* Has the launcher ended?  Costs a system call. */
bool process_alone(void);

/* Ticks of the clock of the capture. */
static inline uint64_t
process_clock(void)
{
	struct timespec ts;

#if defined(__x86_64__)
	if (process_tsc)
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	if (process_tsc) {
		uint64_t ticks;

		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
		return ticks;
	}
#endif
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

#endif
