/* chrome_events.h - an event becomes a record, by its phase */
#ifndef CHROME_EVENTS_H
#define CHROME_EVENTS_H

#include "chrome.h"

/* The event that the reader has. */
void chrome_events_take(struct chrome *c);

/* Count the current event as lost. */
void chrome_events_lose(struct chrome *c, enum chrome_loss why);

/* An element of the events that is none, or could not be read. */
void chrome_events_miss(struct chrome *c, enum chrome_loss why);

#endif
