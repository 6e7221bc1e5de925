/*
 * phases.c - phases: the time before a device works, the loading of data, the
 * steady phase, and what follows the last kernel
 */

#include <stdlib.h>

#include "tq/account/device_lanes.h"
#include "tq/account/device_time.h"
#include "tq/advice/load_phase.h"
#include "tq/show/col.h"

#include "report.h"

enum phase { PHASE_BEFORE, PHASE_LOADING, PHASE_STEADY, PHASE_TAIL, PHASES };

/* operations that began, and the time in which any runs */
struct phase_work {
	int64_t busy, copied, copy_time, kernels, kernel_time;
};

/* a device of a section, or a GPU of several */
struct phased_device {
	struct span name;
	struct device_time time;
	struct load_progress progress;
	struct phase_work now;                     /* of all operations */
	struct phase_work reached[LOAD_DOUBLINGS]; /* as of progress */
	struct phase_work at_kernel;               /* before the first one */
	struct phase_work at_last; /* before operations after the last one */
	int64_t last_kernel;       /* its end; INT64_MIN: none */
	int64_t last_copy;         /* the latest end of a copy or fill */
	int64_t tail_busy, tail_until; /* copies and fills run behind the last
					* kernel; until then */
	int64_t first, until;          /* of all operations */
	int64_t from, to;              /* of the recording */
};

struct phased_devices {
	struct device_lanes lanes;
	struct phased_device *all; /* by lane */
	size_t count, cap;
};

/* ---- the stream ---- */

static void
lane_made(void *report, size_t lane, size_t of)
{
	struct report *r = report;
	struct phased_devices *s = r->state;
	const struct device_lane *l = &s->lanes.all.all[lane];
	struct phased_device *d = array_add(&s->all, &s->count, &s->cap);
	struct defined_name name;

	if (of != SIZE_MAX) {
		*d = s->all[of];
		return;
	}
	names_device(r->names, l->pid, l->device, &name);
	*d = (struct phased_device){.name = region_copy(&r->life, name.name),
	    .last_kernel = INT64_MIN,
	    .last_copy = INT64_MIN,
	    .first = l->first,
	    .until = INT64_MIN};
	device_time_begin(&d->time, l->first);
}

static int64_t
busy_time(const struct device_time *t)
{
	int64_t busy = 0;

	for (size_t i = 0; i < DEVICE_CLASSES; i++)
		busy = time_end(busy, t->exposed[i]);
	return busy;
}

static void
add_kernel(
    struct phased_device *d, const struct event *ev, int64_t ts, int64_t end)
{
	unsigned n = d->progress.doublings;

	if (d->now.kernels == 0)
		d->at_kernel = d->now;
	load_phase_add(&d->progress, ev, ts);
	for (; n < d->progress.doublings; n++)
		d->reached[n % LOAD_DOUBLINGS] = d->now;
	d->now.kernels++;
	d->now.kernel_time =
	    time_end(d->now.kernel_time, event_int(ev, KEY_dur, 0));
	d->at_last = d->now; /* all copies so far begin before its end */
	if (d->last_kernel >= end)
		return;
	d->last_kernel = end;
	d->tail_until = d->last_copy > end ? d->last_copy : end;
	d->tail_busy = time_between(end, d->tail_until);
}

static void
add_copy(
    struct phased_device *d, const struct event *ev, int64_t ts, int64_t end)
{
	int64_t bytes = event_int(ev, KEY_bytes, 0);

	load_phase_add(&d->progress, ev, ts);
	if (bytes > 0)
		d->now.copied = time_end(d->now.copied, bytes);
	d->now.copy_time =
	    time_end(d->now.copy_time, event_int(ev, KEY_dur, 0));
	if (d->last_copy < end)
		d->last_copy = end;
	if (ts < d->last_kernel)
		d->at_last = d->now;
	if (d->last_kernel == INT64_MIN || end <= d->tail_until)
		return;
	d->tail_busy = time_end(d->tail_busy,
	    time_between(ts > d->tail_until ? ts : d->tail_until, end));
	d->tail_until = end;
}

static void
add(struct phased_device *d, const struct event *ev, enum device_class c,
    int64_t ts, int64_t end)
{
	device_time_advance(&d->time, ts);
	d->now.busy = busy_time(&d->time);
	if (ev->kind == KIND_kernel || ev->kind == KIND_graph)
		add_kernel(d, ev, ts, end);
	else
		add_copy(d, ev, ts, end);
	device_time_add(&d->time, c, ts, end);
	if (d->until < end)
		d->until = end;
}

static void
phases_event(struct report *r, const struct event *ev)
{
	struct phased_devices *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	enum device_class c;
	size_t i;

	if (!event_has(ev, KEY_ts) || !device_time_class(ev, &c))
		return;
	wall_cut(r->wall, &ts, &end);
	i = device_lanes_find(&s->lanes, ev, ts) + 1;
	for (; i > 0; i = s->lanes.all.all[i - 1].shared)
		add(&s->all[i - 1], ev, c, ts, end);
}

static void
phases_section_end(struct report *r)
{
	struct phased_devices *s = r->state;

	for (size_t i = s->lanes.first; i < s->count; i++) {
		struct phased_device *d = &s->all[i];

		device_time_end(&d->time, r->wall->to);
		d->now.busy = busy_time(&d->time);
		d->from = r->wall->from;
		d->to = r->wall->to;
		/* an operation that was never closed */
		if (d->until > d->to)
			d->until = d->to;
		if (d->last_kernel > d->to)
			d->last_kernel = d->to;
		if (d->tail_until > d->to)
			d->tail_busy = time_between(d->last_kernel, d->to);
	}
	device_lanes_reset(&s->lanes);
}

/* ---- the table ---- */

/* modulo 2^64, for times that no clock ever shows */
static int64_t
minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static struct phase_work
work_between(const struct phase_work *a, const struct phase_work *b)
{
	return (struct phase_work){minus(b->busy, a->busy),
	    minus(b->copied, a->copied), minus(b->copy_time, a->copy_time),
	    minus(b->kernels, a->kernels),
	    minus(b->kernel_time, a->kernel_time)};
}

static void
phase_row(struct table *t, const struct device_lane *l,
    const struct phased_device *d, enum phase p, int64_t from, int64_t to,
    const struct phase_work *w)
{
	static const char *const names[PHASES] = {
	    "before", "loading", "steady", "tail"};
	int64_t length = time_between(from, to);

	if (length <= 0 && !t->heading)
		return;
	col_id(t, "PID", l->pid);
	col_id(t, "Device", l->device);
	col_text(t, "Phase", span_of(names[p]));
	col_int(t, "Start", UNIT_TIME, from);
	col_int(t, "Length", UNIT_TIME, length);
	col_share(t, "Busy", w->busy, length);
	col_int(t, "Copied", UNIT_SIZE, w->copied);
	col_int(t, "Copy Time", UNIT_TIME, w->copy_time);
	col_rate(t, "Rate", w->copied, w->copy_time);
	col_int(t, "Kernels", UNIT_NONE, w->kernels);
	col_int(t, "Kernel Time", UNIT_TIME, w->kernel_time);
	col_id(t, "Shared GPU", l->gpu);
	col_text(t, "Name", d->name);
}

/* The end of the loading phase, and what was done in it; else the start. */
static int64_t
loading_end(const struct phased_device *d, struct phase_work *loaded)
{
	size_t n;

	*loaded = (struct phase_work){0};
	if (!load_phase_find(&d->progress, d->first, &n))
		return d->first;
	if (load_phase_is_before(&d->progress, d->first)) {
		*loaded = d->at_kernel;
		return d->progress.kernel.at;
	}
	*loaded = d->reached[n];
	return d->progress.reached[n].at;
}

static void
device_rows(
    struct table *t, const struct device_lane *l, const struct phased_device *d)
{
	const struct phase_work none = {0};
	struct phase_work loaded, steady, tail = {0};
	int64_t begin = loading_end(d, &loaded), last = d->last_kernel;

	steady = d->now;
	if (last == INT64_MIN) {
		last = d->until;
	} else {
		tail = work_between(&d->at_last, &d->now);
		tail.busy = d->tail_busy;
		steady = d->at_last;
		steady.busy = minus(d->now.busy, tail.busy);
	}
	steady = work_between(&loaded, &steady);
	phase_row(t, l, d, PHASE_BEFORE, d->from, d->first, &none);
	phase_row(t, l, d, PHASE_LOADING, d->first, begin, &loaded);
	phase_row(t, l, d, PHASE_STEADY, begin, last, &steady);
	phase_row(t, l, d, PHASE_TAIL, last, d->to, &tail);
}

static void
phases_table(struct report *r, struct table *t)
{
	const struct phased_devices *s = r->state;

	col_heading(t, phase_row, &(struct device_lane){0},
	    &(struct phased_device){0}, PHASE_BEFORE, 0, 0,
	    &(struct phase_work){0});
	for (size_t i = 0; i < s->count; i++)
		device_rows(t, &s->lanes.all.all[i], &s->all[i]);
}

static void
phases_begin(struct report *r)
{
	struct phased_devices *s = r->state;

	s->lanes.names = r->names;
	s->lanes.made = lane_made;
	s->lanes.arg = r;
}

static void
phases_close(struct report *r)
{
	struct phased_devices *s = r->state;

	free(s->all);
	device_lanes_free(&s->lanes);
}

const struct report_kind phases_reports[] = {
    {.name = "phases",
	.question = ASKS_IDLE,
	.title = "Phases of the Devices",
	.missing = "no operation of a device in the stream",
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.rows = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.wall = true,
	.wall_title = true,
	.row_parts = true,
	.keys = KEYS(KEY_ts, KEY_dur, KEY_open, KEY_bytes),
	.work_keys = KEYS(KEY_pid, KEY_device, KEY_name, KEY_category),
	.size = sizeof(struct phased_devices),
	.begin = phases_begin,
	.event = phases_event,
	.section_end = phases_section_end,
	.table = phases_table,
	.close = phases_close},
    {0},
};
