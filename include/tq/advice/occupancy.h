/*
 * occupancy.h - how many blocks of a kernel a multiprocessor holds at once, by
 * what CUDA documents for each compute capability.
 *
 * It is the theoretical occupancy: of the largest part of the first cache that
 * can be shared memory, without clusters, and with no other kernel there.
 */
#ifndef TQ_ADVICE_OCCUPANCY_H
#define TQ_ADVICE_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/span.h"

/* what limits the blocks of a multiprocessor */
enum occupancy_limit {
	OCCUPANCY_UNKNOWN,
	OCCUPANCY_REGISTERS,
	OCCUPANCY_SHARED_MEMORY,
	OCCUPANCY_BLOCK_SIZE /* threads, or the number of blocks */
};

enum { OCCUPANCY_LIMITS = 4 };

/* a multiprocessor of a compute capability */
struct occupancy_sm;

/* the resources of a block */
struct occupancy_block {
	int64_t threads;
	int64_t regs;   /* of a thread */
	int64_t shared; /* bytes */
};

struct occupancy {
	int64_t blocks;  /* that a multiprocessor holds, > 0 */
	int64_t percent; /* of its warps */
	enum occupancy_limit limit;
};

/* The multiprocessor of a compute capability, "9.0"; NULL if it is unknown. */
const struct occupancy_sm *occupancy_find_sm(struct span cc);

/* False if sm is NULL, or if the block does not fit, or is none. */
bool occupancy_of(const struct occupancy_sm *sm,
    const struct occupancy_block *block, struct occupancy *o);

/* "registers" ... */
const char *occupancy_limit_name(enum occupancy_limit limit);

#endif
