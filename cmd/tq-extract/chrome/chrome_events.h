/* chrome_events.h - an event becomes a record, by its phase */
#ifndef CHROME_EVENTS_H
#define CHROME_EVENTS_H

#include "chrome.h"

/* The event that the reader has. */
void chrome_events_take(struct chrome *c);

/* Count the current event as lost. */
void chrome_events_lose(struct chrome *c, enum chrome_loss why);

/*
 * True if the profiler could not collect the time of the current event, an
 * operation; it is counted as lost then.
 */
bool chrome_events_untimed(struct chrome *c, int64_t ts, int64_t dur);

/* An element of the events that is none, or could not be read. */
void chrome_events_miss(struct chrome *c, enum chrome_loss why);

#endif
