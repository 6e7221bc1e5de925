/* pieces.c - the time of each device, in pieces */

#include <stdlib.h>

#include "tq/account/pieces.h"

/* ---- what gaps_host asks ---- */

/* An idle device has a gap that is open since its until. */
static bool
can_begin(const void *pieces, int64_t pid, int64_t from, int64_t to)
{
	const struct pieces *p = pieces;

	for (size_t i = 0; i < p->devices.count; i++) {
		const struct part_device *d = &p->devices.all[i];

		if (d->pid == pid && from <= d->until && d->until <= to)
			return true;
	}
	return false;
}

/* The first operation of a device to come may end a gap since the beginning,
 * which only the waits of that time divide. */
static int64_t
open_since(const void *pieces, int64_t pid)
{
	const struct pieces *p = pieces;
	int64_t since = INT64_MAX;

	for (size_t i = 0; i < p->devices.count; i++) {
		const struct part_device *d = &p->devices.all[i];

		if (d->pid == pid && since > d->until)
			since = d->until;
	}
	return since == INT64_MAX ? p->begin : since;
}

/* ---- idle time ---- */

/* what divides an idle time: the device, and the operation that ended it */
struct idle {
	size_t device;
	const struct event *ev;
	uint64_t tag;
};

static void
add_idle(const struct pieces *p, const struct idle *idle,
    enum account_part part, int64_t from, int64_t to)
{
	if (from < to)
		p->piece(p->arg, &(struct piece){.device = idle->device,
				     .ts = from,
				     .end = to,
				     .part = part,
				     .ev = idle->ev,
				     .tag = idle->tag});
}

/* Nothing was launched in [from, to): where did the thread wait? */
static void
add_host_time(const struct pieces *p, const struct idle *idle, int64_t tid,
    int64_t from, int64_t to)
{
	int64_t pid = p->devices.all[idle->device].pid;
	int64_t wait = from, until = to;

	while (gaps_host_wait(&p->host, pid, tid, &wait, &until)) {
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

/* The operation at ts ends the idle time of its device. */
static void
end_gap(struct pieces *p, const struct idle *idle, int64_t ts)
{
	const struct part_device *d = &p->devices.all[idle->device];
	struct device_gap gap = {.device = idle->device,
	    .from = d->now,
	    .to = ts,
	    .ev = idle->ev,
	    .tag = idle->tag};

	gap.parts = gap_divide(&p->host, d->now, idle->ev, ts);
	add_host_time(p, idle, event_int(idle->ev, KEY_tid, NO_ID), d->now,
	    gap.parts.call);
	add_idle(p, idle, part_of(gap.parts.cause), gap.parts.call, ts);
	if (p->gap != NULL && d->ops > 0)
		p->gap(p->arg, &gap);
}

/* ---- operations ---- */

/* Drop the operations that are over; the order stays. */
static void
drop_ended(struct part_device *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++)
		if (d->running[i].end > d->now)
			d->running[n++] = d->running[i];
	d->count = n;
}

void
pieces_advance(struct pieces *p, size_t device, int64_t ts)
{
	struct part_device *d = &p->devices.all[device];

	while (d->now < ts && d->count > 0) {
		const struct part_operation *o = d->running;
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
			drop_ended(d);
	}
}

/* Behind those of its class and of the classes before it. */
static void
add_running(struct part_device *d, struct part_operation o)
{
	size_t at;

	if (d->count == d->cap)
		drop_ended(d);
	array_add(&d->running, &d->count, &d->cap);
	for (at = d->count - 1; at > 0 && d->running[at - 1].group > o.group;
	     at--)
		d->running[at] = d->running[at - 1];
	d->running[at] = o;
}

size_t
pieces_device(struct pieces *p, const struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t device = event_int(ev, KEY_device, 0);
	bool fresh;
	struct part_device *d =
	    keyed_get(&p->devices, (uint64_t)pid, (uint64_t)device, &fresh);

	if (fresh)
		*d = (struct part_device){.pid = pid,
		    .device = device,
		    .until = p->begin,
		    .now = p->begin,
		    .tid = NO_ID};
	return (size_t)(d - p->devices.all);
}

static void
add_operation(struct pieces *p, const struct event *ev, int64_t ts, int64_t end,
    uint64_t tag)
{
	struct part_operation o = {.ts = ts, .end = end, .tag = tag};
	struct idle idle = {.ev = ev, .tag = tag};
	struct part_device *d;

	if (!device_time_class(ev, &o.group))
		return;
	gaps_host_add_copy(&p->host, ev);
	idle.device = pieces_device(p, ev);
	pieces_advance(p, idle.device, ts);
	d = &p->devices.all[idle.device];
	if (d->now < ts) {
		end_gap(p, &idle, ts);
		d->now = ts;
	}
	o.order = d->ops++;
	if (o.order == 0)
		d->first = ts;
	if (d->until < o.end)
		d->until = o.end;
	d->tid = event_int(ev, KEY_tid, NO_ID);
	if (o.end > d->now)
		add_running(d, o);
}

/* ---- records ---- */

void
pieces_open(struct pieces *p)
{
	p->host.begins = can_begin;
	p->host.since = open_since;
	p->host.lanes = p;
	p->host.all = p->calls;
	gaps_host_open(&p->host);
}

void
pieces_event(struct pieces *p, const struct event *ev, uint64_t tag)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (!event_has(ev, KEY_ts))
		return;
	if (!p->any)
		p->begin = p->last = ts;
	p->any = true;
	if (p->last < ts)
		p->last = ts;
	if (p->last < end && end != INT64_MAX)
		p->last = end;
	switch (ev->kind) {
	case KIND_api:
	case KIND_osrt:
	case KIND_overhead:
		gaps_host_add_call(&p->host, ev, ts, end);
		break;
	default:
		add_operation(p, ev, ts, end, tag);
	}
}

void
pieces_end_open(struct pieces *p)
{
	for (size_t i = 0; i < p->devices.count; i++) {
		struct part_device *d = &p->devices.all[i];

		if (d->until != INT64_MAX)
			continue;
		d->until = p->last;
		for (size_t n = 0; n < d->count; n++)
			if (d->running[n].end == INT64_MAX)
				d->running[n].end = p->last;
	}
}

void
pieces_section_end(struct pieces *p)
{
	pieces_end_open(p);
	for (size_t i = 0; i < p->devices.count; i++) {
		struct part_device *d = &p->devices.all[i];

		pieces_advance(p, i, INT64_MAX);
		add_host_time(
		    p, &(struct idle){.device = i}, d->tid, d->now, p->last);
		free(d->running);
	}
	keyed_clear(&p->devices);
	gaps_host_reset(&p->host);
	p->any = false;
	p->begin = p->last = 0;
}

void
pieces_free(struct pieces *p)
{
	for (size_t i = 0; i < p->devices.count; i++)
		free(p->devices.all[i].running);
	keyed_free(&p->devices);
	gaps_host_free(&p->host);
}
