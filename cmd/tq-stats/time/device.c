/*
 * device.c - the time of each device by class: device_time, overlap,
 * hta_breakdown
 *
 * device_time:cause cuts idle time by what the host did, as gaps_sum does.
 */

#include <stdlib.h>

#include "tq/account/account.h"
#include "tq/account/device_lanes.h"
#include "tq/account/device_time.h"
#include "tq/account/first_uses.h"
#include "tq/account/idle_cuts.h"
#include "tq/base/time.h"
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
	int64_t idle[GAP_CAUSES][IDLE_CAUSES]; /* of device_time:cause */
};

struct devices {
	struct device_lanes lanes;
	struct device *all; /* by lane */
	size_t count, cap;
	bool as_hta;

	bool by_cause;
	struct first_uses uses;
	struct idle_cuts cuts;
	size_t gap; /* the lane of the gap that is cut */
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
add_to(int64_t *sum, int64_t from, int64_t to)
{
	*sum = time_end(*sum, time_between(from, to));
}

static void
add_part(void *devices, const struct idle_part *p)
{
	struct devices *s = devices;
	enum idle_cause cause = p->cause == IDLE_RANGE ? IDLE_HOST : p->cause;

	add_to(&s->all[s->gap].idle[p->group][cause], p->from, p->to);
}

static void
add_gap(void *report, const struct lane_gap *gap)
{
	struct report *r = report;
	struct devices *s = r->state;

	s->gap = gap->lane;
	idle_cuts_divide(&s->cuts, gap);
}

/* A record of the host. */
static void
add_host(struct devices *s, const struct event *ev, int64_t ts, int64_t end)
{
	if (ev->kind == KIND_api || ev->kind == KIND_osrt ||
	    ev->kind == KIND_overhead)
		gaps_host_add_call(&s->lanes.host, ev, ts, end);
	idle_cuts_event(&s->cuts, ev, ts, end);
}

static void
devices_event(struct report *r, const struct event *ev)
{
	struct devices *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	enum device_class c;
	size_t i;

	if (!event_has(ev, KEY_ts))
		return;
	if (!(s->as_hta ? hta_class(r, ev, &c) : device_time_class(ev, &c))) {
		if (s->by_cause)
			add_host(s, ev, ts, end);
		return;
	}
	if (s->by_cause)
		idle_cuts_operation(&s->cuts, ev, first_uses_add(&s->uses, ev));
	wall_cut(r->wall, &ts, &end);
	i = device_lanes_find(&s->lanes, ev, ts);
	if (s->by_cause)
		device_lanes_add(&s->lanes, i, ev, ts, end);
	for (i++; i > 0; i = s->lanes.all.all[i - 1].shared) {
		struct device *d = &s->all[i - 1];

		d->communicates |= c == DEVICE_COMMUNICATION;
		device_time_add(&d->time, c, ts, end);
	}
}

/* The time before the first operation and after the last one. */
static void
add_ends(struct devices *s, const struct wall *w)
{
	device_lanes_end(&s->lanes, w->to);
	for (size_t i = s->lanes.first; i < s->count; i++) {
		const struct device_lane *l = &s->lanes.all.all[i];
		struct device *d = &s->all[i];

		add_to(&d->idle[GAP_BEFORE][IDLE_UNKNOWN], w->from, l->first);
		add_to(&d->idle[GAP_AFTER][IDLE_UNKNOWN], l->until, w->to);
	}
}

static void
devices_section_end(struct report *r)
{
	struct devices *s = r->state;

	if (s->by_cause)
		add_ends(s, r->wall);
	for (size_t i = s->lanes.first; i < s->count; i++) {
		struct device *d = &s->all[i];

		device_time_end(&d->time, r->wall->to);
		d->wall = time_between(r->wall->from, r->wall->to);
		d->wall_is = wall_meaning(r->wall);
	}
	device_lanes_reset(&s->lanes);
	if (!s->by_cause)
		return;
	idle_cuts_reset(&s->cuts);
	first_uses_reset(&s->uses);
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

/* a part of the wall, as device_time:cause has it */
struct device_part {
	const char *name, *cause; /* cause: NULL of what is not idle, and where
				   * there are no finer ones */
	int64_t time;
};

static void
part_row(struct table *t, const struct device_lane *l, const struct device *d,
    const struct device_part *p)
{
	col_id(t, "PID", l->pid);
	col_id(t, "Device", l->device);
	col_int(t, "Wall", UNIT_TIME, d->wall);
	col_text(t, "Part", span_of(p->name));
	col_text_if(t, "Finer Cause", p->cause != NULL,
	    span_of(p->cause != NULL ? p->cause : ""));
	col_int(t, "Time", UNIT_TIME, p->time);
	col_share(t, "Of Wall", p->time, d->wall);
	col_text(t, "Wall Is", span_of(d->wall_is));
	col_id(t, "Shared GPU", l->gpu);
	col_text(t, "Name", d->name);
}

static void
device_parts(
    struct table *t, const struct device_lane *l, const struct device *d)
{
	for (enum account_part p = 0; p < PART_SYNC; p++)
		if (d->time.exposed[p] > 0)
			part_row(t, l, d,
			    &(struct device_part){account_part_name(p), NULL,
				d->time.exposed[p]});
	for (enum gap_cause g = 0; g < GAP_CAUSES; g++)
		for (enum idle_cause c = 0; c < IDLE_CAUSES; c++)
			if (d->idle[g][c] > 0)
				part_row(t, l, d,
				    &(struct device_part){gap_cause_name(g),
					g != GAP_BEFORE && g != GAP_AFTER
					    ? idle_cause_name(c)
					    : NULL,
					d->idle[g][c]});
}

static void
cause_table(struct report *r, struct table *t)
{
	const struct devices *s = r->state;

	col_heading(t, part_row, &(struct device_lane){0},
	    &(struct device){.wall_is = ""}, &(struct device_part){"", "", 0});
	for (size_t i = 0; i < s->count; i++)
		device_parts(t, &s->lanes.all.all[i], &s->all[i]);
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

static const struct report_kind cause_kind;

static void
time_open(struct report *r)
{
	struct devices *s = r->state;

	s->by_cause = r->arg != NULL;
	if (s->by_cause)
		r->kind = &cause_kind;
}

static void
devices_begin(struct report *r)
{
	struct devices *s = r->state;

	s->as_hta = r->kind->table == hta_table;
	s->lanes.names = r->names;
	s->lanes.made = lane_made;
	s->lanes.arg = r;
	if (!s->by_cause)
		return;
	s->lanes.gap = add_gap;
	device_lanes_open(&s->lanes);
	s->cuts =
	    (struct idle_cuts){.of = &s->lanes, .cut = add_part, .arg = s};
}

static void
devices_close(struct report *r)
{
	struct devices *s = r->state;

	free(s->all);
	device_lanes_free(&s->lanes);
	first_uses_free(&s->uses);
	idle_cuts_free(&s->cuts);
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_open, KEY_NONE};
static const enum key work_keys[] = {
    KEY_pid, KEY_device, KEY_name, KEY_category, KEY_NONE};

static const enum key hta_work_keys[] = {
    KEY_pid, KEY_device, KEY_name, KEY_sym, KEY_NONE};

#define WALL \
	.wall = true, .wall_title = true, .work_keys = work_keys, \
	.shares = "Overlap (%) is of the communication"

#define OPERATIONS \
	(KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph))

/* all of these reports */
#define DEVICES \
	.row_parts = true, .keys = keys, .size = sizeof(struct devices), \
	.begin = devices_begin, .event = devices_event, \
	.section_end = devices_section_end, .close = devices_close

#define TIME \
	.name = "device_time", .question = ASKS_IDLE, .rows = OPERATIONS, \
	.title = "Time of the Devices", \
	.missing = "no operation of a device in the stream", WALL, DEVICES

static void
want_causes(struct keyset *want)
{
	static const enum key host[] = {KEY_pid, KEY_tid, KEY_name, KEY_NONE};
	static const enum key work[] = {KEY_tid, KEY_context, KEY_stream,
	    KEY_src, KEY_dst, KEY_api_ts, KEY_api_dur, KEY_NONE};

	for (enum kind k = 0; k < KIND_COUNT; k++)
		keyset_add_all(
		    &want[k], schema_role(k) == ROLE_WORK ? work : host);
	idle_cuts_keys(want);
}

static const struct report_kind cause_kind = {.correlated = true,
    .kinds = OPERATIONS | KINDS(api) | KINDS(osrt) | KINDS(overhead) |
	     KINDS(range) | KINDS(gil) | KINDS(sched) | KINDS(sync),
    .wanted = want_causes,
    .open = time_open, /* of a copy for a rank */
    .table = cause_table,
    TIME};

const struct report_kind device_reports[] = {
    {.args = "cause",
	.kinds = OPERATIONS,
	.open = time_open,
	.table = time_table,
	TIME},
    {.name = "overlap",
	.question = ASKS_RANKS,
	.rows = ROWS_COMMUNICATION,
	.title = "Communication Hidden by Computation",
	.missing = "no communication kernel in the stream",
	.kinds = OPERATIONS,
	.table = overlap_table,
	WALL,
	DEVICES},
    {.name = "hta_breakdown",
	.question = ASKS_IDLE,
	.rows = OPERATIONS,
	.title = "Time of the Devices as in HTA",
	.missing = "no operation of a device in the stream",
	.kinds = OPERATIONS,
	.wall = true,
	.work_keys = hta_work_keys,
	.table = hta_table,
	DEVICES},
    {0},
};
