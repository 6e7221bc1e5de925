/*
 * nvtx_counters.h - counters of NVTX become definitions and values
 */
#ifndef TQ_CAPTURE_NVTX_COUNTERS_H
#define TQ_CAPTURE_NVTX_COUNTERS_H

#include "record_parts.h"

struct lines;

/*
 * Write the values of a RECORD_COUNTER with the parts x, and the definitions
 * of counters that are new.  A counter of a group is called GROUP.ENTRY.
 * Returns how many values there are, which may be 0.
 */
int nvtx_counters_record(
    struct lines *l, const struct record *r, const struct record_parts *x);

#endif
