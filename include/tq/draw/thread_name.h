/*
 * thread_name.h - the name of a thread, for places that show its number, too.
 */
#ifndef TQ_DRAW_THREAD_NAME_H
#define TQ_DRAW_THREAD_NAME_H

#include "tq/names.h"

/* Empty if it has no name.  PyTorch's "thread 12 (main)" of thread 12 is main.
 */
struct span thread_name(const struct names *names, int64_t pid, int64_t tid);

#endif
