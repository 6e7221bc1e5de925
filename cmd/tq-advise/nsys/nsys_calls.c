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
	struct named_call call;

	if ((r->args.process != NO_ID && r->args.process != row.pid) ||
	    (r->args.thread != NO_ID && r->args.thread != row.tid))
		return;
	row.call = nsys_rules_call(all, ev);
	call = all->named[row.call];
	/* the rule of nsys lists no call of the driver, and no old one */
	if (call.family == API_CUDA_RUNTIME && call.role == API_WAIT &&
	    (call.about == API_CONTEXT || call.about == API_STREAM) &&
	    !call.old)
		nsys_rules_add_row(r, &row);
}

static void
call_row(
    struct table *t, const struct nsys_rules *all, const struct nsys_row *row)
{
	col_int(t, "Duration", UNIT_TIME, row->dur);
	col_int(t, "Start", UNIT_TIME, row->ts);
	col_id(t, "PID", row->pid);
	col_id(t, "TID", row->tid);
	nsys_rules_text_column(t, "API Name", all, row->call);
}

static void
write_calls(const struct nsys_rules *all, struct nsys_rule *r, struct table *t)
{
	col_heading(t, call_row, all, &(struct nsys_row){0});
	for (size_t i = 0; i < r->row_count; i++)
		call_row(t, all, &r->rows[i]);
}

const struct nsys_rule_kind nsys_calls_sync = {
    .name = "cuda_api_sync",
    .args = " rows process thread ",
    .events = (uint64_t)1 << KIND_api,
    .event = call_event,
    .write = write_calls,
};
