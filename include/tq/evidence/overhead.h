/*
 * overhead.h - whose time a record of kind overhead is, by its key what and its
 * name.
 *
 * CUPTI marks its own with "(Profiler)", or names the flush of a buffer,
 * instrumentation, management of resources; nsys names its own "profiling".
 * Loading and compiling of code are the program's, as a command buffer is that
 * is full; so is what has no known name.
 */
#ifndef TQ_EVIDENCE_OVERHEAD_H
#define TQ_EVIDENCE_OVERHEAD_H

#include "tq/line/event.h"

enum overhead_of {
	OVERHEAD_PROGRAM, /* of the program or its driver, or unknown */
	OVERHEAD_LOADING, /* the same: code is loaded or compiled */
	OVERHEAD_PROFILER
};

/* Of a record with the keys name and what. */
enum overhead_of overhead_of_event(const struct event *ev);

#endif
