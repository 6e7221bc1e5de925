/*
 * load_phase.h - the first phase of a device, which copies data to it, and
 * computes next to nothing.
 *
 * It lasts up to the kernel that reaches 1.5 to 3 % of the time of all kernels,
 * where half of the time before it are copies, and half of all copies are
 * before it.
 */
#ifndef TQ_ADVICE_LOAD_PHASE_H
#define TQ_ADVICE_LOAD_PHASE_H

#include <stdbool.h>

#include "tq/line/event.h"

enum { LOAD_DOUBLINGS = 8 };

/* how much of a device's work is copies and how much kernels, over time; {0} at
   first */
struct load_progress {
	int64_t computed, copied; /* ns of kernels, of copies and fills */
	unsigned doublings;       /* the first 2^n ns of kernels that are not
				   * reached */
	struct load_reached {
		int64_t at, copied;
	} reached[LOAD_DOUBLINGS];  /* the last ones, by n: the start of the
				     * kernel that reaches them */
	struct load_reached kernel; /* the same of the first kernel */
};

/* An operation that starts at ts, in order of ts. */
void load_phase_add(
    struct load_progress *p, const struct event *ev, int64_t ts);

/*
 * After the last operation: the phase ends where reached[*n] is; first: the
 * start of the first operation.  False if there is none.
 */
bool load_phase_find(const struct load_progress *p, int64_t first, size_t *n);

/* True if it ends with the first kernel already. */
bool load_phase_is_before(const struct load_progress *p, int64_t first);

#endif
