/*
 * gaps.c - when devices, or their streams, had nothing to do, and why
 *
 * What a gap goes into is in tq/account/gap.h; here it is between the end of
 *all work of a device or stream, a lane, and its next operation.
 *
 * With "busy", and with "before" and "after" all work, they add up to the wall
 * of the section.  HTA has three categories for the whole gaps of a stream:
 *
 *	host_wait    a0 > g0
 *	kernel_wait  not so, and the gap is shorter than a delay, 30 us
 *	other        all else, whether the call is known or not
 */

#include <stdlib.h>

#include "tq/account/gaps_host.h"
#include "tq/base/keyed.h"
#include "tq/line/json.h"

#include "sums/cuda.h"
#include "tq/show/col.h"
#include "gaps.h"
#include "gpus.h"

enum { SHARED_LANE = INT32_MIN }; /* instead of the device, of a GPU */

/* LONGEST: gaps that the report lists; ns */
enum { LONGEST = 100 };

#define HTA_DELAY "delay=30us" /* an argument, and its default */

enum gap_hta { HTA_HOST_WAIT, HTA_KERNEL_WAIT, HTA_OTHER, HTA_CATEGORIES };

/* a device, one of its streams, or a GPU that processes share */
struct gaps_lane {
	int64_t pid, device, context, stream; /* of a GPU NO_ID */
	int64_t gpu;   /* its number, if it is shared; else NO_ID */
	size_t shared; /* index + 1 of that GPU, or 0 */
	int64_t first, from, until; /* it works from from to until */
	int64_t copies, kernels;    /* the end of the last one */
	int64_t wall;
	struct dist time[GAP_CAUSES];
	dist_wide hta[GAP_CAUSES][HTA_CATEGORIES];
	int64_t hta_gaps[HTA_CATEGORIES];
};

struct gap {
	size_t lane;
	int64_t start, dur, late; /* late: a0 - g0; NO_ID: not known */
	int64_t sync;             /* of it */
	enum gap_cause cause;
	enum gap_hta hta;
	struct span op, call;   /* names of the operation and its call */
	int64_t tid;            /* of the thread that launched, or NO_ID */
	struct host_share most; /* of that thread */
	struct span range;      /* the name of the range of the call */
	int64_t range_id;       /* while the name is not looked up; or NO_ID */
};

struct gaps {
	bool sums; /* gaps_sum */
	bool list; /* gaps */
	bool by_stream;
	int64_t delay;                 /* of HTA */
	struct map devices, contexts;  /* words of the key of a lane */
	KEYED(struct gaps_lane) lanes; /* found in their section */
	size_t first;                  /* of the section */
	struct gpus gpus;
	struct gaps_host host;
	struct gap *longest; /* longest first */
	size_t gap_count;
	struct intern names;
	gaps_watch *watch; /* or NULL */
	void *watcher;
};

/* The gaps of a lane, which are in order, are also gaps of its copy. */
static void
copy_gaps(struct gaps *s, size_t lane, size_t copy)
{
	struct gap *all = mem_resize(NULL, 2 * LONGEST, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < s->gap_count; i++) {
		all[n++] = s->longest[i];
		if (s->longest[i].lane != lane)
			continue;
		all[n] = s->longest[i];
		all[n++].lane = copy;
	}
	s->gap_count = n < LONGEST ? n : LONGEST;
	memcpy(s->longest, all, s->gap_count * sizeof(*all));
	free(all);
}

/* The lane of a GPU becomes a copy of the first lane on it. */
static void
make_shared(struct gaps *s, struct shared_gpu *g)
{
	bool fresh;
	struct gaps_lane *l = keyed_get(&s->lanes, (uint64_t)SHARED_LANE,
	    (uint64_t)(g - s->gpus.all), &fresh);
	struct gaps_lane *first = &s->lanes.all[g->first];

	*l = *first;
	l->pid = l->device = NO_ID;
	l->gpu = first->gpu = g->number;
	for (size_t i = 0; i < GAP_CAUSES; i++) {
		l->time[i] = (struct dist){0};
		dist_merge(&l->time[i], &first->time[i]);
	}
	g->shared = first->shared = (size_t)(l - s->lanes.all) + 1;
	copy_gaps(s, g->first, g->shared - 1);
}

/* The device of that lane is of a GPU that other processes may use, too. */
static void
find_gpu(struct report *r, size_t lane)
{
	struct gaps *s = r->state;
	struct gaps_lane *l = &s->lanes.all[lane];
	int64_t pid = l->pid;
	struct shared_gpu *g =
	    gpus_find(&s->gpus, r->names, pid, l->device, lane);

	if (g == NULL || (g->shared == 0 && g->pid == pid))
		return;
	if (g->shared == 0)
		make_shared(s, g);
	l = &s->lanes.all[lane];
	l->gpu = g->number;
	l->shared = g->shared;
}

/* The index of the lane of an operation that starts at ts. */
static size_t
find_lane(struct report *r, const struct event *ev, int64_t ts)
{
	struct gaps *s = r->state;
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t device = event_int(ev, KEY_device, 0);
	int64_t context = NO_ID, stream = NO_ID;
	uint64_t n = map_number(&s->devices, (uint64_t)pid, (uint64_t)device);
	struct gaps_lane *l;
	size_t i;
	bool fresh;

	if (s->by_stream) {
		context = event_int(ev, KEY_context, NO_ID);
		stream = event_int(ev, KEY_stream, NO_ID);
		n = map_number(&s->contexts, n, (uint64_t)context);
	}
	l = keyed_get(&s->lanes, n, (uint64_t)stream, &fresh);
	i = (size_t)(l - s->lanes.all);
	if (!fresh)
		return i;
	*l = (struct gaps_lane){.pid = pid,
	    .device = device,
	    .context = context,
	    .stream = stream,
	    .gpu = NO_ID,
	    .first = ts,
	    .from = ts,
	    .until = ts,
	    .copies = INT64_MIN,
	    .kernels = INT64_MIN};
	if (!s->by_stream)
		find_gpu(r, i);
	return i;
}

static void
add_time(struct gaps *s, struct gaps_lane *l, enum gap_cause cause, int64_t dur)
{
	if (s->sums && (dur > 0 || cause == GAP_BUSY))
		dist_add(&l->time[cause], dur);
}

/*
 * Can a gap that is still open begin in [from, to]?  It begins where a lane is
 * busy to; later gaps begin after now.
 */
static bool
can_begin(const void *lanes, int64_t pid, int64_t from, int64_t to)
{
	const struct gaps *s = lanes;

	for (size_t i = s->first; i < s->lanes.count; i++) {
		const struct gaps_lane *l = &s->lanes.all[i];

		if ((l->pid == pid || l->pid == NO_ID) && from <= l->until &&
		    l->until <= to)
			return true;
	}
	return false;
}

static int64_t
open_since(const void *lanes, int64_t pid)
{
	const struct gaps *s = lanes;
	int64_t since = INT64_MAX;

	for (size_t i = s->first; i < s->lanes.count; i++) {
		const struct gaps_lane *l = &s->lanes.all[i];

		if ((l->pid == pid || l->pid == NO_ID) && since > l->until)
			since = l->until;
	}
	return since;
}

/* ---- gaps ---- */

/* The operation was in its queue: what other streams did. */
static enum gap_cause
queue_cause(const struct gaps *s, const struct gaps_lane *l, int64_t g0)
{
	enum gap_cause cause = GAP_QUEUE;

	for (size_t i = s->first; i < s->lanes.count && s->by_stream; i++) {
		const struct gaps_lane *o = &s->lanes.all[i];

		if (o == l || o->pid != l->pid || o->device != l->device)
			continue;
		if (o->copies > g0)
			return GAP_COPY;
		if (o->kernels > g0)
			cause = GAP_KERNEL;
	}
	return cause;
}

/* of the lane, up to the operation at ts */
static struct gap_parts
divide_gap(const struct gaps *s, const struct gaps_lane *l,
    const struct event *ev, int64_t ts)
{
	struct gap_parts p = gap_divide(&s->host, l->until, ev, ts);

	if (p.cause == GAP_QUEUE)
		p.cause = queue_cause(s, l, l->until);
	return p;
}

static enum gap_hta
hta_category(const struct gaps *s, const struct gap_parts *p, int64_t dur)
{
	if (p->late)
		return HTA_HOST_WAIT;
	return dur < s->delay ? HTA_KERNEL_WAIT : HTA_OTHER;
}

/* ---- the longest ---- */

/* In names of a table a NUL is a blank, see groups_part. */
static struct span
save_name(struct gaps *s, struct span name)
{
	struct text t = {0};
	uint32_t n;

	groups_part(&t, name);
	n = intern_get(&s->names, (struct span){t.p, t.len - 1});
	text_free(&t);
	return intern_text(&s->names, n);
}

/* the last range of the path of an operation */
static struct span
path_range(const struct event *ev, struct text *t)
{
	struct json j;
	struct span element, last = {NULL, 0};

	json_open_array(&j, ev->value[KEY_path]);
	while (json_next_element(&j, &element))
		last = element;
	t->len = 0;
	if (last.p != NULL)
		json_decode(t, last);
	return text_span(t);
}

/* What the thread that launched did, and in which range. */
static void
describe_host(
    struct gaps *s, struct gap *g, const struct event *ev, struct text *t)
{
	if (event_has(ev, KEY_tid)) {
		g->tid = event_int(ev, KEY_tid, NO_ID);
		g->most =
		    gaps_host_most(&s->host, event_int(ev, KEY_pid, NO_ID),
			g->tid, g->start, time_end(g->start, g->dur));
	}
	if (event_has(ev, KEY_path))
		g->range = save_name(s, path_range(ev, t));
	else
		g->range_id = event_int(ev, KEY_range, NO_ID);
}

/* Look up the names of ranges, while the ranges are held. */
static void
name_ranges(struct gaps *s)
{
	for (size_t i = 0; i < s->gap_count; i++) {
		struct gap *g = &s->longest[i];

		if (g->range_id == NO_ID)
			continue;
		g->range =
		    save_name(s, gaps_host_range_name(&s->host, g->range_id));
		g->range_id = NO_ID;
	}
}

/* Save the gap if it is one of the longest; of equal ones the first. */
static void
save_gap(struct report *r, const struct gaps_lane *l, const struct event *ev,
    const struct gap_parts *parts, int64_t dur)
{
	struct gaps *s = r->state;
	struct text *t = &r->scratch;
	struct gap g = {.lane = (size_t)(l - s->lanes.all),
	    .start = l->until,
	    .dur = dur,
	    .late = NO_ID,
	    .sync = parts->sync,
	    .cause = gap_main_cause(parts),
	    .hta = hta_category(s, parts, dur),
	    .tid = NO_ID,
	    .range_id = NO_ID};
	size_t at = s->gap_count;

	if (at == LONGEST && s->longest[at - 1].dur >= dur)
		return;
	if (event_has(ev, KEY_api_ts)) {
		g.late = time_between(l->until, event_int(ev, KEY_api_ts, 0));
		g.late = g.late < dur ? g.late : dur;
	}
	t->len = 0;
	g.op =
	    save_name(s, ev->kind == KIND_kernel ? event_str(ev, KEY_name, t)
						 : cuda_operation_name(ev, t));
	t->len = 0;
	g.call = save_name(s, event_str(ev, KEY_api_name, t));
	describe_host(s, &g, ev, t);
	for (; at > 0 && s->longest[at - 1].dur < dur; at--)
		s->longest[at] = s->longest[at - 1];
	s->longest[at] = g;
	if (s->gap_count < LONGEST)
		s->gap_count++;
}

/* ---- records ---- */

/* A gap of the lane ends with the operation at ts. */
static void
end_gap(
    struct report *r, struct gaps_lane *l, const struct event *ev, int64_t ts)
{
	struct gaps *s = r->state;
	int64_t dur = time_between(l->until, ts);
	struct gap_parts p = divide_gap(s, l, ev, ts);
	enum gap_hta hta = hta_category(s, &p, dur);

	if (s->list)
		save_gap(r, l, ev, &p, dur);
	if (s->watch != NULL && l->shared == 0)
		s->watch(s->watcher,
		    &(struct gap_seen){.lane = (size_t)(l - s->lanes.all),
			.from = l->until,
			.to = ts,
			.sync = p.sync,
			.host = p.host,
			.rest = p.rest,
			.cause = p.cause},
		    ev);
	add_time(s, l, GAP_BUSY, time_between(l->from, l->until));
	add_time(s, l, GAP_SYNC, p.sync);
	add_time(s, l, GAP_HOST, p.host);
	add_time(s, l, p.cause, p.rest);
	l->hta[GAP_SYNC][hta] += p.sync;
	l->hta[GAP_HOST][hta] += p.host;
	l->hta[p.cause][hta] += p.rest;
	l->hta_gaps[hta]++;
	l->from = ts;
}

static void
add_to_lane(struct report *r, struct gaps_lane *l, const struct event *ev,
    int64_t ts, int64_t end)
{
	bool copies = ev->kind == KIND_memcpy || ev->kind == KIND_memset;
	int64_t *last = copies ? &l->copies : &l->kernels;

	if (ts > l->until)
		end_gap(r, l, ev, ts);
	if (l->until < end)
		l->until = end;
	if (*last < end)
		*last = end;
}

static void
add_operation(struct report *r, const struct event *ev, int64_t ts, int64_t end)
{
	struct gaps *s = r->state;
	size_t lane = find_lane(r, ev, ts) + 1;

	gaps_host_add_copy(&s->host, ev);
	for (; lane > 0; lane = s->lanes.all[lane - 1].shared)
		add_to_lane(r, &s->lanes.all[lane - 1], ev, ts, end);
}

static void
add_range(struct gaps *s, const struct event *ev, int64_t ts, int64_t end)
{
	if (!s->list)
		return;
	if (gaps_host_ranges_full(&s->host))
		name_ranges(s);
	gaps_host_add_range(&s->host, ev, ts, end);
}

static void
gaps_event(struct report *r, const struct event *ev)
{
	struct gaps *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (!event_has(ev, KEY_ts))
		return;
	switch (ev->kind) {
	case KIND_api:
	case KIND_osrt:
	case KIND_overhead:
		gaps_host_add_call(&s->host, ev, ts, end);
		break;
	case KIND_range:
		add_range(s, ev, ts, end);
		break;
	default:
		wall_cut(r->wall, &ts, &end);
		add_operation(r, ev, ts, end);
	}
}

static void
gaps_section_end(struct report *r)
{
	struct gaps *s = r->state;
	const struct wall *w = r->wall;

	for (; s->first < s->lanes.count; s->first++) {
		struct gaps_lane *l = &s->lanes.all[s->first];

		if (l->until > w->to) /* its last operation never ended */
			l->until = w->to;
		l->wall = time_between(w->from, w->to);
		add_time(s, l, GAP_BEFORE, time_between(w->from, l->first));
		add_time(s, l, GAP_BUSY, time_between(l->from, l->until));
		add_time(s, l, GAP_AFTER, time_between(l->until, w->to));
	}
	map_clear(&s->lanes.map);
	gpus_reset(&s->gpus);
	name_ranges(s);
	gaps_host_reset(&s->host);
}

/* ---- tables ---- */

static const char *const meanings[GAP_CAUSES] = {
    "nothing was launched yet",
    "an operation ran",
    "the next operation was not launched yet",
    "not launched yet: the host waited for a device",
    "the next operation was being launched",
    "from one operation to the next, less than 10 us",
    "the next waited while another stream copied",
    "the next waited while another stream computed",
    "the next waited for something else",
    "the launch of the next is not in the stream",
    "nothing came any more",
};

static const char *const categories[HTA_CATEGORIES] = {
    "host_wait", "kernel_wait", "other"};

static void
col_lane(struct table *t, const struct gaps *s, const struct gaps_lane *l)
{
	col_id(t, "PID", l->pid);
	col_id(t, "Device", l->device);
	if (!s->by_stream)
		return;
	col_id(t, "Context", l->context);
	col_id(t, "Stream", l->stream);
}

static void
gaps_row(struct table *t, const struct gaps *s, const struct gaps_lane *l,
    const struct gap *g)
{
	uint32_t most = g->most.name;

	col_int(t, "Start", UNIT_TIME, g->start);
	col_int(t, "Duration", UNIT_TIME, g->dur);
	col_int_if(t, "Until Call", UNIT_TIME, g->late != NO_ID, g->late);
	col_int_if(t, "Sync", UNIT_TIME, g->late != NO_ID, g->sync);
	col_lane(t, s, l);
	col_text(t, "Cause", span_of(gap_cause_name(g->cause)));
	col_text(t, "HTA", span_of(categories[g->hta]));
	col_text(t, "Next", g->op);
	col_text(t, "API Name", g->call);
	col_id(t, "TID", g->tid);
	col_text(t, "Host Call", gaps_host_call_name(&s->host, most));
	col_int_if(t, "Host Time", UNIT_TIME, most != 0, g->most.time);
	col_text_if(t, "Host Time Is", most != 0,
	    g->most.bound ? SPAN("lower bound") : SPAN("exact"));
	col_text(t, "Range", g->range);
	col_id(t, "Shared GPU", l->gpu);
}

static void
gaps_table(struct report *r, struct table *t)
{
	const struct gaps *s = r->state;

	col_heading(t, gaps_row, s, &(struct gaps_lane){0}, &(struct gap){0});
	for (size_t i = 0; i < s->gap_count; i++)
		gaps_row(
		    t, s, &s->lanes.all[s->longest[i].lane], &s->longest[i]);
}

static bool
is_gap(enum gap_cause c)
{
	return c != GAP_BEFORE && c != GAP_BUSY && c != GAP_AFTER;
}

static void
sum_row(struct table *t, const struct gaps *s, struct gaps_lane *l,
    enum gap_cause c)
{
	struct dist *d = &l->time[c];
	int64_t hta[HTA_CATEGORIES];

	for (size_t i = 0; i < HTA_CATEGORIES; i++)
		hta[i] = (int64_t)l->hta[c][i];
	col_lane(t, s, l);
	col_text(t, "Cause", span_of(gap_cause_name(c)));
	col_int(t, "Count", UNIT_NONE, (int64_t)d->count);
	col_sum(t, "Total", UNIT_TIME, d->sum);
	col_real(t, "Of Wall", UNIT_PERCENT,
	    l->wall > 0 ? 100 * (long double)d->sum / (long double)l->wall : 0,
	    1);
	groups_stats(t, groups_stat_names, UNIT_TIME, d);
	col_int_if(
	    t, "HTA Host Wait", UNIT_TIME, is_gap(c), hta[HTA_HOST_WAIT]);
	col_int_if(
	    t, "HTA Kernel Wait", UNIT_TIME, is_gap(c), hta[HTA_KERNEL_WAIT]);
	col_int_if(t, "HTA Other", UNIT_TIME, is_gap(c), hta[HTA_OTHER]);
	col_id(t, "Shared GPU", l->gpu);
	col_text(t, "Meaning", span_of(meanings[c]));
}

static void
sum_table(struct report *r, struct table *t)
{
	struct gaps *s = r->state;

	col_heading(t, sum_row, s, &(struct gaps_lane){0}, GAP_BEFORE);
	for (size_t i = 0; i < s->lanes.count; i++)
		for (enum gap_cause c = 0; c < GAP_CAUSES; c++)
			if (s->lanes.all[i].time[c].count > 0)
				sum_row(t, s, &s->lanes.all[i], c);
}

/* of all gaps: 0 if there are none */
static dist_wide
hta_time(const struct gaps_lane *l, enum gap_hta hta)
{
	dist_wide time = 0;

	for (size_t c = 0; c < GAP_CAUSES; c++)
		time += l->hta[c][hta];
	return time;
}

static void
hta_row(struct table *t, const struct gaps *s, const struct gaps_lane *l,
    enum gap_hta hta)
{
	dist_wide all = 0;

	for (size_t i = 0; i < HTA_CATEGORIES; i++)
		all += hta_time(l, (enum gap_hta)i);
	col_lane(t, s, l);
	col_text(t, "Category", span_of(categories[hta]));
	col_sum(t, "Idle", UNIT_TIME, hta_time(l, hta));
	col_share(t, "Of Idle", hta_time(l, hta), all);
	col_int(t, "Gaps", UNIT_NONE, l->hta_gaps[hta]);
}

static void
hta_table(struct report *r, struct table *t)
{
	struct gaps *s = r->state;

	col_heading(t, hta_row, s, &(struct gaps_lane){0}, HTA_HOST_WAIT);
	for (size_t i = 0; i < s->lanes.count; i++)
		for (enum gap_hta h = 0; h < HTA_CATEGORIES; h++)
			if (s->lanes.all[i].hta_gaps[h] > 0)
				hta_row(t, s, &s->lanes.all[i], h);
}

/* ---- for the page ---- */

void
gaps_set_watch(struct report *r, gaps_watch *watch, void *watcher)
{
	struct gaps *s = r->state;

	s->watch = watch;
	s->watcher = watcher;
}

bool
gaps_longest(const struct report *r, size_t n, struct gap_listed *listed)
{
	const struct gaps *s = r->state;

	for (size_t i = 0; i < s->gap_count; i++) {
		const struct gap *g = &s->longest[i];

		if (s->lanes.all[g->lane].shared > 0 || n-- > 0)
			continue;
		*listed = (struct gap_listed){.lane = g->lane,
		    .start = g->start,
		    .dur = g->dur,
		    .cause = g->cause,
		    .next = g->op,
		    .range = g->range};
		return true;
	}
	return false;
}

/* ---- reports ---- */

static void
gaps_open(struct report *r)
{
	struct gaps *s = r->state;

	s->sums = r->kind->table == sum_table;
	s->list = r->kind->table == gaps_table;
	s->by_stream = r->kind->table == hta_table ||
		       (r->arg != NULL && strcmp(r->arg, "stream") == 0);
	s->delay = r->number;
	s->longest = region_get(&r->life, (LONGEST + 1) * sizeof(*s->longest));
	s->host.begins = can_begin;
	s->host.since = open_since;
	s->host.lanes = s;
	s->host.all = s->list;
	gaps_host_open(&s->host);
}

static void
gaps_close(struct report *r)
{
	struct gaps *s = r->state;

	for (size_t i = 0; i < s->lanes.count; i++)
		for (size_t c = 0; c < GAP_CAUSES; c++)
			dist_free(&s->lanes.all[i].time[c]);
	keyed_free(&s->lanes);
	gaps_host_free(&s->host);
	gpus_free(&s->gpus);
	map_free(&s->devices);
	map_free(&s->contexts);
	intern_free(&s->names);
}

static const enum key gap_keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open, KEY_id, KEY_NONE};
static const enum key gap_work_keys[] = {KEY_device, KEY_context, KEY_stream,
    KEY_copy, KEY_src, KEY_dst, KEY_graph, KEY_api_ts, KEY_api_dur,
    KEY_api_name, KEY_range, KEY_path, KEY_NONE};
static const enum key sum_keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open, KEY_NONE};
static const enum key sum_work_keys[] = {KEY_device, KEY_context, KEY_stream,
    KEY_src, KEY_dst, KEY_api_ts, KEY_api_dur, KEY_NONE};

#define OPERATIONS \
	(KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph))

static const enum key hta_keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_open, KEY_NONE};
static const enum key hta_work_keys[] = {
    KEY_device, KEY_context, KEY_stream, KEY_api_ts, KEY_NONE};

#define BY_CAUSE .args = "device|stream|" HTA_DELAY, .wall = true

/* all of these reports */
#define GAPS \
	.correlated = true, .size = sizeof(struct gaps), .open = gaps_open, \
	.event = gaps_event, .section_end = gaps_section_end, \
	.close = gaps_close

const struct report_kind gaps_reports[] = {
    {.name = "gaps",
	.title = "Longest Gaps of the Devices",
	.kernels = "Next",
	.missing = "no gap between operations in the stream",
	.kinds = OPERATIONS | KINDS(api) | KINDS(osrt) | KINDS(overhead) |
		 KINDS(range),
	.keys = gap_keys,
	.work_keys = gap_work_keys,
	.table = gaps_table,
	BY_CAUSE,
	GAPS},
    {.name = "gaps_sum",
	.title = "Gaps of the Devices by Cause",
	.missing = "no operation of a device in the stream",
	.kinds = OPERATIONS | KINDS(api),
	.wall_title = true,
	.keys = sum_keys,
	.work_keys = sum_work_keys,
	.table = sum_table,
	BY_CAUSE,
	GAPS},
    {.name = "hta_idle",
	.title = "Idle Time of the Streams as in HTA",
	.args = HTA_DELAY,
	.missing = "no gap between operations in the stream",
	.kinds = OPERATIONS,
	.keys = hta_keys,
	.work_keys = hta_work_keys,
	.table = hta_table,
	GAPS},
    {0},
};
