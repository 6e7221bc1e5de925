/* device.c - what each device did with its time */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "device_time.h"
#include "ranges/nvtx.h"
#include "report.h"

/* a device of a process, in a section */
struct device {
	int64_t pid, device;
	uint64_t section;
	struct text name;
	struct device_time time;
	bool communicates;
	int64_t wall;
};

struct devices {
	struct map map; /* (pid, device) of the section at hand -> number + 1 */
	struct device *devices;
	size_t count, cap, first; /* first: of the section at hand */
	uint64_t section;
	bool any;
	int64_t from, to; /* what the section covers */
};

static struct device *
device_of(struct report *r, const struct event *ev)
{
	struct devices *o = r->state;
	int64_t pid = event_int(ev, KEY_pid, INT64_MIN);
	int64_t device = event_int(ev, KEY_device, 0);
	uint64_t *slot = map_get(&o->map, (uint64_t)pid, (uint64_t)device);
	struct device *d;

	if (*slot != 0)
		return &o->devices[*slot - 1];
	if (o->count == o->cap) {
		o->cap = o->cap * 2 + 8;
		o->devices =
		    mem_resize(o->devices, o->cap, sizeof(*o->devices));
	}
	d = &o->devices[o->count++];
	*d = (struct device){
	    .pid = pid, .device = device, .section = o->section};
	text_add_span(&d->name, known_device(r->known, pid, device));
	device_time_begin(&d->time, INT64_MIN);
	*slot = o->count;
	return d;
}

static void
event(struct report *r, const struct event *ev)
{
	struct devices *o = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	struct device *d;
	enum device_class c;

	if (!event_has(ev, KEY_ts))
		return;
	if (end == INT64_MAX)
		end = ts;
	if (!o->any || o->from > ts)
		o->from = ts;
	if (!o->any || o->to < end)
		o->to = end;
	o->any = true;
	if (!device_time_class(ev, &c))
		return;
	d = device_of(r, ev);
	if (d->time.ops == 0)
		device_time_begin(&d->time, ts);
	d->communicates |= c == DEVICE_COMMUNICATION;
	device_time_add(&d->time, c, ts, end);
}

static void
section_end(struct report *r)
{
	struct devices *o = r->state;

	for (; o->first < o->count; o->first++) {
		struct device *d = &o->devices[o->first];

		device_time_finish(&d->time);
		d->wall = nvtx_duration(o->from, o->to);
	}
	map_clear(&o->map);
	o->any = false;
	o->section++;
}

static const struct column columns[] = {
    {"PID", UNIT_NONE},
    {"Device", UNIT_NONE},
    {"Wall", UNIT_TIME},
    {"Compute", UNIT_TIME},
    {"Exposed Communication", UNIT_TIME},
    {"Exposed Copy", UNIT_TIME},
    {"Idle", UNIT_TIME},
    {"Busy of Wall", UNIT_PERCENT},
    {"Communication", UNIT_TIME},
    {"Overlap", UNIT_PERCENT},
    {"Copy", UNIT_TIME},
    {"Ops", UNIT_NONE},
};

/* the communication that a computation hides */
static dist_wide
overlapped(const struct device_time *d)
{
	return (dist_wide)d->total[DEVICE_COMMUNICATION] -
	       d->exposed[DEVICE_COMMUNICATION];
}

static void
row(struct table *t, const struct device *d)
{
	const struct device_time *x = &d->time;
	int64_t communication = x->total[DEVICE_COMMUNICATION];
	dist_wide busy = 0;

	for (size_t i = 0; i < DEVICE_CLASSES; i++)
		busy += x->exposed[i];
	table_id(t, d->pid);
	table_int(t, d->device);
	table_int(t, d->wall);
	for (size_t i = 0; i < DEVICE_CLASSES; i++)
		table_int(t, x->exposed[i]);
	table_int(t, (int64_t)(d->wall - busy));
	table_share(t, busy, d->wall);
	table_int(t, communication);
	table_share(t, overlapped(x), communication);
	table_int(t, x->total[DEVICE_COPY]);
	table_int(t, x->ops);
	table_text(t, text_span(&d->name));
}

static void
table(struct report *r, struct table *t)
{
	struct devices *o = r->state;

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(t, columns[i].name, columns[i].unit);
	table_text_column(t, "Name");
	for (size_t i = 0; i < o->count; i++)
		row(t, &o->devices[i]);
}

static void
overlap_table(struct report *r, struct table *t)
{
	const struct devices *o = r->state;

	table_column(t, "PID", UNIT_NONE);
	table_column(t, "Device", UNIT_NONE);
	table_column(t, "Communication", UNIT_TIME);
	table_column(t, "Overlapped", UNIT_TIME);
	table_column(t, "Exposed", UNIT_TIME);
	table_column(t, "Overlap", UNIT_PERCENT);
	table_column(t, "Compute", UNIT_TIME);
	table_text_column(t, "Name");
	for (size_t i = 0; i < o->count; i++) {
		const struct device *d = &o->devices[i];
		int64_t all = d->time.total[DEVICE_COMMUNICATION];

		if (!d->communicates)
			continue;
		table_id(t, d->pid);
		table_int(t, d->device);
		table_int(t, all);
		table_int(t, (int64_t)overlapped(&d->time));
		table_int(t, d->time.exposed[DEVICE_COMMUNICATION]);
		table_share(t, overlapped(&d->time), all);
		table_int(t, d->time.total[DEVICE_COMPUTE]);
		table_text(t, text_span(&d->name));
	}
}

static void
close_report(struct report *r)
{
	struct devices *o = r->state;

	for (size_t i = 0; i < o->count; i++)
		text_free(&o->devices[i].name);
	free(o->devices);
	map_free(&o->map);
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_NONE};
static const enum key work_keys[] = {
    KEY_pid, KEY_device, KEY_name, KEY_category, KEY_NONE};

/* what both have in common */
#define DEVICES \
	.kinds = REPORT_EVENTS, .keys = keys, .work_keys = work_keys, \
	.size = sizeof(struct devices), .event = event, \
	.section_end = section_end, .close = close_report

const struct report_kind report_device[] = {
    {.name = "device_time",
	.title = "Time of the Devices",
	.missing = "no operation of a device in the stream",
	.table = table,
	DEVICES},
    {.name = "overlap",
	.title = "Communication Hidden by Computation",
	.missing = "no communication kernel in the stream",
	.table = overlap_table,
	DEVICES},
    {0},
};
