/* draw.c - slices, values and flows on their way to a sink */

#include <stdlib.h>

#include "draw.h"
#include "tq/base/array.h"
#include "tq/base/plain.h"
#include "title.h"

/* a slice that lasts to the end of the section */
struct open_slice {
	const struct track *track;
	struct saved_event *saved;
	uint64_t call;
};

void
draw_free(struct draw *d)
{
	for (size_t i = 0; i < d->open_count; i++)
		saved_free(d->open_slices[i].saved);
	free(d->open_slices);
	saved_free(d->last);
	saved_free_pool(&d->pool);
	event_free(&d->restored);
	text_free(&d->scratch);
}

/* an instant has a dur of -1 */
static inline void
put_slice(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn, int64_t dur, struct span name)
{
	struct sink_slice s = {
	    .track = track,
	    .ts = drawn->start,
	    .dur = dur,
	    .moved = drawn->moved,
	    .name = name,
	    .event = ev,
	    .call = d->call,
	    .waited = d->waited,
	    .waiters = d->waiters,
	    .ranks = d->ranks,
	};

	d->slices++;
	d->sink->slice(d->arg, &s);
}

void
draw_named(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn, bool instant, struct span name)
{
	put_slice(d, track, ev, drawn, instant ? -1 : drawn->end - drawn->start,
	    name);
}

/* the name is decoded or made up */
__attribute__((noinline)) static void
put_under_title(struct draw *d, const struct track *track,
    const struct event *ev, const struct drawn_time *drawn, int64_t dur)
{
	put_slice(
	    d, track, ev, drawn, dur, title_of(d->names, ev, &d->scratch));
}

/* few names need decoding */
static inline void
put_titled(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn, int64_t dur)
{
	struct span own = ev->value[KEY_name];

	if (event_has(ev, KEY_name) && own.len > 2 &&
	    (ev->plain || !plain_may_have(own, '\\')))
		put_slice(d, track, ev, drawn, dur,
		    (struct span){own.p + 1, own.len - 2});
	else
		put_under_title(d, track, ev, drawn, dur);
}

void
draw_instant(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn)
{
	put_titled(d, track, ev, drawn, -1);
}

const struct event *
draw_saved(struct draw *d, struct saved_event *e)
{
	if (d->last != NULL)
		saved_drop(&d->pool, d->last);
	d->last = e;
	return saved_restore(e, &d->restored);
}

__attribute__((noinline)) static void
wait_for_end(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn)
{
	*array_add(&d->open_slices, &d->open_count, &d->open_cap) =
	    (struct open_slice){track, saved_new(&d->pool, ev, drawn), d->call};
}

void
draw_slice(struct draw *d, const struct track *track, const struct event *ev,
    const struct drawn_time *drawn)
{
	if (draw_is_open(ev))
		wait_for_end(d, track, ev, drawn);
	else
		put_titled(d, track, ev, drawn, drawn->end - drawn->start);
}

void
draw_open_slices(struct draw *d)
{
	for (size_t i = 0; i < d->open_count; i++) {
		struct open_slice *s = &d->open_slices[i];
		const struct event *ev = draw_saved(d, s->saved);
		const struct drawn_time *drawn = saved_time(s->saved);

		d->call = s->call;
		put_titled(d, s->track, ev, drawn, d->end - drawn->start);
	}
	d->open_count = 0;
	d->call = 0;
}

void
draw_value(struct draw *d, const struct sink_value *v)
{
	d->values++;
	d->sink->value(d->arg, v);
}

void
draw_flow(struct draw *d, struct sink_flow *flow)
{
	flow->id = ++d->flows;
	d->sink->flow(d->arg, flow);
}
