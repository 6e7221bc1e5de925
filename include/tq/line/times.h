/*
 * times.h - absent ids, and the ends of intervals.
 */
#ifndef TQ_TIMES_H
#define TQ_TIMES_H

#include "tq/line/event.h"

#define NO_ID INT64_MIN /* of a key that is absent */

/* ts + dur, and no further than 64 bits; a negative dur counts as 0 */
static inline int64_t
end_of(int64_t ts, int64_t dur)
{
	int64_t end;

	if (dur < 0 || !__builtin_add_overflow(ts, dur, &end))
		return dur < 0 ? ts : end;
	return INT64_MAX;
}

/* where the event at hand ends: INT64_MAX where it was never closed */
static inline int64_t
end_of_event(const struct event *ev, int64_t ts)
{
	if (event_has(ev, KEY_dur))
		return end_of(ts, event_int(ev, KEY_dur, 0));
	return event_true(ev, KEY_open) ? INT64_MAX : ts;
}

/*
 * Was [from, to] open when [ts, end] started?  When it ended at that moment it
 * was not, unless there is no more to [ts, end] than that moment.
 */
static inline bool
was_open(int64_t from, int64_t to, int64_t ts, int64_t end)
{
	return from <= ts && (ts < to || (ts == to && ts == end));
}

#endif
