/*
 * call_names.h - the names of API calls in nsys: names that CUDA exports, as
 * cuMemAlloc_v2 or cudaLaunchKernel_v7000, without _v and four digits.
 */
#ifndef CALL_NAMES_H
#define CALL_NAMES_H

#include "tq/base/intern.h"
#include "tq/base/map.h"
#include "tq/line/event.h"

/* The name of a call that has KEY_raw; it may be added to *t. */
struct span call_names_shown(const struct event *ev, struct text *t);

/* calls of a section whose name in nsys is not KEY_name; {0} is empty */
struct call_names {
	struct map map; /* (pid, corr) -> number of the name + 1 */
};

/* Remember the name of a call, if it is another; t is overwritten. */
void call_names_add(struct call_names *c, struct intern *names,
    const struct event *ev, struct text *t);

/* The name of the call that launched an operation, if it is another. */
bool call_names_find(
    const struct call_names *c, const struct event *ev, uint32_t *name);

#endif
