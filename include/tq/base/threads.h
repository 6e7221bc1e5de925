/*
 * threads.h - how many threads a tool may work with.  What a tool writes is the
 * same with any number of them.
 */
#ifndef TQ_BASE_THREADS_H
#define TQ_BASE_THREADS_H

#include <stdbool.h>

/*
 * True if two threads may work at the same time: TQ_THREADS of the environment
 * is 2 or more, or is not set, and the process may run on several processors.
 */
bool threads_two(void);

#endif
