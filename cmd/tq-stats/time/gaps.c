/*
 * gaps.c - when devices, or their streams, had nothing to do, and why
 *
 * A gap [g0, g1] is between the end of all work of a device or stream, a lane,
 * and its next operation, whose call [a0, a1] tells the cause, the first of:
 *
 *	unknown  the call is not in the stream
 *	sync     a0 > g0, and at g0 the thread that launched was in a call
 *	         that waits for the device: *Synchronize, or *Memcpy* without
 *	         Async; the device ran dry because it was waited for
 *	host     a0 > g0: the host came too late for another reason
 *	launch   a1 > g0: the call was under way when the device ran dry
 *	next     the operation was in its queue, and the gap is shorter than
 *	         10 us: what it takes from one operation to the next
 *	copy     of a stream: another one of the device copied in the gap
 *	kernel   of a stream: another one ran a kernel or a graph
 *	queue    it was in its queue and waited for something else
 *
 * With "busy", and with "before" and "after" all work, they add up to the time
 * that the section covers.  HTA has three categories for the gaps of a stream:
 *
 *	host_wait    a0 > g0: what is sync or host here
 *	kernel_wait  not so, and the gap is shorter than 30 ns
 *	other        all else; it does not tell whether the call is known
 */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"

#include "sums/cuda.h"
#include "gaps.h"

/* gaps that are kept; ns */
enum { LONGEST = 100, SHORT_GAP = 10000, SHORT_HTA = 30 };

/* the lane of an operation that starts at ts */
static struct lane *
lane_of(struct gaps *s, const struct event *ev, int64_t ts)
{
	struct lane l = {.pid = event_int(ev, KEY_pid, NO_ID),
	    .device = event_int(ev, KEY_device, 0),
	    .context = NO_ID,
	    .stream = NO_ID,
	    .first = ts,
	    .from = ts,
	    .until = ts,
	    .copies = INT64_MIN,
	    .kernels = INT64_MIN};
	uint64_t n =
	    map_number(&s->devices, (uint64_t)l.pid, (uint64_t)l.device);
	uint64_t *slot;

	if (s->by_stream) {
		l.context = event_int(ev, KEY_context, NO_ID);
		l.stream = event_int(ev, KEY_stream, NO_ID);
		n = map_number(&s->contexts, n, (uint64_t)l.context);
	}
	slot = map_get(&s->map, n, (uint64_t)l.stream);
	if (*slot == 0) {
		if (s->count == s->cap) {
			s->cap = s->cap * 2 + 8;
			s->lanes =
			    mem_resize(s->lanes, s->cap, sizeof(*s->lanes));
		}
		s->lanes[s->count++] = l;
		*slot = s->count;
	}
	return &s->lanes[*slot - 1];
}

static void
add_time(struct gaps *s, struct lane *l, enum gap_cause cause, int64_t dur)
{
	if (s->sums && (dur > 0 || cause == GAP_BUSY))
		dist_add(&l->time[cause], dur);
}

/*
 * A gap that is still to end begins at the until of a lane as it is, or after
 * now, which is for the caller to look at.
 */
static bool
begins(const void *lanes, int64_t pid, int64_t from, int64_t to)
{
	const struct gaps *s = lanes;

	for (size_t i = s->first; i < s->count; i++) {
		const struct lane *l = &s->lanes[i];

		if (l->pid == pid && from <= l->until && l->until <= to)
			return true;
	}
	return false;
}

/* ---- gaps ---- */

/* for an operation that was in its queue: what other streams did */
static enum gap_cause
others(const struct gaps *s, const struct lane *l, int64_t g0)
{
	enum gap_cause cause = GAP_QUEUE;

	for (size_t i = s->first; i < s->count && s->by_stream; i++) {
		const struct lane *o = &s->lanes[i];

		if (o == l || o->pid != l->pid || o->device != l->device)
			continue;
		if (o->copies > g0)
			return GAP_COPY;
		if (o->kernels > g0)
			cause = GAP_KERNEL;
	}
	return cause;
}

static enum gap_cause
cause_of(const struct gaps *s, const struct lane *l, const struct event *ev,
    int64_t dur)
{
	int64_t g0 = l->until, a0 = event_int(ev, KEY_api_ts, 0);

	if (!event_has(ev, KEY_api_ts))
		return GAP_UNKNOWN;
	if (a0 > g0)
		return host_waited(
			   &s->host, l->pid, event_int(ev, KEY_tid, NO_ID), g0)
			   ? GAP_SYNC
			   : GAP_HOST;
	if (time_end(a0, event_int(ev, KEY_api_dur, 0)) > g0)
		return GAP_LAUNCH;
	return dur < SHORT_GAP ? GAP_NEXT : others(s, l, g0);
}

static enum gap_hta
hta_of(enum gap_cause cause, int64_t dur)
{
	if (cause == GAP_HOST || cause == GAP_SYNC)
		return HTA_HOST_WAIT;
	return dur < SHORT_HTA ? HTA_KERNEL_WAIT : HTA_OTHER;
}

/* ---- the longest ---- */

/* the last name of the path of an operation */
static struct span
path_range(struct gaps *s, const struct event *ev)
{
	struct json j;
	struct span element, last = {NULL, 0};

	json_open_array(&j, ev->value[KEY_path]);
	while (json_next_element(&j, &element))
		last = element;
	s->scratch.len = 0;
	if (last.p != NULL)
		json_decode(&s->scratch, last);
	return text_span(&s->scratch);
}

/* what the thread that launched did, and in which range */
static void
look_at_host(struct gaps *s, struct gap *g, const struct event *ev)
{
	if (event_has(ev, KEY_tid)) {
		g->tid = event_int(ev, KEY_tid, NO_ID);
		g->most = host_most(&s->host, s->lanes[g->lane].pid, g->tid,
		    g->start, event_int(ev, KEY_ts, 0));
	}
	g->range = event_int(ev, KEY_range, NO_ID);
	if (event_has(ev, KEY_path)) {
		groups_part(&g->names, path_range(s, ev));
		g->range = NO_ID;
	} else if (g->range == NO_ID)
		groups_part(&g->names, SPAN(""));
}

/* the names of ranges that are not there yet, while the ranges are */
static void
name_ranges(struct gaps *s)
{
	for (size_t i = 0; i < s->gap_count; i++) {
		struct gap *g = &s->longest[i];

		if (g->range == NO_ID)
			continue;
		groups_part(&g->names, host_range_name(&s->host, g->range));
		g->range = NO_ID;
	}
}

/* keep it if it is one of the longest; of equal ones the first */
static void
keep(struct gaps *s, const struct lane *l, const struct event *ev,
    enum gap_cause cause, int64_t dur)
{
	struct text *t = &s->scratch;
	struct gap g = {.lane = (size_t)(l - s->lanes),
	    .start = l->until,
	    .dur = dur,
	    .late = NO_ID,
	    .cause = cause,
	    .hta = hta_of(cause, dur),
	    .tid = NO_ID,
	    .range = NO_ID};
	size_t at = s->gap_count;

	if (at == LONGEST && s->longest[at - 1].dur >= dur)
		return;
	if (event_has(ev, KEY_api_ts)) {
		g.late = nvtx_duration(l->until, event_int(ev, KEY_api_ts, 0));
		g.late = g.late < dur ? g.late : dur;
	}
	t->len = 0;
	groups_part(&g.names, ev->kind == KIND_kernel
				  ? event_str(ev, KEY_name, t)
				  : cuda_operation_name(ev, t));
	t->len = 0;
	groups_part(&g.names, event_str(ev, KEY_api_name, t));
	look_at_host(s, &g, ev);
	for (; at > 0 && s->longest[at - 1].dur < dur; at--)
		s->longest[at] = s->longest[at - 1];
	s->longest[at] = g;
	if (++s->gap_count > LONGEST)
		text_free(&s->longest[--s->gap_count].names);
}

/* ---- records ---- */

static void
see_operation(struct gaps *s, const struct event *ev, int64_t ts, int64_t end)
{
	bool copies = ev->kind == KIND_memcpy || ev->kind == KIND_memset;
	struct lane *l = lane_of(s, ev, ts);
	int64_t *last = copies ? &l->copies : &l->kernels;

	if (ts > l->until) {
		int64_t dur = nvtx_duration(l->until, ts);
		enum gap_cause cause = cause_of(s, l, ev, dur);

		if (!s->sums)
			keep(s, l, ev, cause, dur);
		add_time(s, l, GAP_BUSY, nvtx_duration(l->from, l->until));
		add_time(s, l, cause, dur);
		l->hta[cause][hta_of(cause, dur)] += dur;
		l->from = ts;
	}
	if (l->until < end)
		l->until = end;
	if (*last < end)
		*last = end;
}

static void
see_range(struct gaps *s, const struct event *ev, int64_t ts, int64_t end)
{
	if (s->sums)
		return;
	if (host_ranges_full(&s->host))
		name_ranges(s);
	host_add_range(&s->host, ev, ts, end);
}

static void
event(struct report *r, const struct event *ev)
{
	struct gaps *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	int64_t known = end == INT64_MAX ? ts : end;

	if (!event_has(ev, KEY_ts))
		return;
	if (!s->any || s->from > ts)
		s->from = ts;
	if (!s->any || s->to < known)
		s->to = known;
	s->any = true;
	switch (ev->kind) {
	case KIND_api:
	case KIND_osrt:
	case KIND_overhead:
		host_add_call(&s->host, ev, ts, end);
		break;
	case KIND_range:
		see_range(s, ev, ts, end);
		break;
	default:
		if (schema_role(ev->kind) == ROLE_WORK)
			see_operation(s, ev, ts, end);
	}
}

static void
section_end(struct report *r)
{
	struct gaps *s = r->state;

	for (; s->first < s->count; s->first++) {
		struct lane *l = &s->lanes[s->first];

		if (l->until > s->to) /* it never ended */
			l->until = s->to;
		l->wall = nvtx_duration(s->from, s->to);
		add_time(s, l, GAP_BEFORE, nvtx_duration(s->from, l->first));
		add_time(s, l, GAP_BUSY, nvtx_duration(l->from, l->until));
		add_time(s, l, GAP_AFTER, nvtx_duration(l->until, s->to));
	}
	map_clear(&s->map);
	name_ranges(s);
	host_reset(&s->host);
	s->any = false;
}

/* ---- reports ---- */

static void
open_gaps(struct report *r)
{
	struct gaps *s = r->state;

	s->sums = r->kind->table == gaps_sum_table;
	s->by_stream = r->arg != NULL && strcmp(r->arg, "stream") == 0;
	s->longest = mem_resize(NULL, LONGEST + 1, sizeof(*s->longest));
	s->host.begins = begins;
	s->host.lanes = s;
	s->host.all = !s->sums;
	host_open(&s->host);
}

static void
close_report(struct report *r)
{
	struct gaps *s = r->state;

	for (size_t i = 0; i < s->count; i++)
		for (size_t c = 0; c < GAP_CAUSES; c++)
			dist_free(&s->lanes[i].time[c]);
	for (size_t i = 0; i < s->gap_count; i++)
		text_free(&s->longest[i].names);
	free(s->longest);
	free(s->lanes);
	host_free(&s->host);
	map_free(&s->map);
	map_free(&s->devices);
	map_free(&s->contexts);
	text_free(&s->scratch);
}

static const enum key gap_keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open, KEY_id, KEY_NONE};
static const enum key gap_work_keys[] = {KEY_device, KEY_context, KEY_stream,
    KEY_copy, KEY_graph, KEY_api_ts, KEY_api_dur, KEY_api_name, KEY_range,
    KEY_path, KEY_NONE};
static const enum key sum_keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open, KEY_NONE};
static const enum key sum_work_keys[] = {
    KEY_device, KEY_context, KEY_stream, KEY_api_ts, KEY_api_dur, KEY_NONE};

/* what both have in common */
#define GAPS \
	.args = "device|stream", .correlated = true, .kinds = REPORT_EVENTS, \
	.size = sizeof(struct gaps), .open = open_gaps, .event = event, \
	.section_end = section_end, .close = close_report

const struct report_kind report_gaps[] = {
    {.name = "gaps",
	.title = "Longest Gaps of the Devices",
	.missing = "no gap between operations in the stream",
	.keys = gap_keys,
	.work_keys = gap_work_keys,
	.table = gaps_table,
	GAPS},
    {.name = "gaps_sum",
	.title = "Gaps of the Devices by Cause",
	.missing = "no operation of a device in the stream",
	.keys = sum_keys,
	.work_keys = sum_work_keys,
	.table = gaps_sum_table,
	GAPS},
    {0},
};
