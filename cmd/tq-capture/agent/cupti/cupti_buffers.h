/* cupti_buffers.h - memory lent to CUPTI for its records */
#ifndef TQ_AGENT_CUPTI_BUFFERS_H
#define TQ_AGENT_CUPTI_BUFFERS_H

#include "arena/arena.h"
#include "cupti_lib.h"

/*
 * CUPTI gets buffers of this arena from now on, and other memory while none is
 * free; completed buffers are translated.  The pointers are kept.  Once per
 * process.  Returns the result of CUPTI.
 */
CUptiResult cupti_buffers_register(
    const struct cupti_lib *lib, struct arena *arena);

#endif
