/*
 * gpu.h - records of CUPTI become lines
 */
#ifndef TQ_CAPTURE_GPU_H
#define TQ_CAPTURE_GPU_H

#include "tq/base/map.h"
#include "tq/base/text.h"

#include "arena/record.h"

struct lines;

/* a stream, which waits for its context, and may have a name by NVTX */
struct gpu_stream {
	struct record_stream record;
	struct text name;
	bool is_known; /* false: there is only a name, no record */
	bool is_written;
};

/* devices, contexts and streams of a process; {0} is none */
struct gpu {
	struct map defined;   /* those whose definition was written */
	struct map device_of; /* context -> device + 1 */
	struct text waiting;  /* records of contexts that are not known yet */
	struct gpu_stream *streams;
	size_t stream_count, stream_cap;
	const struct named_id *symbol; /* of the kernel that is being written */
	int64_t stacks[CALL_STACKS];   /* of the call; 0: none */
};

/*
 * Write the line of a record of CUPTI, as the functions of records.def do.
 * Returns how many events are complete: 0 for a definition, and for a record
 * that waits for its context.
 */
int gpu_record(struct lines *l, const struct chunk *c, const struct record *r);

/* The name of a function of CUDA by its number in CUPTI, perhaps in to. */
enum { GPU_CALL_NAME = 32 };
struct span gpu_call_name(const struct lines *l, enum api_source source,
    uint32_t callback, char to[GPU_CALL_NAME]);

/* All records that were there at a moment have been read: write the calls that
   waited for their stacks, and return how many. */
int gpu_settle(struct lines *l);

/* The process has ended: write what waits, and return how many events. */
int gpu_finish(struct lines *l);

void gpu_free(struct gpu *g);

#endif
