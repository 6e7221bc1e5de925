/*
 * blocked_waits.h - which threads wait for long, from the records of context
 * switches: each wait of 20 ms or more is given once
 */
#ifndef TQ_CAPTURE_BLOCKED_WAITS_H
#define TQ_CAPTURE_BLOCKED_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tq/base/keyed.h"

/* a thread, and since when it waits (ns of any clock); since < 0: it runs */
struct blocked_wait {
	uint32_t pid, tid;
	int64_t since;
};

/* {0} has none */
struct blocked_waits {
	KEYED(struct blocked_wait) threads; /* by pid and tid */
	/* waits that have begun, in order of time; those before `first` are
	   over, or were given */
	struct blocked_wait *begun;
	size_t first, count, cap;
};

/* A thread begins to wait; times do not decrease. */
void blocked_waits_begin(
    struct blocked_waits *w, uint32_t pid, uint32_t tid, int64_t now);

/* It got a processor. */
void blocked_waits_end(struct blocked_waits *w, uint32_t pid, uint32_t tid);

/* The next thread that waits since 20 ms before now or longer, which is given
   once in a wait; false: there is none. */
bool blocked_waits_next(
    struct blocked_waits *w, int64_t now, struct blocked_wait *found);

/* The next thread from *at on, 0 at first, that waits so long still. */
bool blocked_waits_still(const struct blocked_waits *w, size_t *at, int64_t now,
    struct blocked_wait *found);

void blocked_waits_free(struct blocked_waits *w);

#endif
