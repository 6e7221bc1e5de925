/*
 * cupti_launches.h - launches counted twice: by callbacks, and by their records
 *
 * CUPTI hands records over to whoever registered buffers last.  If another
 * client of the process does so, as torch.profiler does, launches go on without
 * records for us.  The counts are in the arena, and the launcher compares them.
 */
#ifndef TQ_AGENT_CUPTI_LAUNCHES_H
#define TQ_AGENT_CUPTI_LAUNCHES_H

#include <stddef.h>

#include "cupti_lib.h"

/* Enable callbacks for launches.  Once there is an arena. */
void cupti_launches_start(
    const struct cupti_lib *lib, CUpti_SubscriberHandle subscriber);

/*
 * A callback of the driver: count the call if it launches, has ended, and is
 * recorded.
 */
void cupti_launches_called(CUpti_CallbackId id, const CUpti_CallbackData *d);

/* Count a record that CUPTI has handed over; of any kind, of stride bytes. */
void cupti_launches_recorded(const void *raw, size_t stride);

#endif
