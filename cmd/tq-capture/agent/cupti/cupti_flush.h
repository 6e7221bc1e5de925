/* cupti_flush.h - the thread that flushes CUPTI */
#ifndef TQ_AGENT_CUPTI_FLUSH_H
#define TQ_AGENT_CUPTI_FLUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "cupti_lib.h"

/*
 * Start the thread: it flushes every period ms (0: never), and enables and
 * disables kinds when arena.on changes.  armed: the bits of the call of
 * cupti_kinds_follow so far.  The pointer is kept.  Once per process.
 */
void cupti_flush_start(
    const struct cupti_lib *lib, uint32_t period, uint32_t armed);

/*
 * There is a context from now on; let the thread flush at once, which callbacks
 * of CUPTI may not do themselves.  Callbacks may call both; flush_soon does
 * nothing in a child after fork.
 */
void cupti_flush_context(void);
void cupti_flush_soon(void);

/*
 * The process exits: end the thread and flush all records, incomplete ones too.
 * Does nothing in a child after fork.
 */
void cupti_flush_end(void);

#endif
