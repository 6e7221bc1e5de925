/*
 * call_line.h - the line of a call of the C library, MPI, NCCL, or CUDA
 */
#ifndef TQ_CAPTURE_CALL_LINE_H
#define TQ_CAPTURE_CALL_LINE_H

#include <stdint.h>

#include "tq/base/text.h"
#include "tq/line/schema.h"

struct lines;

/* a call; its line leaves out members that are 0, NULL or empty */
struct call_line {
	enum kind kind;
	int32_t tid;
	int64_t ts, dur; /* as of lines_begin */
	struct span name;
	const char *api;
	const int64_t *bytes, *ret;
	struct span file;       /* the name of its descriptor */
	int64_t python, native; /* ids of its stacks */
	uint64_t lock;          /* its address */

	/* in args */
	const int32_t *fd, *to; /* its descriptor, and the one that it writes;
				   -1: none */
	struct span to_file;    /* the name of that */
	struct span source;     /* line of the source that it is in */
	int32_t owner;          /* thread that has its lock */
};

/* Write the line of a call. */
void call_line_write(struct lines *l, const struct call_line *c);

/* The same without its args and its end: they are the caller's, who completes
   the line with lines_put. */
void call_line_begin(struct lines *l, const struct call_line *c);

/* Add a member to the args that t ends with: a number, if the call `has` it, or
   a string, unless it is empty. */
void call_line_number(
    struct text *t, const char *name, int64_t number, bool has);
void call_line_string(struct text *t, const char *name, struct span s);

#endif
