/* draw.c - slices, values and arrows on their way to a sink */

#include <stdlib.h>

#include "tq/draw/draw.h"
#include "tq/base/mem.h"
#include "tq/base/plain.h"
#include "tq/draw/title.h"

/* a slice that lasts to the end of the section */
struct draw_held {
	const struct strip *strip;
	struct kept *record;
	uint64_t call;
};

void
draw_free(struct draw *d)
{
	for (size_t i = 0; i < d->open_count; i++)
		kept_free(d->open[i].record);
	free(d->open);
	kept_free(d->last);
	keep_free(&d->keep);
	event_free(&d->again);
	text_free(&d->scratch);
}

/* an instant has a dur of -1 */
static inline void
put(struct draw *d, const struct strip *strip, const struct event *ev,
    const struct when *w, int64_t dur, struct span name)
{
	struct sink_slice s = {
	    .strip = strip,
	    .ts = w->start,
	    .dur = dur,
	    .moved = w->moved,
	    .name = name,
	    .event = ev,
	    .call = d->call,
	};

	d->slices++;
	d->sink->slice(d->arg, &s);
}

void
draw_named(struct draw *d, const struct strip *strip, const struct event *ev,
    const struct when *w, bool instant, struct span name)
{
	put(d, strip, ev, w, instant ? -1 : w->end - w->start, name);
}

/* under a name that is decoded or made up */
__attribute__((noinline)) static void
put_under_title(struct draw *d, const struct strip *strip,
    const struct event *ev, const struct when *w, int64_t dur)
{
	put(d, strip, ev, w, dur, title_of(d->names, ev, &d->scratch));
}

/* the name of the record mostly needs no decoding */
static inline void
put_titled(struct draw *d, const struct strip *strip, const struct event *ev,
    const struct when *w, int64_t dur)
{
	struct span own = ev->value[KEY_name];

	if (event_has(ev, KEY_name) && own.len > 2 &&
	    (ev->plain || !plain_may_have(own, '\\')))
		put(d, strip, ev, w, dur,
		    (struct span){own.p + 1, own.len - 2});
	else
		put_under_title(d, strip, ev, w, dur);
}

void
draw_instant(struct draw *d, const struct strip *strip, const struct event *ev,
    const struct when *w)
{
	put_titled(d, strip, ev, w, -1);
}

const struct event *
draw_again(struct draw *d, struct kept *r)
{
	if (d->last != NULL)
		keep_drop(&d->keep, d->last);
	d->last = r;
	return kept_event(r, &d->again);
}

__attribute__((noinline)) static void
hold(struct draw *d, const struct strip *strip, const struct event *ev,
    const struct when *w)
{
	struct draw_held *h;

	if (d->open_count == d->open_cap) {
		d->open_cap = d->open_cap * 2 + 16;
		d->open = mem_resize(d->open, d->open_cap, sizeof(*d->open));
	}
	h = &d->open[d->open_count++];
	*h = (struct draw_held){strip, keep_record(&d->keep, ev, w), d->call};
}

void
draw_slice(struct draw *d, const struct strip *strip, const struct event *ev,
    const struct when *w)
{
	if (draw_is_open(ev))
		hold(d, strip, ev, w);
	else
		put_titled(d, strip, ev, w, w->end - w->start);
}

void
draw_open(struct draw *d)
{
	for (size_t i = 0; i < d->open_count; i++) {
		struct draw_held *h = &d->open[i];
		const struct event *ev = draw_again(d, h->record);
		const struct when *w = kept_when(h->record);

		d->call = h->call;
		put_titled(d, h->strip, ev, w, d->end - w->start);
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
draw_arrow(struct draw *d, struct sink_arrow *arrow)
{
	arrow->id = ++d->arrows;
	d->sink->arrow(d->arg, arrow);
}
