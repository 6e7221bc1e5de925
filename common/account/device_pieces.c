/* device_pieces.c - the time of each device, in pieces */

#include <stdlib.h>

#include "tq/names/model.h"

#include "tq/account/device_pieces.h"

/* ---- idle time ---- */

/* what divides an idle time: the device, and the operation that ended it */
struct idle {
	size_t device;
	const struct event *ev;
	struct part_tag tag;
	bool first_use;
};

/* The cause of a piece that nothing but its operation decides. */
static enum idle_cause
cause_of(enum account_part part, bool first_use)
{
	switch (part) {
	case PART_HOST:
		return IDLE_HOST;
	case PART_SYNC:
		return IDLE_SYNC;
	case PART_LAUNCH:
		return first_use ? IDLE_FIRST_USE : IDLE_LAUNCH;
	case PART_NEXT:
		return IDLE_NEXT;
	case PART_QUEUE:
		return IDLE_QUEUE;
	default:
		return IDLE_UNKNOWN;
	}
}

static void
add_idle(const struct device_pieces *p, const struct idle *idle,
    enum account_part part, int64_t from, int64_t to)
{
	if (from < to)
		p->piece(p->arg,
		    &(struct piece){.device = idle->device,
			.ts = from,
			.end = to,
			.part = part,
			.cause = cause_of(part, idle->first_use),
			.ev = idle->ev,
			.tag = idle->tag,
			.first_use = idle->first_use && part == PART_LAUNCH});
}

/* Nothing was launched in [from, to): where did the thread wait? */
static void
add_host_time(const struct device_pieces *p, const struct idle *idle,
    uint32_t thread, int64_t from, int64_t to)
{
	int64_t wait = from, until = to;

	while (gaps_host_wait(&p->lanes.host, thread, &wait, &until)) {
		add_idle(p, idle, PART_HOST, from, wait);
		add_idle(p, idle, PART_SYNC, wait, until);
		from = wait = until;
		until = to;
	}
	add_idle(p, idle, PART_HOST, from, to);
}

static enum account_part
part_of(enum gap_cause cause)
{
	switch (cause) {
	case GAP_HOST:
		return PART_HOST;
	case GAP_SYNC:
		return PART_SYNC;
	case GAP_LAUNCH:
		return PART_LAUNCH;
	case GAP_NEXT:
		return PART_NEXT;
	case GAP_QUEUE:
		return PART_QUEUE;
	default:
		return PART_UNKNOWN;
	}
}

static void
add_cut(void *pieces, const struct idle_part *cut)
{
	struct device_pieces *p = pieces;
	enum account_part part = part_of(cut->group);

	p->piece(p->arg, &(struct piece){.device = p->gap->lane,
			     .ts = cut->from,
			     .end = cut->to,
			     .part = part,
			     .cause = cut->cause,
			     .ev = p->gap->ev,
			     .tag = p->tag,
			     .first_use = p->first_use && part == PART_LAUNCH});
}

/* Cut the gap by what the host did in it. */
static void
add_causes(struct device_pieces *p, const struct lane_gap *gap)
{
	p->gap = gap;
	idle_cuts_divide(&p->cuts, gap);
	p->gap = NULL;
}

/* An operation ends the idle time of its device. */
static void
add_gap(void *pieces, const struct lane_gap *gap)
{
	struct device_pieces *p = pieces;
	const struct idle idle = {.device = gap->lane,
	    .ev = gap->ev,
	    .tag = p->tag,
	    .first_use = p->first_use};

	if (p->causes) {
		add_causes(p, gap);
	} else {
		add_host_time(p, &idle, model_thread(gap->ev), gap->from,
		    gap->parts.call);
		add_idle(p, &idle, part_of(gap->parts.cause), gap->parts.call,
		    gap->to);
	}
	p->devices[gap->lane].now = gap->to;
}

/* ---- operations ---- */

/* The operation that counts is the first that is not over. */
static void
drop_first(struct part_device *d)
{
	while (d->first < d->count && d->running[d->first].end <= d->now)
		d->first++;
	if (d->first == d->count)
		d->first = d->count = 0;
}

/* Drop the operations that are over; the order stays.  Half of the room is free
   then, so that it takes no time per operation. */
static void
make_room(struct part_device *d)
{
	size_t n = 0;

	for (size_t i = d->first; i < d->count; i++)
		if (d->running[i].end > d->now)
			d->running[n++] = d->running[i];
	d->first = 0;
	d->count = n;
	if (n >= d->cap / 2)
		d->running =
		    mem_more(d->running, n, &d->cap, sizeof(*d->running));
}

void
device_pieces_advance(struct device_pieces *p, size_t device, int64_t ts)
{
	struct part_device *d = &p->devices[device];

	while (d->now < ts && d->count > 0) {
		const struct part_operation *o = &d->running[d->first];
		int64_t to = o->end < ts ? o->end : ts;

		if (to > d->now)
			p->piece(
			    p->arg, &(struct piece){.device = device,
					.ts = d->now,
					.end = to,
					.part = (enum account_part)o->group,
					.operation = o});
		d->now = to > d->now ? to : d->now;
		if (o->end <= d->now)
			drop_first(d);
	}
}

static void
add_latest(struct part_device *d, const struct part_operation *o)
{
	if (o->group == DEVICE_COPY || o->end <= d->latest[1].end)
		return;
	d->latest[1] = *o;
	if (o->end > d->latest[0].end) {
		d->latest[1] = d->latest[0];
		d->latest[0] = *o;
	}
}

/* Insert an operation behind the running operations of its class and of the
   classes before it. */
static void
add_running(struct part_device *d, struct part_operation o)
{
	size_t at;

	if (d->count == d->cap)
		make_room(d);
	for (at = d->count++;
	     at > d->first && d->running[at - 1].group > o.group; at--)
		d->running[at] = d->running[at - 1];
	d->running[at] = o;
}

size_t
device_pieces_device(struct device_pieces *p, const struct event *ev)
{
	size_t i = device_lanes_find(&p->lanes, ev, event_int(ev, KEY_ts, 0));

	while (i >= p->device_count)
		*array_add(&p->devices, &p->device_count, &p->device_cap) =
		    (struct part_device){.now = p->lanes.begin,
			.latest = {{.end = INT64_MIN, .order = -1},
			    {.end = INT64_MIN, .order = -1}}};
	return i;
}

static void
add_operation(
    struct device_pieces *p, const struct event *ev, int64_t ts, int64_t end)
{
	struct part_operation o = {.ts = ts, .end = end, .tag = p->tag};
	struct part_device *d;
	size_t device;

	if (!device_time_class(ev, &o.group))
		return;
	device = device_pieces_device(p, ev);
	o.order = device_pieces_lane(p, device)->ops;
	device_pieces_advance(p, device, ts);
	p->first_use = first_uses_add(&p->uses, ev);
	if (p->causes)
		idle_cuts_operation(&p->cuts, ev, p->first_use);
	device_lanes_add(&p->lanes, device, ev, ts, end);
	d = &p->devices[device];
	if (o.end > d->now)
		add_running(d, o);
	add_latest(d, &o);
}

/* ---- records ---- */

void
device_pieces_open(struct device_pieces *p)
{
	p->lanes = (struct device_lanes){
	    .whole = true, .calls = p->calls, .gap = add_gap, .arg = p};
	device_lanes_open(&p->lanes);
	p->cuts = (struct idle_cuts){.of = &p->lanes, .cut = add_cut, .arg = p};
}

void
device_pieces_event(
    struct device_pieces *p, const struct event *ev, struct part_tag tag)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (!event_has(ev, KEY_ts))
		return;
	if (!p->any)
		p->lanes.begin = p->last = ts;
	p->any = true;
	if (p->last < ts)
		p->last = ts;
	if (p->last < end && end != INT64_MAX)
		p->last = end;
	switch (ev->kind) {
	case KIND_api:
	case KIND_osrt:
	case KIND_overhead:
		gaps_host_add_call(&p->lanes.host, ev, ts, end);
		break;
	case KIND_range:
	case KIND_gil:
	case KIND_sched:
	case KIND_sync:
		break;
	default:
		p->tag = tag;
		add_operation(p, ev, ts, end);
		return;
	}
	if (p->causes)
		idle_cuts_event(&p->cuts, ev, ts, end);
}

static void
end_open(const struct device_pieces *p, struct part_operation *o)
{
	if (o->end == INT64_MAX)
		o->end = p->last;
}

void
device_pieces_end_open(struct device_pieces *p)
{
	device_lanes_end(&p->lanes, p->last);
	for (size_t i = 0; i < p->device_count; i++) {
		struct part_device *d = &p->devices[i];

		for (size_t n = d->first; n < d->count; n++)
			end_open(p, &d->running[n]);
		for (size_t n = 0; n < 2; n++)
			end_open(p, &d->latest[n]);
	}
}

void
device_pieces_section_end(struct device_pieces *p)
{
	device_pieces_end_open(p);
	for (size_t i = 0; i < p->device_count; i++) {
		device_pieces_advance(p, i, INT64_MAX);
		add_host_time(p, &(struct idle){.device = i},
		    device_pieces_lane(p, i)->thread, p->devices[i].now,
		    p->last);
		free(p->devices[i].running);
	}
	p->device_count = 0;
	numbered_clear(&p->lanes.all);
	device_lanes_reset(&p->lanes);
	first_uses_reset(&p->uses);
	idle_cuts_reset(&p->cuts);
	p->any = false;
	p->lanes.begin = p->last = 0;
}

void
device_pieces_free(struct device_pieces *p)
{
	for (size_t i = 0; i < p->device_count; i++)
		free(p->devices[i].running);
	free(p->devices);
	first_uses_free(&p->uses);
	idle_cuts_free(&p->cuts);
	device_lanes_free(&p->lanes);
}
