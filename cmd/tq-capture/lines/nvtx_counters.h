/*
 * counters.h - the counters of NVTX, as definitions and values
 */
#ifndef TQ_CAPTURE_NVTX_COUNTERS_H
#define TQ_CAPTURE_NVTX_COUNTERS_H

#include "nvtx_lines.h"

/*
 * A RECORD_COUNTER with the parts x: writes its values, and the definitions
 * of counters that are new.  A counter of a group is called GROUP.ENTRY.
 * Returns how many values; 0: there are none in it.
 */
int nvtx_counters_record(const struct source *from, const struct record *rec,
    const struct record_parts *x);

#endif
