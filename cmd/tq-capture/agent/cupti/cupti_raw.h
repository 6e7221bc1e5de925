/*
 * cupti_raw.h - buffers of CUPTI saved to files, for tests to replay
 *
 * If TQ_CUPTI_RAW names a folder, each buffer that CUPTI completes is written
 *to a file there, PID-NUMBER.cupti, before it is translated:
 *
 *	struct raw_header
 *	the bytes of the buffer, padding to eight
 *	texts: u64 address, u64 bytes, the bytes, padding to eight
 *
 * The texts are the names that the records point to.
 */
#ifndef TQ_AGENT_CUPTI_RAW_H
#define TQ_AGENT_CUPTI_RAW_H

#include "arena/arena.h"
#include "cupti_lib.h"

#define RAW_MAGIC UINT64_C(0x3130697470756374) /* "tcupti01" */

enum { RAW_MOST = 1000 * 1000 }; /* bytes of all files of a process */

struct raw_header {
	uint64_t magic;
	uint32_t cupti; /* cuptiGetVersion */
	uint32_t on;    /* bits of arena.on whose records were translated */
	uint32_t bytes; /* of the buffer */
	uint32_t texts;
	uint16_t stride[ARENA_STRIDES];
};

_Static_assert(sizeof(struct raw_header) % 8 == 0, "records are aligned");

/* Read the environment.  Before any buffer is complete. */
void cupti_raw_start(void);

/*
 * Write the buffer if TQ_CUPTI_RAW is set.  Of the buffer that exceeds RAW_MOST
 * only the first records are written, and nothing afterwards, with a note; an
 * error ends it too, with a note.  stride: of the records; on: bits whose
 * records are translated.  For any thread.
 */
void cupti_raw_write(const struct cupti_lib *lib,
    const uint16_t stride[ARENA_STRIDES], uint32_t on, const uint8_t *buffer,
    size_t bytes);

#endif
