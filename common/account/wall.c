/* wall.c - the wall: the time for which the program was recorded */

#include <string.h>

#include "tq/base/ascii.h"
#include "tq/base/time.h"

#include "tq/account/wall.h"

static const char recorded[] = "recorded window";
static const char spanned[] = "first to last record of the program";

void
wall_span_add(struct wall_span *s, int64_t from, int64_t to)
{
	if (!s->any || s->from > from)
		s->from = from;
	if (!s->any || s->to < to)
		s->to = to;
	s->any = true;
}

/* A time of the recording on the clock that tq-align has put its section on. */
static int64_t
on_clock(const struct event *ev, int64_t t)
{
	return time_on_clock(t, event_int(ev, KEY_clock_offset, 0),
	    event_int(ev, KEY_clock_drift, 0));
}

void
wall_begin(struct wall *w, const struct event *ev)
{
	int64_t dur = event_int(ev, KEY_dur, 0);

	w->stated = dur > 0;
	w->opens = on_clock(ev, 0);
	w->closes = on_clock(ev, dur);
}

/* How long a sample of a profile lasts: its weight, if that is a time.  Quotes
   within a text of args are escaped. */
static int64_t
weight_of(const struct event *ev)
{
	static const char member[] = "\"weight_ns\":";
	struct span args;
	const char *p;
	int64_t ns = 0;

	if (ev->kind != KIND_sample || !event_has(ev, KEY_args))
		return 0;
	args = ev->value[KEY_args];
	p = memmem(args.p, args.len, member, strlen(member));
	if (p == NULL)
		return 0;
	for (p += strlen(member); p < args.p + args.len && ascii_is_digit(*p);
	     p++)
		if (__builtin_mul_overflow(ns, 10, &ns) ||
		    __builtin_add_overflow(ns, *p - '0', &ns))
			return 0;
	return ns;
}

void
wall_add(struct wall *w, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = time_end(ts, event_int(ev, KEY_dur, weight_of(ev)));

	if (end == INT64_MAX) /* of no clock */
		end = ts;
	switch (ev->kind) {
	case KIND_overhead:
	case KIND_lost:
	case KIND_diagnostic:
		wall_span_add(&w->profiler, ts, end);
		return;
	default:
		break;
	}
	if (w->stated && (end < w->opens || ts > w->closes))
		wall_span_add(&w->outside, ts, end);
	else
		wall_span_add(&w->inside, ts, end);
	if (schema_role(ev->kind) != ROLE_WORK)
		return;
	w->misplaced |= w->stated && (ts < w->opens || ts > w->closes);
	wall_span_add(&w->work, ts, end);
}

/* The records of the section reach from one end of the window to the other. */
static bool
reach(const struct wall *w)
{
	struct wall_span all = w->inside;

	if (w->profiler.any)
		wall_span_add(&all, w->profiler.from, w->profiler.to);
	if (w->outside.any)
		wall_span_add(&all, w->outside.from, w->outside.to);
	return all.from <= w->opens && all.to >= w->closes;
}

/* Where the section has a record of the program within the window. */
static void
apply_window(struct wall *w)
{
	w->recorded = reach(w);
	if (w->recorded || w->from < w->opens)
		w->from = w->opens;
	if (w->recorded || w->to > w->closes)
		w->to = w->closes;
	if (w->work.any && w->to < w->work.to)
		w->to = w->work.to;
}

void
wall_section_end(struct wall *w)
{
	bool valid = w->stated && !w->misplaced && w->inside.any;
	struct wall_span all = w->inside;
	int64_t ns;

	if (!valid && w->outside.any)
		wall_span_add(&all, w->outside.from, w->outside.to);
	w->any = all.any;
	w->from = all.from;
	w->to = all.to;
	w->recorded = false;
	if (valid)
		apply_window(w);
	wall_cut(w, &w->from, &w->to);
	if (all.any && !__builtin_sub_overflow(w->to, w->from, &ns))
		w->ns = time_end(w->ns, ns);
	w->windows += all.any && w->recorded;
	w->spans += all.any && !w->recorded;
	w->stated = w->misplaced = false;
	w->profiler.any = w->inside.any = w->outside.any = w->work.any = false;
}

const char *
wall_meaning(const struct wall *w)
{
	return w->recorded ? recorded : spanned;
}

const char *
wall_meanings(const struct wall *w)
{
	if (w->windows > 0 && w->spans > 0)
		return "is, by section, the recorded window or the first to "
		       "last record of the program";
	if (w->windows > 0)
		return "is the recorded window";
	return w->spans > 0 ? "is the first to last record of the program"
			    : NULL;
}
