/* nsys_idle.c - times in which a device does little: gpu_gaps, gpu_time_util */

#include "tq/base/time.h"

#include "nsys_rules.h"

__extension__ typedef __int128 idle_wide;

/* Only these names count, of which exports since 2022 have but one. */
static void
add_overhead(struct nsys_rule *r, const struct event *ev, int64_t ts)
{
	static const char *const names[] = {
	    "CUDA profiling data flush overhead",
	    "CUDA profiling stop overhead", "CUDA profiling overhead"};

	for (size_t i = 0; i < 3; i++)
		if (event_is(ev, KEY_name, span_of(names[i])))
			*array_add(&r->overhead, &r->overhead_count,
			    &r->overhead_cap) = (struct nsys_overhead){
			    .pid = event_int(ev, KEY_pid, NO_ID),
			    .ts = ts,
			    .end = time_end(ts, event_int(ev, KEY_dur, 0))};
}

/* The device of an operation; NULL for other records. */
static struct nsys_device *
find_device(struct nsys_rule *r, const struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t device = event_int(ev, KEY_device, NO_ID);
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct nsys_device *d;
	bool fresh;

	if (ev->kind == KIND_overhead)
		add_overhead(r, ev, ts);
	if (ts <= 0 || ev->kind == KIND_overhead)
		return NULL;
	d = keyed_get(&r->devices, (uint64_t)pid, (uint64_t)device, &fresh);
	if (fresh)
		*d = (struct nsys_device){.pid = pid,
		    .device = device,
		    .context = event_int(ev, KEY_context, NO_ID),
		    .until = ts};
	return d;
}

static void
forget_devices(struct nsys_rule *r)
{
	for (size_t i = 0; i < r->devices.count; i++)
		free(r->devices.all[i].work);
	keyed_clear(&r->devices);
	r->overhead_count = 0;
}

static void
add_time(struct nsys_rule *r, const struct nsys_device *d, int64_t from,
    int64_t to, int64_t used)
{
	*array_add(&r->times, &r->time_count, &r->time_cap) =
	    (struct nsys_time){.dur = time_between(from, to),
		.ts = from,
		.pid = d->pid,
		.device = d->device,
		.context = d->context,
		.used = used};
}

/* ---- gaps ---- */

static void
add_gap(struct nsys_rule *r, const struct nsys_device *d, int64_t to)
{
	if (time_between(d->until, to) > r->args.gap * 1000000)
		add_time(r, d, d->until, to, 0);
}

/* The overhead before ts, which is in order, works for the device, too. */
static void
take_overhead(struct nsys_rule *r, struct nsys_device *d, int64_t ts)
{
	for (; d->overhead < r->overhead_count; d->overhead++) {
		const struct nsys_overhead *o = &r->overhead[d->overhead];

		if (o->ts >= ts)
			break;
		if (o->pid != d->pid || o->end <= d->until)
			continue;
		add_gap(r, d, o->ts);
		d->until = o->end;
	}
}

static void
gap_event(struct nsys_rules *all, struct nsys_rule *r, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = time_end(ts, event_int(ev, KEY_dur, 0));
	struct nsys_device *d = find_device(r, ev);

	(void)all;
	if (d == NULL)
		return;
	take_overhead(r, d, ts);
	add_gap(r, d, ts);
	if (d->until < end)
		d->until = end;
}

/* ---- use ---- */

static void
use_event(struct nsys_rules *all, struct nsys_rule *r, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = time_end(ts, event_int(ev, KEY_dur, 0));
	struct nsys_device *d = find_device(r, ev);

	(void)all;
	if (d == NULL)
		return;
	*array_add(&d->work, &d->count, &d->cap) = (struct nsys_work){ts, end};
	if (ts < d->work[0].ts) { /* out of order: the first one stays first */
		d->work[d->count - 1] = d->work[0];
		d->work[0] = (struct nsys_work){ts, end};
	}
	if (d->until < end)
		d->until = end;
}

/* Add what of [from, to), which is in the span, lies in each chunk. */
static void
sum_chunks(int64_t from, int64_t to, int64_t chunk, idle_wide *used)
{
	while (from < to) {
		int64_t n = from / chunk, rest = chunk - from % chunk;

		rest = rest < to - from ? rest : to - from;
		used[n] += rest;
		from += rest;
	}
}

static void
sum_all(const struct nsys_rule *r, const struct nsys_device *d, int64_t chunk,
    idle_wide *used)
{
	int64_t first = d->work[0].ts;

	for (size_t i = 0; i < d->count; i++)
		sum_chunks(
		    d->work[i].ts - first, d->work[i].end - first, chunk, used);
	for (size_t i = 0; i < r->overhead_count; i++) {
		const struct nsys_overhead *o = &r->overhead[i];
		int64_t from = o->ts > first ? o->ts : first;
		int64_t to = o->end < d->until ? o->end : d->until;

		if (o->pid == d->pid)
			sum_chunks(from - first, to - first, chunk, used);
	}
}

/* used of a time, in tenths of a percent, rounded */
static int64_t
tenths(idle_wide used, int64_t of)
{
	return (int64_t)((used * 2000 + of) / ((idle_wide)of * 2));
}

static void
add_chunks(struct nsys_rule *r, const struct nsys_device *d)
{
	int64_t first = d->work[0].ts, span = time_between(first, d->until);
	int64_t count = r->args.chunks;
	int64_t chunk = span / count + (span % count > 0), from = 0, at = 0;
	idle_wide *used, sum = 0;

	if (span == 0)
		return;
	used = mem_alloc(sizeof(*used) * (size_t)(count + 1));
	sum_all(r, d, chunk, used);
	for (int64_t i = 0; at < span; i++) {
		int64_t end = chunk < span - at ? at + chunk : span;
		bool low =
		    used[i] * 100 < (idle_wide)(end - at) * r->args.threshold;

		if (!low && from < at)
			add_time(r, d, first + from, first + at,
			    tenths(sum, at - from));
		at = end;
		sum += used[i];
		if (!low) {
			from = at;
			sum = 0;
		}
	}
	if (from < at)
		add_time(
		    r, d, first + from, first + at, tenths(sum, at - from));
	free(used);
}

static void
use_section_end(struct nsys_rule *r)
{
	for (size_t i = 0; i < r->devices.count; i++)
		add_chunks(r, &r->devices.all[i]);
	forget_devices(r);
}

/* ---- rows ---- */

static int
longest_first(const void *pa, const void *pb)
{
	const struct nsys_time *a = pa, *b = pb;

	if (a->dur != b->dur)
		return a->dur > b->dur ? -1 : 1;
	return (a->ts > b->ts) - (a->ts < b->ts);
}

static int
least_used_first(const void *pa, const void *pb)
{
	const struct nsys_time *a = pa, *b = pb;

	if (a->used != b->used)
		return a->used < b->used ? -1 : 1;
	if (a->dur != b->dur)
		return a->dur < b->dur ? -1 : 1;
	return (a->ts > b->ts) - (a->ts < b->ts);
}

static void
time_row(struct table *t, bool use, size_t i, const struct nsys_time *row)
{
	col_int(t, "Row#", UNIT_NONE, (int64_t)i + 1);
	if (use)
		col_ratio(t, "In-Use", UNIT_PERCENT, row->used, 10, 1);
	col_int(t, "Duration", UNIT_TIME, row->dur);
	col_int(t, "Start", UNIT_TIME, row->ts);
	col_id(t, "PID", row->pid);
	col_id(t, "Device ID", row->device);
	col_id(t, "Context ID", row->context);
}

static void
write_times(struct nsys_rule *r, struct table *t, bool use,
    int (*order)(const void *, const void *))
{
	col_heading(t, time_row, use, 0, &(struct nsys_time){0});
	if (r->time_count > 0)
		qsort(r->times, r->time_count, sizeof(*r->times), order);
	for (size_t i = 0; i < r->time_count; i++) {
		if (r->args.rows >= 0 && i == (size_t)r->args.rows)
			break;
		time_row(t, use, i, &r->times[i]);
	}
}

static void
write_gaps(const struct nsys_rules *all, struct nsys_rule *r, struct table *t)
{
	(void)all;
	write_times(r, t, false, longest_first);
}

static void
write_use(const struct nsys_rules *all, struct nsys_rule *r, struct table *t)
{
	(void)all;
	write_times(r, t, true, least_used_first);
}

#define OPERATIONS \
	((uint64_t)1 << KIND_kernel | (uint64_t)1 << KIND_memcpy | \
	    (uint64_t)1 << KIND_memset | (uint64_t)1 << KIND_overhead)

const struct nsys_rule_kind nsys_idle_gaps = {
    .name = "gpu_gaps",
    .args = " rows gap ",
    .events = OPERATIONS,
    .event = gap_event,
    .section_end = forget_devices,
    .write = write_gaps,
};

const struct nsys_rule_kind nsys_idle_util = {
    .name = "gpu_time_util",
    .args = " rows chunks threshold ",
    .events = OPERATIONS,
    .event = use_event,
    .section_end = use_section_end,
    .write = write_use,
};
