/* twice.c - API calls that an export has twice */

#include "tq/base/hash.h"
#include "tq/base/time.h"
#include "tq/names/model.h"
#include "tq/names/twice.h"

/* a call without a name has none of a record before */
static uint64_t
name_of(const struct event *ev)
{
	return event_has(ev, KEY_name) ? hash_text(ev->value[KEY_name]) : 0;
}

/* The last call of a thread stays the last while calls of its id are in it. */
static void
add_call(struct twice *t, const struct event *ev)
{
	int64_t end = event_end(ev, event_int(ev, KEY_ts, 0));
	int64_t corr = event_int(ev, KEY_corr, NO_ID);
	struct twice_call *call;
	bool fresh;

	call = numbered_get(&t->calls, model_thread(ev), &fresh);
	if (!fresh && call->corr == corr && end <= call->end)
		return;
	*call = (struct twice_call){corr, end, name_of(ev)};
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
	call = numbered_find(&t->calls, model_thread(ev));
	return call != NULL && call->corr == event_int(ev, KEY_corr, 0) &&
	       event_end(ev, ts) <= call->end && call->name == name_of(ev);
}

void
twice_reset(struct twice *t)
{
	t->open = false;
	numbered_clear(&t->calls);
}

void
twice_free(struct twice *t)
{
	numbered_free(&t->calls);
}
