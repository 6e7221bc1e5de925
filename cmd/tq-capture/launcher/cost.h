/*
 * cost.h - the cost of the capture for the programs, estimated
 *
 * A range of NVTX costs two readings of the clock and some stores: the clock is
 * measured when the capture starts, the stores are a constant (make
 * bench-capture measures it).  For CUPTI the agent measures the time of
 * translating completed buffers, on threads of CUPTI; CUPTI reports a part of
 * its own cost in overhead records.
 */
#ifndef TQ_CAPTURE_COST_H
#define TQ_CAPTURE_COST_H

#include "captured_process.h"

/* the name of calls that are timed, and too short for a record */
#define COST_SHORT "OS calls too short to be recorded"

struct cost {
	double clock; /* ns of a reading */
};

void cost_open(struct cost *c, const struct clock *clock);

/* ns that n events of a kind cost the threads of the program. */
double cost_of(const struct cost *c, enum count_kind kind, int64_t n);

/* ns that n calls of the C library cost whose time was taken, and too short for
   a record; no option but another --trace saves that. */
double cost_of_short(const struct cost *c, int64_t n);

/* ns that all events of the process have cost it so far, as far as less may be
   recorded. */
double cost_total(const struct cost *c, const struct captured_process *p);

/*
 * The next ARENA_* bits of on to switch off if the cost is above its limit; 0:
 * none are left.  First stacks, calls that take locks, samples, calls of the C
 * library and of the driver, then synchronisations, calls of the runtime, NVTX;
 * never device operations.
 */
uint32_t cost_shed(uint32_t on, const char **what);

/* Write a record for each kind of event, with its cost for the process. */
void cost_report(const struct cost *c, const struct captured_process *p);

#endif
