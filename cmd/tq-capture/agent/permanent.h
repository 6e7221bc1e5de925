/*
 * permanent.h - memory that is never freed: the tables of names and the state
 * of threads, which live until the process ends
 */
#ifndef TQ_AGENT_PERMANENT_H
#define TQ_AGENT_PERMANENT_H

#include <stddef.h>

/*
 * Zeroed bytes, aligned to 16, straight from the kernel: NVTX may be called
 * from within malloc.  NULL if there is no memory.  The caller has the lock of
 * the process.
 */
void *permanent_alloc(size_t bytes);

#endif
