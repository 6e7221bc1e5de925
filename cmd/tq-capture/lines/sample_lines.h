/*
 * sample_lines.h - samples that timers in a program take become lines
 */
#ifndef TQ_CAPTURE_SAMPLE_LINES_H
#define TQ_CAPTURE_SAMPLE_LINES_H

#include "arena/record.h"
#include "record_parts.h"

struct lines;

/* when the mappings of a process are read again, for unknown code */
struct code_look {
	int64_t next;  /* ns; not before */
	int64_t pause; /* ns until the one after it */
};

/* The id of the stack that was copied into a record; 0: none was. */
int64_t sample_lines_stack(struct lines *l, const struct record_parts *x);

#endif
