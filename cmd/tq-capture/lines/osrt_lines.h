/*
 * osrt_lines.h - calls of the C library become lines
 */
#ifndef TQ_CAPTURE_OSRT_LINES_H
#define TQ_CAPTURE_OSRT_LINES_H

#include <stdint.h>

#include "record_parts.h"

struct lines;

/* Write the line of a RECORD_OSRT of that thread; returns how many that are. */
int osrt_lines_record(struct lines *l, int32_t tid, const struct record *r);

/* Code is mapped: a RECORD_MODULE. */
void osrt_lines_module(struct lines *l, const struct record *r);

#endif
