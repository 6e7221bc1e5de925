/*
 * gpu.h - the records of CUPTI as lines
 */
#ifndef TQ_CAPTURE_GPU_H
#define TQ_CAPTURE_GPU_H

#include "nvtx_lines.h"

/* a stream, which waits for its context, and maybe has a name by NVTX */
struct gpu_stream {
	struct record_stream record;
	struct text name;
	bool is_known; /* there is a record of it, not only a name */
	bool is_written;
};

/* what was defined of a process; {0} is nothing */
struct gpu {
	struct map defined;   /* devices, contexts, streams that were told */
	struct map device_of; /* context to 1 + device */
	struct text held;     /* records of contexts that are not known yet */
	struct gpu_stream *streams;
	size_t stream_count;
};

/* symbols have one number in the whole capture */
struct symbols {
	struct map by_name; /* hash of the mangled name, stream; number */
	int64_t count;
};

/*
 * A whole record of CUPTI, or a RECORD_OBJECT: writes its line.  Returns how
 * many events that are: 1, or 0 of a definition or garbage.
 */
int gpu_record(struct gpu *g, struct symbols *symbols,
    const struct source *from, const struct record *rec);

/*
 * Write the records that waited for their context and have it now; of a
 * process that is over, all that waits.  Returns how many events that are.
 */
int gpu_release(struct gpu *g, const struct source *from, bool is_over);

void gpu_free(struct gpu *g);

#endif
