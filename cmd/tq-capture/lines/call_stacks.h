/*
 * call_stacks.h - stacks of calls of CUDA, until the calls come
 *
 * A call and its stacks are records of two threads.  Where the call is read
 * first, it waits until all that was written before it has been read.
 */
#ifndef TQ_CAPTURE_CALL_STACKS_H
#define TQ_CAPTURE_CALL_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/map.h"
#include "tq/base/text.h"

#include "arena/record.h"

struct lines;

enum { CALL_PYTHON, CALL_NATIVE, CALL_STACKS };

/* {0} has none */
struct call_stacks {
	/* (source, corr) -> number of the stack of Python, id of the native */
	struct map stacks[CALL_STACKS];
	struct text new, older; /* calls that wait */
	bool any[CALL_STACKS];  /* such stacks may come */
};

/* True of a call that waits now, for its stacks. */
bool call_stacks_hold(struct lines *l, const struct record_api *call);

/* The ids of the stacks of a call, which are written before its line begins,
   and are forgotten; 0: it has none. */
void call_stacks_take(
    struct lines *l, const struct record_api *call, int64_t ids[CALL_STACKS]);

/*
 * All records of the process that were there at a moment have been read: give
 * the calls that have waited since before the last such moment to write, or
 * all.  Returns the sum of what write returned.
 */
int call_stacks_release(struct lines *l, bool all,
    int (*write)(struct lines *l, const struct record *r));

void call_stacks_free(struct call_stacks *c);

#endif
