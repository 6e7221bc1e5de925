/* cupti_buffers.h - memory lent to CUPTI for its records */
#ifndef TQ_AGENT_CUPTI_BUFFERS_H
#define TQ_AGENT_CUPTI_BUFFERS_H

#include "arena/arena.h"
#include "cupti_lib.h"

/*
 * From now on CUPTI gets buffers of this arena, and other memory while none
 * is free, and what comes back is translated.  The pointers are kept.  Once
 * per process.  What CUPTI returns.
 */
CUptiResult cupti_buffers_register(
    const struct cupti_lib *lib, struct arena *arena);

#endif
