/* The work of one thread of a storm; all of it is counted. */
#ifndef FAKECUDA_WORK_H
#define FAKECUDA_WORK_H

#include <stdbool.h>

/* amounts of each thread and round */
struct amount {
	unsigned int allocations, copies, fills, graphs, launches, peers,
	    queries;
	unsigned int direct;  /* launches by the driver's function */
	unsigned int nodes;   /* kernels of a graph */
	unsigned int streams; /* of a thread */
	bool nvtx; /* names of streams, a range per launch, a mark per copy */
};

struct work;

/* Before all others, once. */
void work_name_kernels(void);

/* Streams and memory for the calling thread, which keeps them; on this GPU. */
struct work *work_new(const struct amount *, int device);

/* All of it once; wait: until it has ended. */
void work_round(struct work *, bool wait);

void work_synchronize(void);
void work_reset(void); /* the context of GPU 0 is gone afterwards */

/* cudaProfilerStart or cudaProfilerStop: begin or end a range. */
void work_range(bool begin);

#endif
