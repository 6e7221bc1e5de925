/*
 * keep.h - memory that is never given back: the tables of names and the
 * state of threads, which are used until the process ends
 */
#ifndef TQ_AGENT_PERMANENT_H
#define TQ_AGENT_PERMANENT_H

#include <stddef.h>

/*
 * Zeroed bytes, aligned to 16, straight from the kernel, since malloc may be
 * what called NVTX.  NULL where there is none.  The caller has the lock of
 * the process.
 */
void *permanent_alloc(size_t bytes);

#endif
