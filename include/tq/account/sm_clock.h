/*
 * sm_clock.h - the counter of the clock that kernels run by.
 */
#ifndef TQ_ACCOUNT_SM_CLOCK_H
#define TQ_ACCOUNT_SM_CLOCK_H

#include "tq/line/event.h"

/* True if the definition of a counter is of the clock of multiprocessors, as
   nsys and tq-capture name it. */
bool sm_clock_is(const struct event *ev);

#endif
