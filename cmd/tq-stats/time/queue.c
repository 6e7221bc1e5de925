/*
 * queue.c - how much was launched ahead
 *
 * An operation is in the queue of its stream from the start of its call to its
 * end, so that what runs counts as well.  The start and the end of each are
 * held, 16 bytes: the depth is exact however the calls of threads interleave.
 */

#include <stdlib.h>

#include "tq/base/numbered.h"
#include "tq/names/model.h"

#include "report.h"
#include "tq/show/col.h"

struct queue {
	int64_t pid, device, context, stream;
	struct dist from, to; /* of operations of the section */
	dist_wide in_queue;   /* sum of the times of operations in it */
	int64_t ops, launches;
	int64_t depth, at; /* the largest, and its time */
	int64_t span;      /* first launch to last end */
};

struct queues {
	NUMBERED(struct queue) all; /* found in their section */
	size_t first;               /* of the section */
};

static struct queue *
find_queue(struct queues *s, const struct event *ev)
{
	bool fresh;
	struct queue *q = numbered_get(&s->all, model_stream(ev), &fresh);

	if (fresh)
		*q = (struct queue){.pid = event_int(ev, KEY_pid, NO_ID),
		    .device = event_int(ev, KEY_device, 0),
		    .context = event_int(ev, KEY_context, NO_ID),
		    .stream = event_int(ev, KEY_stream, NO_ID)};
	return q;
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
	q = find_queue(r->state, ev);
	q->ops++;
	q->in_queue += (dist_wide)to - from;
	dist_add(&q->from, from);
	dist_add(&q->to, to);
}

/* An operation that ends when another is launched is not in the queue then. */
static void
finish_queue(struct queue *q)
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
	struct queues *s = r->state;

	for (; s->first < s->all.count; s->first++)
		finish_queue(&s->all.all[s->first]);
	numbered_close(&s->all);
}

static void
queue_row(struct table *t, const struct queue *q)
{
	col_id(t, "PID", q->pid);
	col_id(t, "Device", q->device);
	col_id(t, "Context", q->context);
	col_id(t, "Stream", q->stream);
	col_int(t, "Ops", UNIT_NONE, q->ops);
	col_int(t, "Launches", UNIT_NONE, q->launches);
	col_int(t, "Max Depth", UNIT_NONE, q->depth);
	col_int(t, "Max At", UNIT_TIME, q->at);
	col_ratio(t, "Avg Depth", UNIT_NONE, q->in_queue, q->span, 2);
	col_int(t, "Span", UNIT_TIME, q->span);
}

static void
queue_table(struct report *r, struct table *t)
{
	struct queues *s = r->state;

	col_heading(t, queue_row, &(struct queue){0});
	for (size_t i = 0; i < s->all.count; i++)
		queue_row(t, &s->all.all[i]);
}

static void
queue_close(struct report *r)
{
	struct queues *s = r->state;

	numbered_free(&s->all);
}

const struct report_kind queue_reports[] = {
    {.name = "launch_queue",
	.question = ASKS_LATE,
	.row_parts = true,
	.rows = ROWS_JOINED,
	.title = "Operations Launched and not Finished",
	.missing = "no operation with its launch in the stream",
	.correlated = true,
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_device, KEY_context,
	    KEY_stream, KEY_api_ts),
	.size = sizeof(struct queues),
	.event = queue_event,
	.section_end = queue_section_end,
	.table = queue_table,
	.close = queue_close},
    {0},
};
