/* gap.c - the causes of a gap */

#include "tq/names/model.h"

#include "tq/account/gap.h"

enum { SHORT_GAP = 10000 }; /* ns */

static enum gap_cause
rest_cause(const struct event *ev, int64_t from, int64_t dur)
{
	int64_t a0 = event_int(ev, KEY_api_ts, 0);

	if (!event_has(ev, KEY_api_ts))
		return GAP_UNKNOWN;
	if (time_end(a0, event_int(ev, KEY_api_dur, 0)) > from)
		return GAP_LAUNCH;
	return dur < SHORT_GAP ? GAP_NEXT : GAP_QUEUE;
}

struct gap_parts
gap_divide(const struct gaps_host *host, int64_t from, const struct event *ev,
    int64_t ts)
{
	int64_t call = event_int(ev, KEY_api_ts, from);
	struct gap_parts p = {.call = from, .rest = time_between(from, ts)};

	if (call > from) {
		p.late = true;
		p.cause = GAP_LAUNCH;
		p.call = call = call < ts ? call : ts;
		p.sync = gaps_host_waited(host, model_thread(ev), from, call);
		p.host = time_between(from, call) - p.sync;
		p.rest = time_between(call, ts);
	} else {
		p.cause = rest_cause(ev, from, p.rest);
	}
	return p;
}

enum gap_cause
gap_main_cause(const struct gap_parts *p)
{
	if (p->host > 0 && p->host >= p->sync && p->host >= p->rest)
		return GAP_HOST;
	return p->sync >= p->rest && p->sync > 0 ? GAP_SYNC : p->cause;
}

const char *
gap_cause_name(enum gap_cause cause)
{
	static const char *const names[GAP_CAUSES] = {"before", "busy", "host",
	    "sync", "launch", "next", "copy", "kernel", "queue", "unknown",
	    "after"};

	return names[cause];
}
