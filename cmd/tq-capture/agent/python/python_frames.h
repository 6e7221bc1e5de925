/*
 * python_frames.h - the frames of this thread, as CPython keeps them
 */
#ifndef TQ_AGENT_PYTHON_FRAMES_H
#define TQ_AGENT_PYTHON_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "python_layout.h"

enum { PYTHON_FRAMES = 128 }; /* of a stack; one for "and so on" */

struct python_frame {
	const char *code; /* NULL: there are more frames */
	uint32_t last;    /* offset of its instruction in bytes */
};

/*
 * The frames of this thread, the innermost first; 0 if there are none: the
 * program has no Python that is known, or the thread runs none.
 */
size_t python_frames_take(struct python_frame frames[PYTHON_FRAMES]);

/* Of a code object of a frame: objects of Python, and their bytes. */
const void *python_frames_name(const char *code);
const void *python_frames_file(const char *code);
int32_t python_frames_line(const char *code);
const char *python_frames_table(const char *code, size_t *len);

/* The layout; not NULL where there were frames. */
const struct python_layout *python_frames_layout(void);

#endif
