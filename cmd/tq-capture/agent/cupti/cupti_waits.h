/*
 * cupti_waits.h - the call of CUDA in which a thread waits for its device
 *
 * CUPTI records a call when it is over.  One that never is, as the device does
 * not get done, is published in the arena, as calls of the C library are.
 */
#ifndef TQ_AGENT_CUPTI_WAITS_H
#define TQ_AGENT_CUPTI_WAITS_H

#include "cupti_lib.h"

/*
 * Enable callbacks for the calls that wait; a launch does, where the queue of
 * its stream is full, and has the callback of cupti_launches_start.  Once there
 * is an arena.
 */
void cupti_waits_start(
    const struct cupti_lib *lib, CUpti_SubscriberHandle subscriber);

/* A callback of the runtime or the driver: publish the call if it waits, and is
   not within another one. */
void cupti_waits_called(CUpti_CallbackDomain domain, CUpti_CallbackId id,
    const CUpti_CallbackData *d);

#endif
