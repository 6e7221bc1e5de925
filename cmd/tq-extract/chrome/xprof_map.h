/*
 * xprof_map.h - events of a GPU as XProf, the profiler of JAX and TensorFlow,
 * has them
 *
 * Its events have no category.  A GPU is a process named /device:GPU:n, with
 * threads named Stream #n(...); the args of an operation and of its call have
 * correlation_id.
 */
#ifndef XPROF_MAP_H
#define XPROF_MAP_H

#include "chrome.h"

/*
 * A complete event (phase X) becomes a kernel, memcpy, memset or api record;
 * false if it is something else.  Processes and threads must have been named
 * before, as XProf does.
 */
bool xprof_map_complete(struct chrome *c, int64_t ts, int64_t dur);

#endif
