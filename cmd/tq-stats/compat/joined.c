/* joined.c - the API calls that an export has twice */

#include "tq/base/time.h"

#include "joined.h"

void
joined_add(struct joined *j, const struct event *ev)
{
	bool fresh;

	if (!twice_seen(&j->seen, ev))
		return;
	*keyed_get(&j->calls, (uint64_t)event_int(ev, KEY_pid, NO_ID),
	    (uint64_t)event_int(ev, KEY_corr, NO_ID), &fresh) =
	    (struct joined_call){
		event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0)};
}

const struct joined_call *
joined_find(const struct joined *j, const struct event *ev)
{
	if (j->calls.count == 0)
		return NULL;
	return keyed_find(&j->calls, (uint64_t)event_int(ev, KEY_pid, NO_ID),
	    (uint64_t)event_int(ev, KEY_corr, NO_ID));
}

void
joined_reset(struct joined *j)
{
	twice_reset(&j->seen);
	keyed_clear(&j->calls);
}

void
joined_free(struct joined *j)
{
	twice_free(&j->seen);
	keyed_free(&j->calls);
}
