/*
 * launch.c - what it took to launch, and how much was launched ahead
 *
 * A kernel waits from the end of its call to its start, which counts as 0
 * where it starts before that.  All kernels of a graph have the call that
 * launched it, and each counts its time; they stand in rows of their own.
 *
 * An operation is in the queue of its stream from the start of its call to its
 * end, so what runs counts as well.  The start and the end of each are kept, 16
 * bytes, so that the depth is exact however the calls of threads interleave.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "sums/groups.h"
#include "report.h"

/* ---- launch ---- */

/* key: graph, call, kernel; values: calls; more: the other times */
enum { WAIT, RUN, TIMES };

/* numbers: kernels that are shorter than their call */
enum { BRIEF, NUMBERS };

struct launch_report {
	struct groups groups;
	struct text key, scratch;
};

static void
launch_open(struct report *r)
{
	struct launch_report *s = r->state;

	s->groups.more = TIMES;
	s->groups.numbers = NUMBERS;
}

/* by a graph, or as a node of one */
static bool
of_graph(const struct event *ev)
{
	struct span api = ev->value[KEY_api_name];

	if (event_has(ev, KEY_graph) || event_has(ev, KEY_graph_node))
		return true;
	return event_has(ev, KEY_api_name) &&
	       memmem(api.p, api.len, "GraphLaunch", 11) != NULL;
}

static struct group *
group_of(struct launch_report *s, const struct event *ev)
{
	static const enum key names[] = {KEY_api_name, KEY_name};

	s->key.len = 0;
	groups_part(&s->key, of_graph(ev) ? SPAN("yes") : SPAN("no"));
	for (size_t i = 0; i < 2; i++) {
		s->scratch.len = 0;
		groups_part(&s->key, event_str(ev, names[i], &s->scratch));
	}
	return groups_get(&s->groups, text_span(&s->key));
}

static void
launch_event(struct report *r, const struct event *ev)
{
	struct launch_report *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), dur = event_int(ev, KEY_dur, 0);
	int64_t api_dur = event_int(ev, KEY_api_dur, 0), api_end;
	struct group *g;
	int64_t wait = 0;

	if (!event_has(ev, KEY_ts) || !event_has(ev, KEY_dur) ||
	    !event_has(ev, KEY_api_ts) || !event_has(ev, KEY_api_dur))
		return;
	api_end = time_end(event_int(ev, KEY_api_ts, 0), api_dur);
	if (ts > api_end && __builtin_sub_overflow(ts, api_end, &wait))
		wait = INT64_MAX;
	g = group_of(s, ev);
	dist_add(&g->values, api_dur);
	dist_add(&g->more[WAIT], wait);
	dist_add(&g->more[RUN], dur);
	groups_number(g, BRIEF, dur < api_dur);
}

static void
average(struct table *t, struct dist *d)
{
	if (d->count == 0) {
		table_empty(t);
		table_empty(t);
		return;
	}
	dist_sort(d);
	table_real(t, (long double)d->sum / (long double)d->count, 1);
	table_real(t, (long double)dist_median2(d) / 2, 1);
}

static void
launch_columns(struct table *t)
{
	table_column(t, "Count", UNIT_NONE);
	table_column(t, "API Total", UNIT_TIME);
	table_column(t, "API Avg", UNIT_TIME);
	table_column(t, "API Med", UNIT_TIME);
	table_column(t, "Queue Avg", UNIT_TIME);
	table_column(t, "Queue Med", UNIT_TIME);
	table_column(t, "Queue Max", UNIT_TIME);
	table_column(t, "Kernel Avg", UNIT_TIME);
	table_column(t, "Kernel Med", UNIT_TIME);
	table_column(t, "Short", UNIT_PERCENT);
	table_text_column(t, "Graph");
	table_text_column(t, "API Name");
	table_text_column(t, "Name");
}

static void
launch_table(struct report *r, struct table *t)
{
	struct launch_report *s = r->state;

	groups_sort(&s->groups);
	launch_columns(t);
	for (size_t i = 0; i < s->groups.count; i++) {
		struct group *g = s->groups.all[i];
		struct dist *calls = &g->values;

		table_int(t, (int64_t)calls->count);
		table_int(t, (int64_t)calls->sum);
		average(t, calls);
		average(t, &g->more[WAIT]);
		table_int(t, dist_max(&g->more[WAIT]));
		average(t, &g->more[RUN]);
		table_share(t, g->numbers[BRIEF], calls->count);
		for (size_t part = 0; part < 3; part++)
			table_text(t, groups_key(g, part));
	}
}

static struct groups *
launch_groups(const struct report *r)
{
	return &((struct launch_report *)r->state)->groups;
}

static void
launch_close(struct report *r)
{
	struct launch_report *s = r->state;

	groups_free(&s->groups);
	text_free(&s->key);
	text_free(&s->scratch);
}

/* ---- launch_queue ---- */

struct queue {
	int64_t pid, device, context, stream;
	struct dist from, to; /* of operations, of the section at hand */
	dist_wide in_queue;   /* sum of the time that each was in it */
	int64_t ops, launches;
	int64_t depth, at; /* the largest, and when it came to be */
	int64_t span;      /* first launch to last end */
};

struct queue_report {
	struct map devices, contexts; /* steps to a queue */
	struct map map;               /* of the section: number + 1 */
	struct queue *queues;
	size_t count, cap, first; /* first: of the section at hand */
};

static struct queue *
queue_of(struct queue_report *s, const struct event *ev)
{
	struct queue q = {.pid = event_int(ev, KEY_pid, NO_ID),
	    .device = event_int(ev, KEY_device, 0),
	    .context = event_int(ev, KEY_context, NO_ID),
	    .stream = event_int(ev, KEY_stream, NO_ID)};
	uint64_t n =
	    map_number(&s->devices, (uint64_t)q.pid, (uint64_t)q.device);
	uint64_t *slot;

	n = map_number(&s->contexts, n, (uint64_t)q.context);
	slot = map_get(&s->map, n, (uint64_t)q.stream);
	if (*slot == 0) {
		if (s->count == s->cap) {
			s->cap = s->cap * 2 + 8;
			s->queues =
			    mem_resize(s->queues, s->cap, sizeof(*s->queues));
		}
		s->queues[s->count++] = q;
		*slot = s->count;
	}
	return &s->queues[*slot - 1];
}

static void
queue_event(struct report *r, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), from, to;
	struct queue *q;

	if (!event_has(ev, KEY_ts) || !event_has(ev, KEY_dur) ||
	    !event_has(ev, KEY_api_ts))
		return;
	from = event_int(ev, KEY_api_ts, 0);
	if (from > ts) /* clocks do not agree */
		from = ts;
	to = time_end(ts, event_int(ev, KEY_dur, 0));
	q = queue_of(r->state, ev);
	q->ops++;
	q->in_queue += (dist_wide)to - from;
	dist_add(&q->from, from);
	dist_add(&q->to, to);
}

/* what ends when another is launched is not in the queue any more */
static void
finish(struct queue *q)
{
	size_t n = q->from.count, done = 0;
	int64_t last = 0;

	dist_sort(&q->from);
	dist_sort(&q->to);
	for (size_t i = 0; i < n; i++) {
		int64_t from = dist_at(&q->from, i);

		while (dist_at(&q->to, done) <= from && done < i)
			done++;
		q->launches += i == 0 || from != last;
		last = from;
		if (q->depth < (int64_t)(i + 1 - done)) {
			q->depth = (int64_t)(i + 1 - done);
			q->at = from;
		}
	}
	if (__builtin_sub_overflow(
		dist_max(&q->to), dist_min(&q->from), &q->span))
		q->span = INT64_MAX;
	dist_free(&q->from);
	dist_free(&q->to);
}

static void
queue_section_end(struct report *r)
{
	struct queue_report *s = r->state;

	for (; s->first < s->count; s->first++)
		finish(&s->queues[s->first]);
	map_clear(&s->devices);
	map_clear(&s->contexts);
	map_clear(&s->map);
}

static const struct column queue_columns[] = {
    {"PID", UNIT_NONE},
    {"Device", UNIT_NONE},
    {"Context", UNIT_NONE},
    {"Stream", UNIT_NONE},
    {"Ops", UNIT_NONE},
    {"Launches", UNIT_NONE},
    {"Max Depth", UNIT_NONE},
    {"Max At", UNIT_TIME},
    {"Avg Depth", UNIT_NONE},
    {"Span", UNIT_TIME},
};

static void
queue_table(struct report *r, struct table *t)
{
	struct queue_report *s = r->state;

	for (size_t i = 0; i < sizeof(queue_columns) / sizeof(*queue_columns);
	     i++)
		table_column(t, queue_columns[i].name, queue_columns[i].unit);
	for (size_t i = 0; i < s->count; i++) {
		const struct queue *q = &s->queues[i];

		table_id(t, q->pid);
		table_id(t, q->device);
		table_id(t, q->context);
		table_id(t, q->stream);
		table_int(t, q->ops);
		table_int(t, q->launches);
		table_int(t, q->depth);
		table_int(t, q->at);
		if (q->span > 0)
			table_real(t,
			    (long double)q->in_queue / (long double)q->span, 2);
		else
			table_empty(t);
		table_int(t, q->span);
	}
}

static void
queue_close(struct report *r)
{
	struct queue_report *s = r->state;

	free(s->queues);
	map_free(&s->devices);
	map_free(&s->contexts);
	map_free(&s->map);
}

/* ---- reports ---- */

static const enum key launch_keys[] = {KEY_ts, KEY_dur, KEY_name, KEY_graph,
    KEY_graph_node, KEY_api_ts, KEY_api_dur, KEY_api_name, KEY_NONE};
static const enum key queue_keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_device,
    KEY_context, KEY_stream, KEY_api_ts, KEY_NONE};

const struct report_kind report_launch[] = {
    {.name = "launch",
	.title = "Launches of Kernels",
	.missing = "no kernel with its launch in the stream",
	.correlated = true,
	.kinds = KINDS(kernel),
	.keys = launch_keys,
	.size = sizeof(struct launch_report),
	.open = launch_open,
	.event = launch_event,
	.table = launch_table,
	.close = launch_close,
	.groups = launch_groups},
    {.name = "launch_queue",
	.title = "Operations Launched and not Finished",
	.missing = "no operation with its launch in the stream",
	.correlated = true,
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.keys = queue_keys,
	.size = sizeof(struct queue_report),
	.event = queue_event,
	.section_end = queue_section_end,
	.table = queue_table,
	.close = queue_close},
    {0},
};
