/* nsys_calls.c - cuda_api_sync: runtime calls in which the host waits */

#include "tq/base/time.h"

#include "nsys_rules.h"

static void
call_event(struct nsys_rules *all, struct nsys_rule *r, const struct event *ev)
{
	struct nsys_row row = {.dur = event_int(ev, KEY_dur, 0),
	    .ts = event_int(ev, KEY_ts, 0),
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .tid = event_int(ev, KEY_tid, NO_ID)};
	struct span name;

	if ((r->args.process != NO_ID && r->args.process != row.pid) ||
	    (r->args.thread != NO_ID && r->args.thread != row.tid))
		return;
	row.call = nsys_rules_call(all, ev);
	name = intern_text(&all->texts, row.call);
	if (span_begins(name, SPAN("cudaDeviceSynchronize")) ||
	    span_begins(name, SPAN("cudaStreamSynchronize")))
		nsys_rules_add_row(r, &row);
}

static void
write_calls(const struct nsys_rules *all, struct nsys_rule *r, struct sheet *s)
{
	for (size_t i = 0; i < r->row_count; i++) {
		const struct nsys_row *row = &r->rows[i];

		sheet_int(s, row->dur);
		sheet_int(s, row->ts);
		sheet_id(s, row->pid);
		sheet_id(s, row->tid);
		sheet_text(s, intern_text(&all->texts, row->call));
	}
}

static const struct sheet_column columns[] = {{"Duration (ns)", true},
    {"Start (ns)", true}, {"PID", true}, {"TID", true}, {"API Name", false},
    {0}};

const struct nsys_rule_kind nsys_calls_sync = {
    .name = "cuda_api_sync",
    .args = " rows process thread ",
    .events = (uint64_t)1 << KIND_api,
    .columns = columns,
    .event = call_event,
    .write = write_calls,
};
