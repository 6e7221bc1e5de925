/*
 * What a storm has done, as the number of records that a profiler gets from
 * it.  Counters of one process, for all of its threads.
 */
#ifndef FAKECUDA_COUNTS_H
#define FAKECUDA_COUNTS_H

#include <stdbool.h>
#include <stdio.h>

enum count {
	KERNEL,       /* kernels, but for those in graphs */
	GRAPH_KERNEL, /* kernels in graphs: either these are recorded, ... */
	GRAPH,        /* ... or these */
	MEMCPY,
	MEMCPY2, /* from one GPU to another */
	MEMSET,
	RUNTIME, /* calls of the runtime, all of them */
	DRIVER,  /* calls of the driver, all of them made by the runtime */
	SILENT,  /* calls in RUNTIME that only query state */
	SYNC,
	MEMORY, /* allocations and releases */
	POOL,
	EVENT,
	STREAM,
	CONTEXT,
	DEVICE,
	OVERHEAD,
	RANGE, /* NVTX */
	MARK,
	COUNTS
};

/* From now on it is counted into the range as well, or not. */
void counts_range(bool inside);

void counts_add(enum count, unsigned int n);

/*
 * A line of JSON: {"pid":1,"all":{"kernel":3,...},"range":{...}}, with a key
 * for each count, in lower case.
 */
void counts_print(FILE *);

#endif
