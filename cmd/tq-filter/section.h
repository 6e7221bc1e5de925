/*
 * section.h - the times of a section.
 */
#ifndef SECTION_H
#define SECTION_H

#include "tq/line/event.h"

struct section {
	int64_t first, last; /* start of the first event, end of the last */
	bool any;            /* there is one */
	int64_t from, to;    /* of the records that stay, without ranges */
};

/* Add the time of an event. */
static inline void
section_cover(struct section *s, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (!event_has(ev, KEY_ts))
		return;
	if (end == INT64_MAX)
		end = ts;
	if (!s->any || s->first > ts)
		s->first = ts;
	if (!s->any || s->last < end)
		s->last = end;
	s->any = true;
}

#endif
