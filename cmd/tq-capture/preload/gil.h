/*
 * gil.h - the global interpreter lock of CPython, known by the mutex and the
 * condition that it consists of
 *
 *	take = lock the mutex, wait on the condition while another has it,
 *unlock drop = lock the mutex, signal the condition, unlock
 *
 * The condition is the one within _PyRuntime that is waited for with a limit of
 * time: before the first such wait nothing is known.
 */
#ifndef TQ_PRELOAD_GIL_H
#define TQ_PRELOAD_GIL_H

#include <stdbool.h>
#include <stdint.h>

/* where _PyRuntime is; size 0: it is not there, or not of interest */
struct gil_runtime {
	uintptr_t start, size;
};

/* the lock, once it is known */
struct gil_lock {
	const void *mutex, *condition;
};

extern struct gil_runtime gil_runtime;
extern struct gil_lock gil_lock;

/* A wait with a limit is about to begin, on a condition of Python's. */
void gil_found(const void *condition, const void *mutex);

/* The mutex of the lock is about to be locked, and to be unlocked; and it is.
   Its condition is signalled in between. */
void gil_locks(void);
void gil_signals(void);
void gil_unlocks(void);
void gil_unlocked(void);

static inline bool
gil_may_be(const void *condition)
{
	return (uintptr_t)condition - gil_runtime.start < gil_runtime.size;
}

#endif
