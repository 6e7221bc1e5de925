/* twice.c - API calls that an export has twice */

#include "tq/base/hash.h"
#include "tq/base/time.h"

#include "twice.h"

/* The last call of a thread stays the last while calls of its id are in it. */
static void
add_call(struct twice *t, const struct event *ev)
{
	int64_t end = event_end(ev, event_int(ev, KEY_ts, 0));
	int64_t corr = event_int(ev, KEY_corr, NO_ID);
	struct twice_call *call;
	bool fresh;

	call = keyed_get(&t->calls, (uint64_t)event_int(ev, KEY_pid, NO_ID),
	    (uint64_t)event_int(ev, KEY_tid, NO_ID), &fresh);
	if (!fresh && call->corr == corr && end <= call->end)
		return;
	*call = (struct twice_call){corr, end, hash_text(ev->value[KEY_name])};
	if (!t->open || end > t->end)
		t->end = end;
	t->open = true;
}

bool
twice_seen(struct twice *t, const struct event *ev)
{
	const struct twice_call *call;
	int64_t ts;

	if (!event_has(ev, KEY_corr))
		return false;
	if (!event_has(ev, KEY_raw)) {
		add_call(t, ev);
		return false;
	}
	if (!t->open)
		return false; /* most calls */
	ts = event_int(ev, KEY_ts, 0);
	t->open = ts <= t->end;
	call = keyed_find(&t->calls, (uint64_t)event_int(ev, KEY_pid, NO_ID),
	    (uint64_t)event_int(ev, KEY_tid, NO_ID));
	return call != NULL && call->corr == event_int(ev, KEY_corr, 0) &&
	       event_end(ev, ts) <= call->end &&
	       call->name == hash_text(ev->value[KEY_name]);
}

void
twice_reset(struct twice *t)
{
	t->open = false;
	keyed_clear(&t->calls);
}

void
twice_free(struct twice *t)
{
	keyed_free(&t->calls);
}
