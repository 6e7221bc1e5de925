/*
 * device.c - what the time of each device goes into: device_time, overlap,
 * hta_breakdown
 */

#include <stdlib.h>

#include "tq/account/device_time.h"
#include "tq/base/keyed.h"

#include "sums/cuda.h"
#include "tq/show/col.h"
#include "gpus.h"
#include "report.h"

/* ---- the stream ---- */

enum { SHARED_GPU = INT32_MIN }; /* instead of a pid */

/* a device of a process in a section, or a GPU that processes share */
struct device {
	int64_t pid, id; /* of a GPU NO_ID */
	int64_t gpu;     /* its number, if it is shared; else NO_ID */
	size_t shared;   /* index + 1 of that GPU, or 0 */
	struct span name;
	int64_t first; /* start of an operation */
	struct device_time time;
	bool communicates;
	int64_t wall;
	const char *wall_is;
};

struct devices {
	/* in their section found by (pid, id) and by (SHARED_GPU, its number
	 * in gpus) */
	KEYED(struct device) all;
	size_t first; /* of the section */
	struct gpus gpus;
	bool as_hta;
};

/* The device i is of a GPU that processes share from now on, or before. */
static void
share_gpu(struct devices *s, struct shared_gpu *g, size_t i)
{
	struct device *d;
	bool fresh;

	if (g->shared == 0) {
		d = keyed_get(&s->all, (uint64_t)SHARED_GPU,
		    (uint64_t)(g - s->gpus.all), &fresh);
		*d = s->all.all[g->first];
		d->pid = d->id = NO_ID;
		d->gpu = g->number;
		g->shared = (size_t)(d - s->all.all) + 1;
		s->all.all[g->first].gpu = g->number;
		s->all.all[g->first].shared = g->shared;
	}
	s->all.all[i].gpu = g->number;
	s->all.all[i].shared = g->shared;
}

/* The index of its device. */
static size_t
find_device(struct report *r, const struct event *ev, int64_t ts)
{
	struct devices *s = r->state;
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t id = event_int(ev, KEY_device, 0);
	struct defined_name name;
	bool fresh;
	struct device *d =
	    keyed_get(&s->all, (uint64_t)pid, (uint64_t)id, &fresh);
	size_t i = (size_t)(d - s->all.all);
	struct shared_gpu *g;

	if (!fresh)
		return i;
	names_device(r->names, pid, id, &name);
	*d = (struct device){.pid = pid,
	    .id = id,
	    .gpu = NO_ID,
	    .first = ts,
	    .name = region_copy(&r->life, name.name)};
	device_time_begin(&d->time, ts);
	g = gpus_find(&s->gpus, r->names, pid, id, i);
	if (g != NULL && (g->shared > 0 || g->pid != pid))
		share_gpu(s, g, i);
	return i;
}

/* HTA's ^nccl, ^hip, ^hccl and ncclKernel, of the full name */
static bool
communicates_for_hta(struct span name)
{
	return span_begins(name, SPAN("nccl")) ||
	       span_begins(name, SPAN("hip")) ||
	       span_begins(name, SPAN("hccl")) ||
	       memmem(name.p, name.len, "ncclKernel", 10) != NULL;
}

static bool
hta_class(struct report *r, const struct event *ev, enum device_class *c)
{
	if (ev->kind == KIND_kernel) {
		r->scratch.len = 0;
		*c = communicates_for_hta(cuda_kernel_name(r, ev, &r->scratch))
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
	i = find_device(r, ev, ts) + 1;
	for (; i > 0; i = s->all.all[i - 1].shared) {
		struct device *d = &s->all.all[i - 1];

		d->communicates |= c == DEVICE_COMMUNICATION;
		device_time_add(&d->time, c, ts, end);
	}
}

static void
devices_section_end(struct report *r)
{
	struct devices *s = r->state;

	for (; s->first < s->all.count; s->first++) {
		struct device *d = &s->all.all[s->first];

		device_time_end(&d->time, r->wall->to);
		d->wall = time_between(r->wall->from, r->wall->to);
		d->wall_is = wall_meaning(r->wall);
	}
	map_clear(&s->all.map);
	gpus_reset(&s->gpus);
}

/* ---- tables ---- */

static void
time_row(struct table *t, const struct device *d)
{
	const struct device_time *x = &d->time;
	int64_t communication = x->total[DEVICE_COMMUNICATION];
	dist_wide busy = 0;

	for (size_t i = 0; i < DEVICE_CLASSES; i++)
		busy += x->exposed[i];
	col_id(t, "PID", d->pid);
	col_id(t, "Device", d->id);
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
	col_id(t, "Shared GPU", d->gpu);
	col_text(t, "Name", d->name);
}

static void
time_table(struct report *r, struct table *t)
{
	const struct devices *s = r->state;

	col_heading(t, time_row, &(struct device){.wall_is = ""});
	for (size_t i = 0; i < s->all.count; i++)
		time_row(t, &s->all.all[i]);
}

static void
overlap_row(struct table *t, const struct device *d)
{
	const struct device_time *x = &d->time;
	int64_t all = x->total[DEVICE_COMMUNICATION];
	dist_wide overlap = device_time_overlap(x);

	col_id(t, "PID", d->pid);
	col_id(t, "Device", d->id);
	col_int(t, "Communication", UNIT_TIME, all);
	col_int(t, "Overlapped", UNIT_TIME, (int64_t)overlap);
	col_int(t, "Exposed", UNIT_TIME, x->exposed[DEVICE_COMMUNICATION]);
	col_share(t, "Overlap", overlap, all);
	col_int(t, "Compute", UNIT_TIME, x->total[DEVICE_COMPUTE]);
	col_id(t, "Shared GPU", d->gpu);
	col_text(t, "Name", d->name);
}

static void
overlap_table(struct report *r, struct table *t)
{
	const struct devices *s = r->state;

	col_heading(t, overlap_row, &(struct device){0});
	for (size_t i = 0; i < s->all.count; i++)
		if (s->all.all[i].communicates)
			overlap_row(t, &s->all.all[i]);
}

/* HTA's idle, compute and non-compute add up to its kernel time. */
static void
hta_row(struct table *t, const struct device *d)
{
	const struct device_time *x = &d->time;
	int64_t all = time_between(d->first, x->now);
	int64_t compute = x->exposed[DEVICE_COMPUTE];
	int64_t communication = x->total[DEVICE_COMMUNICATION];
	dist_wide overlap = device_time_overlap(x);
	dist_wide rest = (dist_wide)x->exposed[DEVICE_COMMUNICATION] +
			 x->exposed[DEVICE_COPY];
	dist_wide idle = (dist_wide)all - compute - rest;

	col_id(t, "PID", d->pid);
	col_id(t, "Device", d->id);
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
	col_id(t, "Shared GPU", d->gpu);
	col_text(t, "Name", d->name);
}

static void
hta_table(struct report *r, struct table *t)
{
	const struct devices *s = r->state;

	col_heading(t, hta_row, &(struct device){0});
	for (size_t i = 0; i < s->all.count; i++)
		hta_row(t, &s->all.all[i]);
}

static void
hta_open(struct report *r)
{
	struct devices *s = r->state;

	s->as_hta = true;
}

static void
devices_close(struct report *r)
{
	struct devices *s = r->state;

	keyed_free(&s->all);
	gpus_free(&s->gpus);
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
	.keys = keys, .size = sizeof(struct devices), .event = devices_event, \
	.section_end = devices_section_end, .close = devices_close

const struct report_kind device_reports[] = {
    {.name = "device_time",
	.title = "Time of the Devices",
	.missing = "no operation of a device in the stream",
	.table = time_table,
	WALL,
	DEVICES},
    {.name = "overlap",
	.title = "Communication Hidden by Computation",
	.missing = "no communication kernel in the stream",
	.table = overlap_table,
	WALL,
	DEVICES},
    {.name = "hta_breakdown",
	.title = "Time of the Devices as in HTA",
	.missing = "no operation of a device in the stream",
	.wall = true,
	.work_keys = hta_work_keys,
	.open = hta_open,
	.table = hta_table,
	DEVICES},
    {0},
};
