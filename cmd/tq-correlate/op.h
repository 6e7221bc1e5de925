/*
 * op.h - an operation on a device.
 */
#ifndef OP_H
#define OP_H

#include "tq/line/event.h"
#include "tq/base/time.h"

struct op {
	int64_t ts, end;
	int64_t pid, corr, device;
	struct keyset has;
	bool graph; /* launched by one, it says */
	struct span line;

	/*
	 * Where it is plain, this part of its line is TS,"dur":DUR, two times
	 * that are not negative; else the length is 0.
	 */
	size_t times_at, times_len;
	size_t ts_len;
};

enum {
	OP_DUR = sizeof(",\"dur\":") - 1, /* between the times */
	OP_TIMES = EVENT_PLAIN_DIGITS * 2 + OP_DUR
};

static inline void
op_find_times(struct op *op, const struct event *ev)
{
	struct span ts = ev->value[KEY_ts], dur = ev->value[KEY_dur];

	op->times_at = op->times_len = 0;
	if (!ev->plain || !event_has(ev, KEY_ts) || !event_has(ev, KEY_dur) ||
	    ts.p + ts.len + OP_DUR != dur.p || *ts.p == '-' || *dur.p == '-')
		return;
	op->times_at = (size_t)(ts.p - op->line.p);
	op->ts_len = ts.len;
	op->times_len = ts.len + OP_DUR + dur.len;
}

/* The operation at hand, which starts at ts. */
static inline void
op_set(struct op *op, const struct event *ev, int64_t ts)
{
	op->ts = ts;
	op->end = time_end(ts, event_int(ev, KEY_dur, 0));
	op->pid = event_int(ev, KEY_pid, NO_ID);
	op->corr = event_int(ev, KEY_corr, NO_ID);
	op->device = event_small_int(ev, KEY_device, NO_ID);
	op->has = ev->has;
	op->graph = event_has(ev, KEY_graph) || event_has(ev, KEY_graph_node);
	op->line = ev->line;
	op_find_times(op, ev);
}

#endif
