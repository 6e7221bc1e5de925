/* draw.c - slices, values and arrows on their way to a sink */

#include <stdlib.h>

#include "tq/draw.h"
#include "tq/mem.h"
#include "tq/plain.h"
#include "tq/title.h"

/* a slice that lasts to the end of the section */
struct draw_held {
	const struct strip *strip;
	struct when when;
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

static void
put(struct draw *d, struct sink_slice *s, struct when w, bool instant)
{
	s->ts = w.start;
	s->dur = instant ? -1 : w.end - w.start;
	s->moved = w.moved;
	s->call = d->call;
	d->slices++;
	d->sink->slice(d->arg, s);
}

void
draw_named(struct draw *d, const struct strip *strip, const struct event *ev,
    struct when w, bool instant, struct span name)
{
	struct sink_slice s = {.strip = strip, .name = name, .event = ev};

	put(d, &s, w, instant);
}

/* under the name of the record, which mostly needs no decoding */
static void
draw_titled(struct draw *d, const struct strip *strip, const struct event *ev,
    struct when w, bool instant)
{
	struct span own = ev->value[KEY_name];

	if (event_has(ev, KEY_name) && own.len > 2 &&
	    !plain_may_have(own, '\\'))
		own = (struct span){own.p + 1, own.len - 2};
	else
		own = title_of(d->names, ev, &d->scratch);
	draw_named(d, strip, ev, w, instant, own);
}

void
draw_instant(struct draw *d, const struct strip *strip, const struct event *ev,
    struct when w)
{
	draw_titled(d, strip, ev, w, true);
}

const struct event *
draw_again(struct draw *d, struct kept *r)
{
	if (d->last != NULL)
		keep_drop(&d->keep, d->last);
	d->last = r;
	return kept_event(r, &d->again);
}

static void
hold(struct draw *d, const struct strip *strip, const struct event *ev,
    struct when w)
{
	struct draw_held *h;

	if (d->open_count == d->open_cap) {
		d->open_cap = d->open_cap * 2 + 16;
		d->open = mem_resize(d->open, d->open_cap, sizeof(*d->open));
	}
	h = &d->open[d->open_count++];
	*h = (struct draw_held){strip, w, keep_record(&d->keep, ev), d->call};
}

void
draw_slice(struct draw *d, const struct strip *strip, const struct event *ev,
    struct when w)
{
	if (draw_is_open(ev))
		hold(d, strip, ev, w);
	else
		draw_titled(d, strip, ev, w, false);
}

void
draw_open(struct draw *d)
{
	for (size_t i = 0; i < d->open_count; i++) {
		struct draw_held *h = &d->open[i];
		const struct event *ev = draw_again(d, h->record);

		h->when.end = d->end;
		d->call = h->call;
		draw_titled(d, h->strip, ev, h->when, false);
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
