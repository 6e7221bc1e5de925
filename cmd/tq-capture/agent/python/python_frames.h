/*
 * python_frames.h - the frames of this thread, as CPython keeps them
 */
#ifndef TQ_AGENT_PYTHON_FRAMES_H
#define TQ_AGENT_PYTHON_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "python_layout.h"

enum {
	PYTHON_FRAMES = 128,    /* of a stack; one for "and so on" */
	PYTHON_BYTES_SIZE = 16, /* of an object of type bytes: how many, */
	PYTHON_BYTES = 32       /* and where they begin */
};

struct python_frame {
	const char *code; /* NULL: there are more frames */
	uint32_t last;    /* offset of its instruction in bytes */
};

/*
 * The frames of this thread, the innermost first; 0 if there are none: the
 * program has no Python that is known, or the thread runs none.
 */
size_t python_frames_take(struct python_frame frames[PYTHON_FRAMES]);

/*
 * True if the innermost frame of this thread is in that memory.  From 3.11 on
 * Python gives the memory of the frame that makes a generator back to the
 * kernel while it is still the innermost one.
 */
bool python_frames_begin_in(const void *memory, size_t bytes);

/* The layout; not NULL where there were frames. */
const struct python_layout *python_frames_layout(void);

/* ---- objects ---- */

static inline const char *
python_frames_pointer(const char *p, int offset)
{
	const char *v;

	memcpy(&v, p + offset, sizeof(v));
	return v;
}

static inline int32_t
python_frames_number(const char *p, int offset)
{
	int32_t v;

	memcpy(&v, p + offset, sizeof(v));
	return v;
}

/* Of an object of type bytes: its length, and its first 8 bytes. */
static inline void
python_frames_head(uint64_t head[2], const char *object)
{
	uint64_t n;

	memcpy(&n, object + PYTHON_BYTES_SIZE, sizeof(n));
	head[0] = n;
	head[1] = 0;
	if (n >= 8)
		memcpy(&head[1], object + PYTHON_BYTES, 8);
	else
		memcpy(&head[1], object + PYTHON_BYTES, n);
}

/* The bytes of an object of type bytes. */
const char *python_frames_bytes(const char *object, size_t *len);

#endif
