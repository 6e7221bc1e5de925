/*
 * cupti_stacks.h - stacks of calls of CUDA, by callbacks
 *
 * CUPTI records a call long after it was made, on another thread.  So a
 * callback at its start writes its stack of Python with its correlation id, and
 * one at its end the native one, if the call took long; the launcher puts them
 * together.
 */
#ifndef TQ_AGENT_CUPTI_STACKS_H
#define TQ_AGENT_CUPTI_STACKS_H

#include "cupti_lib.h"

/* Enable callbacks for the calls whose stacks the settings choose. */
void cupti_stacks_start(
    const struct cupti_lib *lib, CUpti_SubscriberHandle subscriber);

/* A callback of the runtime or the driver: write the stacks of such a call, but
   not of a call of the driver within one of the runtime. */
void cupti_stacks_called(CUpti_CallbackDomain domain, CUpti_CallbackId id,
    const CUpti_CallbackData *d);

#endif
