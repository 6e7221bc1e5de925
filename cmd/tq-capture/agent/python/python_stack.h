/*
 * python_stack.h - the Python stack of this thread, as a number that the
 * records of ranges and calls have
 *
 * A thread reads its own frames from memory, without calling Python: they do
 * not change while the thread is in C, with the GIL or without it.  A new stack
 * is written as a definition, and so is each new function in it.  The tables of
 * stacks and functions take 10 MB if they are full, and never shrink.
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
