/* cupti_flush.h - the thread that asks CUPTI for what is complete */
#ifndef TQ_AGENT_CUPTI_FLUSH_H
#define TQ_AGENT_CUPTI_FLUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "cupti_lib.h"

/*
 * Start the thread: it flushes every period ms (0: never), and lets CUPTI
 * follow changes of arena.on.  armed: bits that were given to
 * cupti_kinds_follow.  The pointer is kept.  Once per process.
 */
void cupti_flush_start(
    const struct cupti_lib *lib, uint32_t period, uint32_t armed);

/*
 * There is a context from now on.  Flush at once, which no callback of CUPTI
 * may do itself.  Both may be called in callbacks, and do nothing in a child
 * after fork.
 */
void cupti_flush_context(void);
void cupti_flush_soon(void);

/*
 * The process exits: the thread ends, and all that CUPTI has is flushed, also
 * what is not complete.  Nothing in a child after fork.
 */
void cupti_flush_end(void);

#endif
