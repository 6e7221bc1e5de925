/*
 * osrt_lines.h - calls of the C library become lines
 */
#ifndef TQ_CAPTURE_OSRT_LINES_H
#define TQ_CAPTURE_OSRT_LINES_H

#include <stdint.h>

#include "tq/base/span.h"

/* The name of a function, enum osrt_number, as users know it; perhaps in to. */
enum { OSRT_LINES_NAME = 32 };
struct span osrt_lines_name(unsigned call, char to[OSRT_LINES_NAME]);

/* The function of a symbol of the C library, such as
   "__pthread_mutex_lock@GLIBC_2.2.5"; OSRT_CALLS: none of these. */
unsigned osrt_lines_number(const char *symbol);

#endif
