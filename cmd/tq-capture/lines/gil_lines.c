/* gil_lines.c - waits for the lock of Python, and holds of it, become lines */

#include "gil_lines.h"
#include "lines.h"

static void
write_line(
    struct lines *l, int32_t tid, enum gil_state state, int64_t ts, int64_t dur)
{
	struct output *o = &l->out->line;

	out_stream_begin(l->out, LINE_EVENT, l->process, 0);
	emit_open(o, KIND_gil);
	emit_int(o, KEY_ts, ts);
	if (dur >= 0)
		emit_int(o, KEY_dur, dur);
	emit_int(o, KEY_pid, l->pid);
	emit_int(o, KEY_tid, tid);
	emit_str(o, KEY_name, state == GIL_HOLD ? SPAN("hold") : SPAN("wait"));
	if (dur < 0)
		emit_bool(o, KEY_open, true);
	emit_close(o);
	lines_put(l, ts, dur < 0 ? INT64_MAX : dur);
}

int
gil_lines_record(struct lines *l, int32_t tid, const struct record *r)
{
	const struct record_gil *g = (const struct record_gil *)r;
	int64_t ts = clock_ns(l->clock, r->ticks), dur;

	if ((size_t)r->words * 8 < sizeof(*g) || r->domain > GIL_HOLD) {
		l->garbage++;
		return 0;
	}
	dur = clock_ns(l->clock, g->end) - ts;
	write_line(l, tid, (enum gil_state)r->domain, ts, dur > 0 ? dur : 0);
	return 1;
}

int
gil_lines_open(struct lines *l)
{
	int64_t ts = clock_ns(l->clock, l->gil.since);

	if (l->gil.since == 0 || l->gil.since < l->gil.start ||
	    ts > clock_now(l->clock))
		return 0;
	write_line(l, l->gil.tid, GIL_HOLD, ts, -1);
	return 1;
}
