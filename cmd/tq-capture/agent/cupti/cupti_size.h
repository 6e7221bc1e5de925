/* cupti_size.h - how long the records of a libcupti are */
#ifndef TQ_AGENT_CUPTI_SIZE_H
#define TQ_AGENT_CUPTI_SIZE_H

#include "arena/arena.h"
#include "cupti_lib.h"

/*
 * The bytes of a record of each kind, as this libcupti makes them, 0 for
 * kinds that it does not know.  They grow from CUDA to CUDA, always at the
 * end.  Needs no driver.
 */
void cupti_size_probe(
    const struct cupti_lib *lib, uint16_t stride[ARENA_STRIDES]);

#endif
