/*
 * cupti_stream.h - the number that CUPTI's records have for a stream
 *
 * For names that NVTX gives to streams.  In an agent built without the half for
 * CUPTI the address of cupti_stream_number is NULL.
 */
#ifndef TQ_AGENT_CUPTI_STREAM_H
#define TQ_AGENT_CUPTI_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct cupti_lib;

/* CUPTI is in use from now on.  The pointer is kept. */
void cupti_stream_use(const struct cupti_lib *lib);

/*
 * The number of the stream with that handle (a CUstream).  False if CUPTI is
 * not in use, in a child after fork, for default streams, and if libcupti has
 * no such stream.  Any thread, but not in a callback of CUPTI.
 */
__attribute__((weak, visibility("hidden"))) bool cupti_stream_number(
    uint64_t handle, uint64_t *number);

#endif
