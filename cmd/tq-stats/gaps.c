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
 * HTA calls sync and host the host wait, and next the kernel wait, for which it
 * allows 30 ns; devices need 1 to 5 us.  With "busy", and with "before" and
 * "after" all work, they add up to the time that the section covers.
 */

#include <stdlib.h>

#include "tq/mem.h"

#include "cuda.h"
#include "groups.h"

/* gaps that are kept; ns */
enum { LONGEST = 100, SHORT_GAP = 10000 };

enum cause {
	BEFORE,
	BUSY,
	HOST,
	SYNC,
	LAUNCH,
	NEXT,
	COPY,
	KERNEL,
	QUEUE,
	UNKNOWN,
	AFTER,
	CAUSES
};

static const char *const causes[CAUSES][2] = {
    {"before",  "nothing was launched yet"                       },
    {"busy",    "an operation ran"			       },
    {"host",    "the next operation was not launched yet"        },
    {"sync",    "so, for the host was waiting for the device"    },
    {"launch",  "the next operation was being launched"          },
    {"next",    "from one operation to the next, less than 10 us"},
    {"copy",    "the next waited while another stream copied"    },
    {"kernel",  "the next waited while another stream computed"  },
    {"queue",   "the next waited for something else"             },
    {"unknown", "the launch of the next is not in the stream"    },
    {"after",   "nothing came any more"                          },
};

struct lane {
	int64_t pid, device, context, stream;
	int64_t first, from, until; /* it works from from to until */
	int64_t copies, kernels;    /* where the last of them ends */
	int64_t wall;
	struct dist time[CAUSES];
};

/* a call that waits for a device */
struct wait {
	int64_t pid, tid, ts, end;
};

struct gap {
	size_t lane;
	int64_t start, dur, late; /* late: a0 - g0; NO_ID: not known */
	enum cause cause;
	struct text names; /* of the operation and its call, as parts */
};

struct gaps {
	bool sums, by_stream;
	struct map devices, contexts; /* steps to a lane */
	struct map map;               /* of the section: number + 1 */
	struct lane *lanes;
	size_t count, cap, first; /* first: of the section at hand */
	struct wait *waits;
	size_t wait_count, wait_cap;
	struct gap *longest; /* longest first */
	size_t gap_count;
	bool any;
	int64_t from, to; /* what the section covers */
	struct text scratch;
};

/* from one to the other, as far as it fits */
static int64_t
between(int64_t from, int64_t to)
{
	int64_t dur;

	if (__builtin_sub_overflow(to, from, &dur))
		return to > from ? INT64_MAX : 0;
	return dur > 0 ? dur : 0;
}

/* a number of (a, b), from 1 */
static uint64_t
step(struct map *m, uint64_t a, uint64_t b)
{
	uint64_t *slot = map_get(m, a, b);

	if (*slot == 0)
		*slot = m->count;
	return *slot;
}

/* the lane of an operation that starts at ts */
static struct lane *
lane_of(struct gaps *s, const struct event *ev, int64_t ts)
{
	struct lane l = {event_int(ev, KEY_pid, NO_ID),
	    event_int(ev, KEY_device, 0), NO_ID, NO_ID, ts, ts, ts, INT64_MIN,
	    INT64_MIN, 0, {{0}}};
	uint64_t n = step(&s->devices, (uint64_t)l.pid, (uint64_t)l.device);
	uint64_t *slot;

	if (s->by_stream) {
		l.context = event_int(ev, KEY_context, NO_ID);
		l.stream = event_int(ev, KEY_stream, NO_ID);
		n = step(&s->contexts, n, (uint64_t)l.context);
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
add_time(struct gaps *s, struct lane *l, enum cause cause, int64_t dur)
{
	if (s->sums && (dur > 0 || cause == BUSY))
		dist_add(&l->time[cause], dur);
}

/* ---- calls that wait ---- */

static bool
waits_for_device(struct span name)
{
	static const char *const words[] = {"Synchronize", "cudaMemcpy",
	    "cuMemcpy", "hipMemcpy", "hsa_signal_wait"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (memmem(name.p, name.len, words[i], strlen(words[i])))
			return memmem(name.p, name.len, "Async", 5) == NULL;
	return false;
}

/*
 * A gap that is still to end begins at the until of a lane as it is, or after
 * now: a call that had ended before now is of use for the former only.
 */
static bool
is_of_use(const struct gaps *s, const struct wait *w, int64_t now)
{
	if (w->end >= now)
		return true;
	for (size_t i = s->first; i < s->count; i++) {
		const struct lane *l = &s->lanes[i];

		if (l->pid == w->pid && w->ts <= l->until && l->until <= w->end)
			return true;
	}
	return false;
}

static void
see_call(struct gaps *s, const struct event *ev, int64_t ts, int64_t end)
{
	s->scratch.len = 0;
	if (!event_has(ev, KEY_name) ||
	    !waits_for_device(event_str(ev, KEY_name, &s->scratch)))
		return;
	if (s->wait_count == s->wait_cap) {
		size_t kept = 0;

		for (size_t i = 0; i < s->wait_count; i++)
			if (is_of_use(s, &s->waits[i], ts))
				s->waits[kept++] = s->waits[i];
		s->wait_count = kept;
		if (kept * 2 >= s->wait_cap) {
			s->wait_cap = s->wait_cap * 2 + 64;
			s->waits = mem_resize(
			    s->waits, s->wait_cap, sizeof(*s->waits));
		}
	}
	s->waits[s->wait_count++] = (struct wait){event_int(ev, KEY_pid, NO_ID),
	    event_int(ev, KEY_tid, NO_ID), ts, end};
}

static bool
was_waiting(const struct gaps *s, const struct event *ev, int64_t at)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t tid = event_int(ev, KEY_tid, NO_ID);

	for (size_t i = 0; i < s->wait_count; i++)
		if (s->waits[i].tid == tid && s->waits[i].pid == pid &&
		    s->waits[i].ts <= at && at <= s->waits[i].end)
			return true;
	return false;
}

/* ---- gaps ---- */

/* for an operation that was in its queue: what other streams did */
static enum cause
others(const struct gaps *s, const struct lane *l, int64_t g0)
{
	enum cause cause = QUEUE;

	for (size_t i = s->first; i < s->count && s->by_stream; i++) {
		const struct lane *o = &s->lanes[i];

		if (o == l || o->pid != l->pid || o->device != l->device)
			continue;
		if (o->copies > g0)
			return COPY;
		if (o->kernels > g0)
			cause = KERNEL;
	}
	return cause;
}

static enum cause
cause_of(const struct gaps *s, const struct lane *l, const struct event *ev,
    int64_t dur)
{
	int64_t g0 = l->until, a0 = event_int(ev, KEY_api_ts, 0);

	if (!event_has(ev, KEY_api_ts))
		return UNKNOWN;
	if (a0 > g0)
		return was_waiting(s, ev, g0) ? SYNC : HOST;
	if (end_of(a0, event_int(ev, KEY_api_dur, 0)) > g0)
		return LAUNCH;
	return dur < SHORT_GAP ? NEXT : others(s, l, g0);
}

/* keep it if it is one of the longest; of equal ones the first */
static void
keep(struct gaps *s, const struct lane *l, const struct event *ev,
    enum cause cause, int64_t dur)
{
	struct text *t = &s->scratch;
	struct gap g = {
	    (size_t)(l - s->lanes), l->until, dur, NO_ID, cause, {0}};
	size_t at = s->gap_count;

	if (at == LONGEST && s->longest[at - 1].dur >= dur)
		return;
	if (event_has(ev, KEY_api_ts)) {
		g.late = between(l->until, event_int(ev, KEY_api_ts, 0));
		g.late = g.late < dur ? g.late : dur;
	}
	t->len = 0;
	groups_part(&g.names, ev->kind == KIND_kernel
				  ? event_str(ev, KEY_name, t)
				  : cuda_operation_name(ev, t));
	t->len = 0;
	groups_part(&g.names, event_str(ev, KEY_api_name, t));
	for (; at > 0 && s->longest[at - 1].dur < dur; at--)
		s->longest[at] = s->longest[at - 1];
	s->longest[at] = g;
	if (++s->gap_count > LONGEST)
		text_free(&s->longest[--s->gap_count].names);
}

static void
see_operation(struct gaps *s, const struct event *ev, int64_t ts, int64_t end)
{
	bool copies = ev->kind == KIND_memcpy || ev->kind == KIND_memset;
	struct lane *l = lane_of(s, ev, ts);
	int64_t *last = copies ? &l->copies : &l->kernels;

	if (ts > l->until) {
		int64_t dur = between(l->until, ts);
		enum cause cause = cause_of(s, l, ev, dur);

		if (!s->sums)
			keep(s, l, ev, cause, dur);
		add_time(s, l, BUSY, between(l->from, l->until));
		add_time(s, l, cause, dur);
		l->from = ts;
	}
	if (l->until < end)
		l->until = end;
	if (*last < end)
		*last = end;
}

static void
event(struct report *r, const struct event *ev)
{
	struct gaps *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = end_of_event(ev, ts);
	int64_t known = end == INT64_MAX ? ts : end;

	if (!event_has(ev, KEY_ts))
		return;
	if (!s->any || s->from > ts)
		s->from = ts;
	if (!s->any || s->to < known)
		s->to = known;
	s->any = true;
	if (ev->kind == KIND_api)
		see_call(s, ev, ts, end);
	else if (schema_role(ev->kind) == ROLE_WORK)
		see_operation(s, ev, ts, end);
}

static void
section_end(struct report *r)
{
	struct gaps *s = r->state;

	for (; s->first < s->count; s->first++) {
		struct lane *l = &s->lanes[s->first];

		if (l->until > s->to) /* it never ended */
			l->until = s->to;
		l->wall = between(s->from, s->to);
		add_time(s, l, BEFORE, between(s->from, l->first));
		add_time(s, l, BUSY, between(l->from, l->until));
		add_time(s, l, AFTER, between(l->until, s->to));
	}
	map_clear(&s->map);
	s->wait_count = 0;
	s->any = false;
}

/* ---- tables ---- */

static void
lane_columns(const struct gaps *s, struct table *t)
{
	static const char *const names[4] = {
	    "PID", "Device", "Context", "Stream"};

	for (size_t i = 0; i < (s->by_stream ? 4 : 2); i++)
		table_column(t, names[i], UNIT_NONE);
}

static void
lane_cells(const struct gaps *s, struct table *t, const struct lane *l)
{
	const int64_t ids[4] = {l->pid, l->device, l->context, l->stream};

	for (size_t i = 0; i < (s->by_stream ? 4 : 2); i++)
		table_id(t, ids[i]);
}

static void
gaps_table(struct report *r, struct table *t)
{
	struct gaps *s = r->state;

	table_column(t, "Start", UNIT_TIME);
	table_column(t, "Duration", UNIT_TIME);
	table_column(t, "Until Call", UNIT_TIME);
	lane_columns(s, t);
	table_text_column(t, "Cause");
	table_text_column(t, "Next");
	table_text_column(t, "API Name");
	for (size_t i = 0; i < s->gap_count; i++) {
		const struct gap *g = &s->longest[i];
		const char *next = g->names.p;

		table_int(t, g->start);
		table_int(t, g->dur);
		table_id(t, g->late);
		lane_cells(s, t, &s->lanes[g->lane]);
		table_text(t, span_of(causes[g->cause][0]));
		table_text(t, span_of(next));
		table_text(t, span_of(next + strlen(next) + 1));
	}
}

static void
sum_row(const struct gaps *s, struct table *t, struct lane *l, enum cause c)
{
	struct dist *d = &l->time[c];

	lane_cells(s, t, l);
	table_text(t, span_of(causes[c][0]));
	table_int(t, (int64_t)d->count);
	table_int(t, (int64_t)d->sum);
	table_real(t,
	    l->wall > 0 ? 100 * (long double)d->sum / (long double)l->wall : 0,
	    1);
	groups_cells(t, d);
	table_text(t, span_of(causes[c][1]));
}

static void
sum_table(struct report *r, struct table *t)
{
	static const char *const names[5] = {
	    "Avg", "Med", "Min", "Max", "StdDev"};
	struct gaps *s = r->state;

	lane_columns(s, t);
	table_text_column(t, "Cause");
	table_column(t, "Count", UNIT_NONE);
	table_column(t, "Total", UNIT_TIME);
	table_column(t, "Of Wall", UNIT_PERCENT);
	groups_columns(t, names, UNIT_TIME);
	table_text_column(t, "Meaning");
	for (size_t i = 0; i < s->count; i++)
		for (enum cause c = 0; c < CAUSES; c++)
			if (s->lanes[i].time[c].count > 0)
				sum_row(s, t, &s->lanes[i], c);
}

static void
open_gaps(struct report *r)
{
	struct gaps *s = r->state;

	s->sums = r->kind->table == sum_table;
	s->by_stream = r->arg != NULL && strcmp(r->arg, "stream") == 0;
	s->longest = mem_resize(NULL, LONGEST + 1, sizeof(*s->longest));
}

static void
close_report(struct report *r)
{
	struct gaps *s = r->state;

	for (size_t i = 0; i < s->count; i++)
		for (size_t c = 0; c < CAUSES; c++)
			dist_free(&s->lanes[i].time[c]);
	for (size_t i = 0; i < s->gap_count; i++)
		text_free(&s->longest[i].names);
	free(s->longest);
	free(s->lanes);
	free(s->waits);
	map_free(&s->map);
	map_free(&s->devices);
	map_free(&s->contexts);
	text_free(&s->scratch);
}

static const enum key keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_NONE};
static const enum key work_keys[] = {KEY_device, KEY_context, KEY_stream,
    KEY_copy, KEY_graph, KEY_open, KEY_api_ts, KEY_api_dur, KEY_api_name,
    KEY_NONE};

/* what both have in common */
#define GAPS                                                                 \
	.args = "device|stream", .correlated = true, .kinds = REPORT_EVENTS, \
	.keys = keys, .work_keys = work_keys, .size = sizeof(struct gaps),   \
	.open = open_gaps, .event = event, .section_end = section_end,       \
	.close = close_report

const struct report_kind report_gaps[] = {
    {.name = "gaps",
     .title = "Longest Gaps of the Devices",
     .missing = "no gap between operations in the stream",
     .table = gaps_table,
     GAPS},
    {.name = "gaps_sum",
     .title = "Gaps of the Devices by Cause",
     .missing = "no operation of a device in the stream",
     .table = sum_table,
     GAPS},
    {0						},
};
