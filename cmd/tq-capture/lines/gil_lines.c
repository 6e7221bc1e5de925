/* gil_lines.c - waits for the lock of Python, and holds of it, become lines */

#include "gil_lines.h"
#include "lines.h"

static void
write_line(
    struct lines *l, int32_t tid, enum gil_state state, int64_t ts, int64_t dur)
{
	struct output *o = lines_begin(l, KIND_gil, ts, dur, tid);

	emit_str(o, KEY_name, state == GIL_HOLD ? SPAN("hold") : SPAN("wait"));
	if (dur == DUR_OPEN)
		emit_bool(o, KEY_open, true);
	lines_put(l, ts, dur);
}

int
gil_lines_record(struct lines *l, const struct chunk *c, const struct record *r)
{
	const struct record_gil *g = (const struct record_gil *)r;
	int64_t ts = clock_ns(l->clock, r->ticks);

	if (r->domain > GIL_HOLD)
		return LINES_GARBAGE;
	write_line(l, lines_thread(l, c)->tid, (enum gil_state)r->domain, ts,
	    lines_dur(l, ts, g->end));
	return 1;
}

int
gil_lines_open(struct lines *l)
{
	int64_t ts = clock_ns(l->clock, l->gil.since);

	if (l->gil.since == 0 || l->gil.since < l->gil.start ||
	    ts > clock_now(l->clock))
		return 0;
	write_line(l, l->gil.tid, GIL_HOLD, ts, DUR_OPEN);
	return 1;
}
