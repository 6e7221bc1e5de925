/* counter_queue.h - from the thread that polls to the launcher */
#ifndef TQ_CAPTURE_COUNTER_QUEUE_H
#define TQ_CAPTURE_COUNTER_QUEUE_H

#include "counter_thread.h"

/* Called by the thread that polls. */
uint32_t counter_thread_define(struct counter_thread *c, const char *name,
    const char *unit, int64_t device);
void counter_thread_put(
    struct counter_thread *c, const struct counter_sample *s);
void counter_thread_note(struct counter_thread *c, const char *text);

#endif
