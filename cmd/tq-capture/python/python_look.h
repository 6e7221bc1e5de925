/*
 * python_look.h - the Python stacks of threads that are looked at, as they are
 * in a call that does not return
 */
#ifndef TQ_CAPTURE_PYTHON_LOOK_H
#define TQ_CAPTURE_PYTHON_LOOK_H

#include "samples/stack_names.h"

#include "remote_stack.h"

/* {0}: nothing is known of the process; it must not move in memory */
struct python_look {
	bool found; /* its interpreter: stack is open */
	struct remote_stack stack;
	struct intern names;
	struct remote_thread *threads; /* of this look */
	size_t count;
};

/* A look at this process begins: find its interpreter, and its threads. */
void python_look_begin(struct python_look *p, pid_t pid);

/*
 * The number of the stack of a thread, as of stack_names; INTERN_NONE: it runs
 * no Python that is known, or its stack changed.
 */
uint32_t python_look_stack(
    struct python_look *p, int32_t tid, struct stack_names *names);

void python_look_free(struct python_look *p);

#endif
