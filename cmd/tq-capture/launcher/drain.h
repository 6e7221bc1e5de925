/*
 * drain.h - records are read out of an arena, and its chunks given back
 */
#ifndef TQ_CAPTURE_DRAIN_H
#define TQ_CAPTURE_DRAIN_H

#include "captured_process.h"

/*
 * Write the lines of the records since the last call.  spill: where there is
 * too much to write at once, move it to the backlog, out of the way of the
 * program.  Returns how many bytes of records were read.
 */
size_t drain_target(struct captured_process *t, bool spill);

/* The same of a process that has ended, to the last record. */
void drain_rest(struct captured_process *t);

#endif
