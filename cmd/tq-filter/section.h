/*
 * section.h - what is found out of a section before it is written.
 */
#ifndef SECTION_H
#define SECTION_H

#include "tq/base/time.h"

struct section {
	int64_t first, last; /* start of the first event, end of the last */
	bool any;            /* there is one */
	int64_t from, to;    /* what is kept lies between, but for ranges */
};

/* Note which time an event covers. */
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
