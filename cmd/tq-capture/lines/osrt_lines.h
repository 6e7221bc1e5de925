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

/* The name of a function, enum osrt_number, as users know it; perhaps in to. */
enum { OSRT_LINES_NAME = 32 };
struct span osrt_lines_name(unsigned call, char to[OSRT_LINES_NAME]);

/* The function of a symbol of the C library, such as
   "__pthread_mutex_lock@GLIBC_2.2.5"; OSRT_CALLS: none of these. */
unsigned osrt_lines_number(const char *symbol);

/* Code is mapped: a RECORD_MODULE. */
void osrt_lines_module(struct lines *l, const struct record *r);

#endif
