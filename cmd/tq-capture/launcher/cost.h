/*
 * cost.h - what the capture costs the programs, estimated from its counters
 *
 * What a program pays for an event of NVTX is two readings of the clock and
 * some stores, and all of it is known beforehand: the clock is measured when
 * the capture starts, the rest is a constant (make bench-capture measures
 * it).  Of CUPTI the agent measures the time in which it takes in completed
 * buffers, on threads of CUPTI; what CUPTI does itself it tells in its
 * overhead records, as far as it tells it.
 */
#ifndef TQ_CAPTURE_COST_H
#define TQ_CAPTURE_COST_H

#include "target.h"

struct cost {
	double clock; /* ns of a reading */
};

void cost_open(struct cost *c, const struct clock *clock);

/* ns that n events of a kind cost the threads that made them. */
double cost_of(const struct cost *c, enum count_kind kind, int64_t n);

/* ns that all events of the process have cost it so far. */
double cost_total(const struct cost *c, const struct target *p);

/*
 * What is to be given up next, where the limit is passed: ARENA_* bits that
 * are in on; 0: nothing is left that may be.  First calls of the driver, then
 * synchronisations, calls of the runtime, NVTX; never device operations.
 */
uint32_t cost_shed(uint32_t on, const char **what);

/* Write a record of what each kind cost the process. */
void cost_report(const struct cost *c, const struct target *p);

#endif
