/*
 * osrt_lines.h - calls of the C library become lines
 */
#ifndef TQ_CAPTURE_OSRT_LINES_H
#define TQ_CAPTURE_OSRT_LINES_H

#include <stdint.h>

#include "tq/io/output.h"

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

/* Write the key address. */
void osrt_lines_address(struct output *o, uint64_t address);

/* the args of a call */
struct osrt_args {
	int32_t fd, to; /* its descriptor, and the one that it writes; or -1 */
	struct span to_file; /* what that is; "": unknown */
	struct span source;  /* line of the source that it is in; "": unknown */
	int64_t owner;       /* the thread that has its lock, or 0 */
	int64_t native; /* its stack, where the key stack has Python's; or 0 */
};

/* Write the key args, unless nothing is in it. */
void osrt_lines_args(struct output *o, const struct osrt_args *args);

/* Code is mapped: a RECORD_MODULE. */
void osrt_lines_module(struct lines *l, const struct record *r);

#endif
