/*
 * real.h - the functions of the C library that the wrappers stand before
 */
#ifndef TQ_PRELOAD_REAL_H
#define TQ_PRELOAD_REAL_H

#include <stdatomic.h>
#include <stddef.h>

#include "arena/record.h"

/* by their rows in osrt_calls.def; NULL: not looked for yet */
extern void *_Atomic real_functions[OSRT_CALLS];

/* Find the function; one that the C library lacks fails with ENOSYS. */
void *real_find(enum osrt_number call);

static inline void *
real_of(enum osrt_number call)
{
	void *real =
	    atomic_load_explicit(&real_functions[call], memory_order_relaxed);

	return __builtin_expect(real == NULL, 0) ? real_find(call) : real;
}

#endif
