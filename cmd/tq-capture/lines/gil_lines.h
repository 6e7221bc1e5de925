/*
 * gil_lines.h - waits for the lock of Python, and holds of it, become lines
 */
#ifndef TQ_CAPTURE_GIL_LINES_H
#define TQ_CAPTURE_GIL_LINES_H

#include <stdint.h>

#include "arena/record.h"

struct lines;

/* Write the line of a RECORD_GIL of that thread; returns how many: 1, or 0 of
   garbage. */
int gil_lines_record(struct lines *l, int32_t tid, const struct record *r);

#endif
