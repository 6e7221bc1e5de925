/* idle_cause.c - what a thread did while a device had nothing to do */

#include "tq/names/api_call.h"

#include "tq/account/idle_cause.h"

/* by enum api_role; calls that launch have none */
static const unsigned char causes[API_ROLES] = {
    [API_OTHER] = IDLE_CALL,
    [API_ALLOC] = IDLE_ALLOC,
    [API_ALLOC_ASYNC] = IDLE_ALLOC,
    [API_FREE] = IDLE_FREE,
    [API_REGISTER] = IDLE_ALLOC,
    [API_LOAD] = IDLE_LOAD,
    [API_GRAPH_BUILD] = IDLE_GRAPH_BUILD,
    [API_OBJECT] = IDLE_OBJECT,
    [API_WAIT] = IDLE_SYNC,
    [API_QUERY] = IDLE_CALL,
    [API_PROFILER_START] = IDLE_CALL,
    [API_PROFILER_STOP] = IDLE_CALL,
    [API_GROUP_START] = IDLE_CALL,
    [API_GROUP_END] = IDLE_HOST,
};

static enum idle_cause
cause_of_call(struct named_call call)
{
	return api_call_waits(call) ? IDLE_SYNC
				    : (enum idle_cause)causes[call.role];
}

enum idle_cause
idle_cause_of(const struct event *ev)
{
	switch (ev->kind) {
	case KIND_range:
		return IDLE_RANGE;
	case KIND_osrt:
		return IDLE_OS;
	case KIND_api:
		return cause_of_call(api_call_of_event(ev));
	case KIND_gil:
		return event_has(ev, KEY_name) &&
			       span_eq(ev->value[KEY_name], SPAN("\"wait\""))
			   ? IDLE_PYTHON_LOCK
			   : IDLE_HOST;
	case KIND_sched:
		return IDLE_PREEMPTED;
	default:
		return IDLE_HOST;
	}
}
