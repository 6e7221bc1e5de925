/* trace_definitions.h - the definitions that records of a trace refer to */
#ifndef TRACE_DEFINITIONS_H
#define TRACE_DEFINITIONS_H

#include "pftrace.h"

/* Write processes, threads, streams, symbols, counters and stacks. */
void trace_definitions_write(const struct pftrace *p);

#endif
