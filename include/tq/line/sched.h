/* sched.h - the state of a thread in records of kind sched and sample */
#ifndef TQ_LINE_SCHED_H
#define TQ_LINE_SCHED_H

#include "tq/line/event.h"

/* True if the thread runs, or could; wprof writes states in small letters. */
static inline bool
sched_is_runnable(const struct event *ev)
{
	return event_is(ev, KEY_state, SPAN("Running")) ||
	       event_is(ev, KEY_state, SPAN("running"));
}

/* True if it has no processor from then on although it could run. */
static inline bool
sched_is_preempted(const struct event *ev)
{
	return event_is(ev, KEY_reason, SPAN("preempted")) ||
	       event_is(ev, KEY_state, SPAN("runnable")) ||
	       sched_is_runnable(ev);
}

/* True if the record has a reason or a state; records of nsys seldom do. */
static inline bool
sched_has_cause(const struct event *ev)
{
	return event_has(ev, KEY_reason) || event_has(ev, KEY_state);
}

#endif
