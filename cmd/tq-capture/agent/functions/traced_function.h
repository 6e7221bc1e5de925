/*
 * traced_function.h - a callable of Python in the place of another one: it
 * calls that one, with a range around the call
 *
 * It looks like what it stands for: all attributes are those of the other,
 * its type too, and it is bound to an instance, pickled and copied as that is.
 */
#ifndef TQ_AGENT_TRACED_FUNCTION_H
#define TQ_AGENT_TRACED_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

enum traced_flags {
	TRACED_BINDS = 1,  /* it is bound to an instance, as a function is */
	TRACED_CLASS = 2,  /* the range has the class of the first argument */
	TRACED_SHAPES = 4, /* and the shapes of all */
	TRACED_FLAGS = 7
};

/* The type of these; false with an exception set. */
bool traced_function_open(void);

/*
 * A new one; label FUNCTION_LABEL_NONE: no range.  after, unless None, is
 * called without arguments when a call has returned.  NULL with an exception
 * set.
 */
void *traced_function_new(
    void *real, void *after, int32_t label, unsigned flags);

#endif
