/*
 * device_operation.h - an operation on a device.
 */
#ifndef DEVICE_OPERATION_H
#define DEVICE_OPERATION_H

#include "tq/base/time.h"
#include "tq/line/event.h"

struct device_operation {
	int64_t ts, end;
	int64_t pid, corr, device;
	int64_t node; /* of a graph, or NO_ID */
	struct keyset has;
	bool graph; /* the record names a graph, which launched it */
	enum kind kind;
	struct span line;
	struct outline outline; /* of the line, where the output takes it */

	/*
	 * Where in the line TS,"dur":DUR stands, with two times that are not
	 * negative; the length is 0 if the line has no such piece.
	 */
	size_t times_at, times_len;
	size_t ts_len;
};

enum {
	OPERATION_DUR = sizeof(",\"dur\":") - 1, /* between the times */
	OPERATION_TIMES = EVENT_PLAIN_DIGITS * 2 + OPERATION_DUR
};

static inline void
device_operation_find_times(struct device_operation *op, const struct event *ev)
{
	struct span ts = ev->value[KEY_ts], dur = ev->value[KEY_dur];

	op->times_at = op->times_len = 0;
	if (!ev->plain || !event_has(ev, KEY_ts) || !event_has(ev, KEY_dur) ||
	    ts.p + ts.len + OPERATION_DUR != dur.p || *ts.p == '-' ||
	    *dur.p == '-')
		return;
	op->times_at = (size_t)(ts.p - op->line.p);
	op->ts_len = ts.len;
	op->times_len = ts.len + OPERATION_DUR + dur.len;
}

/* The operation of a record that starts at ts. */
static inline void
device_operation_set(
    struct device_operation *op, const struct event *ev, int64_t ts)
{
	op->ts = ts;
	op->end = time_end(ts, event_int(ev, KEY_dur, 0));
	op->pid = event_int(ev, KEY_pid, NO_ID);
	op->corr = event_int(ev, KEY_corr, NO_ID);
	op->device = event_small_int(ev, KEY_device, NO_ID);
	op->has = ev->has;
	op->node = event_int(ev, KEY_graph_node, NO_ID);
	op->graph = event_has(ev, KEY_graph) || op->node != NO_ID;
	op->kind = ev->kind;
	op->line = ev->line;
	device_operation_find_times(op, ev);
}

#endif
