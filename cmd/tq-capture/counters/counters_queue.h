/* counters_queue.h - from the thread that polls to the launcher */
#ifndef TQ_CAPTURE_COUNTERS_QUEUE_H
#define TQ_CAPTURE_COUNTERS_QUEUE_H

#include "counters.h"

/* Called by the thread that polls. */
uint32_t counters_queue_define(
    struct counters *c, const char *name, const char *unit, int64_t device);
void counters_queue_put(struct counters *c, const struct counter_sample *s);
void counters_queue_note(struct counters *c, const char *text);

#endif
