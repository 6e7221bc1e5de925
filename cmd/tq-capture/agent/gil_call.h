/*
 * gil_call.h - what libtq-preload.so and libtq-capture.so have in common for
 * the global interpreter lock of Python
 */
#ifndef TQ_AGENT_GIL_CALL_H
#define TQ_AGENT_GIL_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "arena/record.h"

#pragma GCC visibility push(default)

/*
 * Before main: true if waits and holds of so many ticks are to be recorded;
 * *counter: the clock is the counter of the processor.
 */
bool tq_capture_gil_begin(uint64_t *threshold, bool *counter);

/* Record that this thread waited for the lock, or held it; keeps errno. */
void tq_capture_gil(enum gil_state state, uint64_t from, uint64_t till);

/* This thread has the lock since then; 0: it drops it.  Nothing is written, but
   where the launcher finds it if the thread never does. */
void tq_capture_gil_has(int32_t tid, uint64_t since);

#pragma GCC visibility pop

#endif
