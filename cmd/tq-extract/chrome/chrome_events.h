/* chrome_events.h - an event becomes a record, by its phase */
#ifndef CHROME_EVENTS_H
#define CHROME_EVENTS_H

#include "chrome.h"

/* The event that the reader has. */
void chrome_events_take(struct chrome *c);

/* An element of the events that is none, or could not be read. */
void chrome_events_miss(struct chrome *c, enum event_loss why);

#endif
