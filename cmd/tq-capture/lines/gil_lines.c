/* gil_lines.c - waits for the lock of Python, and holds of it, become lines */

#include "gil_lines.h"
#include "lines.h"

int
gil_lines_record(struct lines *l, int32_t tid, const struct record *r)
{
	const struct record_gil *g = (const struct record_gil *)r;
	struct output *o = &l->out->line;
	int64_t ts = clock_ns(l->clock, r->ticks), dur;

	if ((size_t)r->words * 8 < sizeof(*g) || r->domain > GIL_HOLD) {
		l->garbage++;
		return 0;
	}
	dur = clock_ns(l->clock, g->end) - ts;
	if (dur < 0)
		dur = 0;
	out_stream_begin(l->out, LINE_EVENT, l->process, 0);
	emit_open(o, KIND_gil);
	emit_int(o, KEY_ts, ts);
	emit_int(o, KEY_dur, dur);
	emit_int(o, KEY_pid, l->pid);
	emit_int(o, KEY_tid, tid);
	emit_str(
	    o, KEY_name, r->domain == GIL_HOLD ? SPAN("hold") : SPAN("wait"));
	emit_close(o);
	out_stream_put(l->out, ts, dur);
	return 1;
}
