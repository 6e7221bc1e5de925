/*
 * forward_stack.h - the stack of an operation of PyTorch for its backward
 * operation
 *
 * torch.autograd.profiler.emit_nvtx names both by one number: "aten::addmm, seq
 * = 7" on the thread that runs Python, and "AddmmBackward0, seq = 7" on a
 * thread of autograd, which has no Python stack of its own.
 */
#ifndef FORWARD_STACK_H
#define FORWARD_STACK_H

#include "tq/base/map.h"
#include "tq/line/event.h"

/* {0} is empty; as many entries as FORWARD_STACK_MOST, 32 bytes each */
struct forward_stacks {
	struct map stacks; /* (pid, number) -> id of the stack */
	struct map python; /* (id of a stack of Python, 0) -> 1 */
	struct text key;   /* scratch */
};

enum { FORWARD_STACK_MOST = 1 << 18 };

/* The id of the stack that a range gets from its forward operation; 0: none. */
int64_t forward_stack(struct forward_stacks *s, const struct event *ev);

/*
 * True if the range is the one in which autograd runs one backward operation,
 * and the rest of the work for its results:
 * "autograd::engine::evaluate_function: AddmmBackward0".
 */
bool forward_stack_evaluates(const struct event *ev);

/*
 * The line of a record of kind stack: its last frame decides whether it is a
 * Python stack.  Only of Python stacks the id is read: frames may be many, and
 * long.
 */
void forward_stack_define(struct forward_stacks *s, struct span record);

/* True if that stack was defined, and is a Python stack. */
bool forward_stack_is_python(const struct forward_stacks *s, int64_t id);

void forward_stack_clear(struct forward_stacks *s);
void forward_stack_free(struct forward_stacks *s);

#endif
