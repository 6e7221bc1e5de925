/* wprof_events.h - an event of wprof becomes a record */
#ifndef WPROF_EVENTS_H
#define WPROF_EVENTS_H

#include "wprof.h"

/* The event whose members were read. */
void wprof_events_take(struct wprof *w);

/* All are read: ranges that have not ended are open. */
void wprof_events_finish(struct wprof *w);

#endif
