/*
 * traced_function.h - a callable of Python in the place of another one: it
 * calls that one, with a range around the call
 *
 * Programs find all attributes of the other one in it, its type too, and it is
 * bound to an instance, pickled and copied as the other one is.
 */
#ifndef TQ_AGENT_TRACED_FUNCTION_H
#define TQ_AGENT_TRACED_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

/* The type of traced functions; false with an exception set. */
bool traced_function_open(void);

/*
 * A new one; label FUNCTION_LABEL_NONE: no range.  after, unless None, is
 * called without arguments when a call has returned.  flags: enum
 * function_flags.  NULL with an exception set.
 */
void *traced_function_new(
    void *real, void *after, int32_t label, unsigned flags);

#endif
