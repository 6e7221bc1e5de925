/*
 * cupti_stacks.h - Python stacks of calls of CUDA, by callbacks
 *
 * CUPTI records a call long after it was made, on another thread.  So a
 * callback at its start writes its stack with its correlation id, and the
 * launcher puts both together.
 */
#ifndef TQ_AGENT_CUPTI_STACKS_H
#define TQ_AGENT_CUPTI_STACKS_H

#include "cupti_lib.h"

/* Let callbacks tell of calls that launch, copy, fill, wait, or allocate. */
void cupti_stacks_start(
    const struct cupti_lib *lib, CUpti_SubscriberHandle subscriber);

/* A callback of the runtime or the driver: write the stack of such a call, but
   not of a call of the driver within one of the runtime. */
void cupti_stacks_called(CUpti_CallbackDomain domain, CUpti_CallbackId id,
    const CUpti_CallbackData *d);

#endif
