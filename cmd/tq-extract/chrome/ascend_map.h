/*
 * ascend_map.h - events of an NPU as torch_npu and msprof, the profilers of
 * Ascend, have them
 *
 * Their events have no category.  An NPU is a process named "Ascend Hardware",
 * with threads named "Stream n"; the calls of its runtime are in a process
 * named "CANN", on threads with the numbers of those of the program.  An arrow
 * HostToDevice leads from the moment in a call that launched an operation to
 * the operation; its id has the operation's connection_id in its upper half.
 */
#ifndef ASCEND_MAP_H
#define ASCEND_MAP_H

#include "chrome.h"

/*
 * A complete event (phase X) becomes an operation or an api record, or nothing:
 * what the profiler computed of the others; false if it is something else.
 * Processes must have been named before, as these profilers do.
 */
bool ascend_map_complete(struct chrome *c, int64_t ts, int64_t dur);

/* An arrow (phases s, t, f) that repeats who launched what: true. */
bool ascend_map_flow(struct chrome *c, int64_t ts);

/* All events are read: find the call of each launch. */
void ascend_map_finish(struct chrome *c);

void ascend_map_free(struct chrome *c);

#endif
