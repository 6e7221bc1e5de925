/*
 * device.c - the time of each device by class: device_time, overlap,
 * hta_breakdown
 */

#include <stdlib.h>

#include "tq/account/device_lanes.h"
#include "tq/account/device_time.h"
#include "tq/names/symbol_class.h"

#include "sums/cuda.h"
#include "tq/show/col.h"
#include "report.h"

/* ---- the stream ---- */

/* the time of a process's device in a section, or of a GPU of several */
struct device {
	struct span name;
	struct device_time time;
	bool communicates;
	int64_t wall;
	const char *wall_is;
};

struct devices {
	struct device_lanes lanes;
	struct device *all; /* by lane */
	size_t count, cap;
	bool as_hta;
};

/* A lane is new, or a GPU's, which starts as a copy of another one. */
static void
lane_made(void *report, size_t lane, size_t of)
{
	struct report *r = report;
	struct devices *s = r->state;
	const struct device_lane *l = &s->lanes.all.all[lane];
	struct device *d = array_add(&s->all, &s->count, &s->cap);
	struct defined_name name;

	if (of != SIZE_MAX) {
		*d = s->all[of];
		return;
	}
	names_device(r->names, l->pid, l->device, &name);
	*d = (struct device){.name = region_copy(&r->life, name.name)};
	device_time_begin(&d->time, l->first);
}

static bool
hta_class(struct report *r, const struct event *ev, enum device_class *c)
{
	if (ev->kind == KIND_kernel) {
		r->scratch.len = 0;
		*c = symbol_class_hta_communicates(
			 cuda_kernel_name(r, ev, &r->scratch))
			 ? DEVICE_COMMUNICATION
			 : DEVICE_COMPUTE;
		return true;
	}
	return device_time_class(ev, c);
}

static void
devices_event(struct report *r, const struct event *ev)
{
	struct devices *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	enum device_class c;
	size_t i;

	if (!event_has(ev, KEY_ts) ||
	    !(s->as_hta ? hta_class(r, ev, &c) : device_time_class(ev, &c)))
		return;
	wall_cut(r->wall, &ts, &end);
	i = device_lanes_find(&s->lanes, ev, ts) + 1;
	for (; i > 0; i = s->lanes.all.all[i - 1].shared) {
		struct device *d = &s->all[i - 1];

		d->communicates |= c == DEVICE_COMMUNICATION;
		device_time_add(&d->time, c, ts, end);
	}
}

static void
devices_section_end(struct report *r)
{
	struct devices *s = r->state;

	for (size_t i = s->lanes.first; i < s->count; i++) {
		struct device *d = &s->all[i];

		device_time_end(&d->time, r->wall->to);
		d->wall = time_between(r->wall->from, r->wall->to);
		d->wall_is = wall_meaning(r->wall);
	}
	device_lanes_reset(&s->lanes);
}

/* ---- tables ---- */

static void
time_row(struct table *t, const struct device_lane *l, const struct device *d)
{
	const struct device_time *x = &d->time;
	int64_t communication = x->total[DEVICE_COMMUNICATION];
	dist_wide busy = 0;

	for (size_t i = 0; i < DEVICE_CLASSES; i++)
		busy += x->exposed[i];
	col_id(t, "PID", l->pid);
	col_id(t, "Device", l->device);
	col_int(t, "Wall", UNIT_TIME, d->wall);
	col_int(t, "Compute", UNIT_TIME, x->exposed[DEVICE_COMPUTE]);
	col_int(t, "Exposed Communication", UNIT_TIME,
	    x->exposed[DEVICE_COMMUNICATION]);
	col_int(t, "Exposed Copy", UNIT_TIME, x->exposed[DEVICE_COPY]);
	col_int(t, "Idle", UNIT_TIME, (int64_t)(d->wall - busy));
	col_share(t, "Busy of Wall", busy, d->wall);
	col_int(t, "Communication", UNIT_TIME, communication);
	col_share(t, "Overlap", device_time_overlap(x), communication);
	col_int(t, "Copy", UNIT_TIME, x->total[DEVICE_COPY]);
	col_int(t, "Ops", UNIT_NONE, x->ops);
	col_text(t, "Wall Is", span_of(d->wall_is));
	col_id(t, "Shared GPU", l->gpu);
	col_text(t, "Name", d->name);
	col_share(t, "Idle of Wall", d->wall - busy, d->wall);
}

static void
time_table(struct report *r, struct table *t)
{
	const struct devices *s = r->state;

	col_heading(t, time_row, &(struct device_lane){0},
	    &(struct device){.wall_is = ""});
	for (size_t i = 0; i < s->count; i++)
		time_row(t, &s->lanes.all.all[i], &s->all[i]);
}

static void
overlap_row(
    struct table *t, const struct device_lane *l, const struct device *d)
{
	const struct device_time *x = &d->time;
	int64_t all = x->total[DEVICE_COMMUNICATION];
	dist_wide overlap = device_time_overlap(x);

	col_id(t, "PID", l->pid);
	col_id(t, "Device", l->device);
	col_int(t, "Communication", UNIT_TIME, all);
	col_int(t, "Overlapped", UNIT_TIME, (int64_t)overlap);
	col_int(t, "Exposed", UNIT_TIME, x->exposed[DEVICE_COMMUNICATION]);
	col_share(t, "Overlap", overlap, all);
	col_int(t, "Compute", UNIT_TIME, x->total[DEVICE_COMPUTE]);
	col_id(t, "Shared GPU", l->gpu);
	col_text(t, "Name", d->name);
}

static void
overlap_table(struct report *r, struct table *t)
{
	const struct devices *s = r->state;

	col_heading(
	    t, overlap_row, &(struct device_lane){0}, &(struct device){0});
	for (size_t i = 0; i < s->count; i++)
		if (s->all[i].communicates)
			overlap_row(t, &s->lanes.all.all[i], &s->all[i]);
}

/* HTA's idle, compute and non-compute add up to its kernel time. */
static void
hta_row(struct table *t, const struct device_lane *l, const struct device *d)
{
	const struct device_time *x = &d->time;
	int64_t all = time_between(l->first, x->now);
	int64_t compute = x->exposed[DEVICE_COMPUTE];
	int64_t communication = x->total[DEVICE_COMMUNICATION];
	dist_wide overlap = device_time_overlap(x);
	dist_wide rest = (dist_wide)x->exposed[DEVICE_COMMUNICATION] +
			 x->exposed[DEVICE_COPY];
	dist_wide idle = (dist_wide)all - compute - rest;

	col_id(t, "PID", l->pid);
	col_id(t, "Device", l->device);
	col_int(t, "Kernel Time", UNIT_TIME, all);
	col_sum(t, "Idle", UNIT_TIME, idle);
	col_int(t, "Compute", UNIT_TIME, compute);
	col_sum(t, "Non Compute", UNIT_TIME, rest);
	col_share(t, "Idle", idle, all);
	col_share(t, "Compute", compute, all);
	col_share(t, "Non Compute", rest, all);
	col_int(t, "Communication", UNIT_TIME, communication);
	col_int(t, "Memory", UNIT_TIME, x->total[DEVICE_COPY]);
	col_int(t, "Overlapped", UNIT_TIME, (int64_t)overlap);
	col_share(t, "Overlap", overlap, communication);
	col_int(t, "Exposed Communication", UNIT_TIME,
	    x->exposed[DEVICE_COMMUNICATION]);
	col_int(t, "Exposed Memory", UNIT_TIME, x->exposed[DEVICE_COPY]);
	col_id(t, "Shared GPU", l->gpu);
	col_text(t, "Name", d->name);
}

static void
hta_table(struct report *r, struct table *t)
{
	const struct devices *s = r->state;

	col_heading(t, hta_row, &(struct device_lane){0}, &(struct device){0});
	for (size_t i = 0; i < s->count; i++)
		hta_row(t, &s->lanes.all.all[i], &s->all[i]);
}

static void
devices_begin(struct report *r)
{
	struct devices *s = r->state;

	s->as_hta = r->kind->table == hta_table;
	s->lanes.names = r->names;
	s->lanes.made = lane_made;
	s->lanes.arg = r;
}

static void
devices_close(struct report *r)
{
	struct devices *s = r->state;

	free(s->all);
	device_lanes_free(&s->lanes);
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_open, KEY_NONE};
static const enum key work_keys[] = {
    KEY_pid, KEY_device, KEY_name, KEY_category, KEY_NONE};

static const enum key hta_work_keys[] = {
    KEY_pid, KEY_device, KEY_name, KEY_sym, KEY_NONE};

#define WALL \
	.wall = true, .wall_title = true, .work_keys = work_keys, \
	.shares = "Overlap (%) is of the communication"

/* all of these reports */
#define DEVICES \
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph), \
	.keys = keys, .size = sizeof(struct devices), .begin = devices_begin, \
	.event = devices_event, .section_end = devices_section_end, \
	.close = devices_close

const struct report_kind device_reports[] = {
    {.name = "device_time",
	.rows = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.title = "Time of the Devices",
	.missing = "no operation of a device in the stream",
	.table = time_table,
	WALL,
	DEVICES},
    {.name = "overlap",
	.rows = ROWS_COMMUNICATION,
	.title = "Communication Hidden by Computation",
	.missing = "no communication kernel in the stream",
	.table = overlap_table,
	WALL,
	DEVICES},
    {.name = "hta_breakdown",
	.rows = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.title = "Time of the Devices as in HTA",
	.missing = "no operation of a device in the stream",
	.wall = true,
	.work_keys = hta_work_keys,
	.table = hta_table,
	DEVICES},
    {0},
};
