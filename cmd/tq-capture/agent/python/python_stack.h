/*
 * python_stack.h - the Python stack of this thread, as a number that the
 * records of ranges and calls have
 *
 * Frames are read, not asked for: those of a thread do not change while it is
 * in C, with the GIL or without it.  A stack that is new is written as a
 * definition, and so is each function in it; the tables of them, 10 MB if they
 * are full, never shrink.
 */
#ifndef TQ_AGENT_PYTHON_STACK_H
#define TQ_AGENT_PYTHON_STACK_H

#include <stdint.h>

/*
 * The number of the stack, 0 if the thread runs no Python.  The thread is
 * inside, see writer.h.
 */
uint32_t python_stack_take(void);

#endif
