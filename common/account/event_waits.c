/* event_waits.c - what operations waited for in the queues of their streams */

#include <inttypes.h>

#include "tq/names/model.h"

#include "tq/account/event_waits.h"

void
event_waits_add(struct event_waits *w, const struct event *ev)
{
	struct stream_queue *s;
	bool fresh;

	if (!event_has(ev, KEY_stream) || !event_has(ev, KEY_ts) ||
	    !event_is(ev, KEY_sync, SPAN("stream wait event")))
		return;
	s = numbered_get(&w->streams, model_stream(ev), &fresh);
	if (fresh)
		*s = (struct stream_queue){.launched = INT64_MIN};
	s->all[s->count++ % STREAM_WAITS] =
	    (struct event_wait){.ts = event_int(ev, KEY_ts, 0),
		.event = event_int(ev, KEY_event, NO_ID),
		.context = event_int(ev, KEY_wait_context, NO_ID),
		.stream = event_int(ev, KEY_wait_stream, NO_ID),
		.other_context = event_has(ev, KEY_wait_context)};
}

const struct event_wait *
event_waits_of(struct event_waits *w, const struct event *ev)
{
	int64_t call = event_int(ev, KEY_api_ts, NO_ID), after;
	struct stream_queue *s;
	size_t held;

	if (call == NO_ID || w->streams.count == 0)
		return NULL;
	s = numbered_find(&w->streams, model_stream(ev));
	if (s == NULL)
		return NULL;
	after = s->launched;
	s->launched = call;
	held = s->count < STREAM_WAITS ? s->count : STREAM_WAITS;
	for (size_t i = 1; i <= held; i++) {
		const struct event_wait *x =
		    &s->all[(s->count - i) % STREAM_WAITS];

		if (x->ts <= call)
			return x->ts > after ? x : NULL;
	}
	return NULL;
}

void
event_waits_text(struct text *t, const struct event_wait *wait)
{
	if (wait->event != NO_ID)
		text_printf(t, "event %" PRId64, wait->event);
	else if (wait->stream == NO_ID)
		text_add_str(t, "an event");
	if (wait->stream == NO_ID)
		return;
	text_printf(t, "%sstream %" PRId64, wait->event != NO_ID ? " of " : "",
	    wait->stream);
	if (wait->other_context)
		text_printf(t, " of context %" PRId64, wait->context);
}

void
event_waits_reset(struct event_waits *w)
{
	numbered_clear(&w->streams);
}

void
event_waits_free(struct event_waits *w)
{
	numbered_free(&w->streams);
}
