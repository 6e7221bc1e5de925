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
};

enum { FORWARD_STACK_MOST = 1 << 18 };

/* The id of the stack that a range gets from its forward operation; 0: none. */
int64_t forward_stack(struct forward_stacks *s, const struct event *ev);

#endif
