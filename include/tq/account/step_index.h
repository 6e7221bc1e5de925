/*
 * step_index.h - the step that an operation is of: the one in which its API
 *call started, and without a call it itself.
 *
 * Of the steps that are open then, those of the thread that launched come
 *first, and of these, or of all of its process, the one that began last; of
 *steps that began together the first in the stream.
 *
 *	struct step_index x = {0};
 *
 *	step_index_add(&x, &range, ts, end, 7);
 *	... step_index_find(&x, &operation) is 7, or STEP_NONE
 *	step_index_clear(&x);
 *	step_index_free(&x);
 *
 * It holds 32 bytes for each step of the section.
 */
#ifndef TQ_ACCOUNT_STEP_INDEX_H
#define TQ_ACCOUNT_STEP_INDEX_H

#include "tq/base/numbered.h"
#include "tq/line/event.h"

#define STEP_NONE SIZE_MAX

/* a step of a thread */
struct indexed_step {
	int64_t ts, end;
	int64_t latest; /* end of it and of all before it */
	size_t step;    /* of the caller */
};

struct indexed_thread {
	struct indexed_step *all; /* in order of ts */
	size_t count, cap;
};

/* the threads of a process that have steps, as indices */
struct indexed_process {
	size_t *threads;
	size_t count, cap;
};

/* {0} is empty */
struct step_index {
	NUMBERED(struct indexed_thread) threads;
	NUMBERED(struct indexed_process) processes;
};

/* Add the step that is the range [ts, end); they come in order of ts. */
void step_index_add(struct step_index *x, const struct event *range, int64_t ts,
    int64_t end, size_t step);

/* The step of an operation that has a ts; STEP_NONE: it is of none. */
size_t step_index_find(const struct step_index *x, const struct event *ev);

/* The section is over: forget its steps. */
void step_index_clear(struct step_index *x);

void step_index_free(struct step_index *x);

#endif
