/* focus.c - the times of the capture that are written */

#include <stdlib.h>

#include "tq/base/array.h"

#include "focus.h"

enum { AHEAD = 100000000 }; /* ns that recording begins before a delay ends */

static bool
is_wanted(const struct focus *f)
{
	return f->count % 2 == 1;
}

static void
add_edge(struct focus *f, int64_t ts)
{
	/* a signal may come between settled edges: it counts behind them */
	if (f->count > 0 && ts < f->edges[f->count - 1])
		ts = f->edges[f->count - 1];
	*array_add(&f->edges, &f->count, &f->cap) = ts;
	if (is_wanted(f))
		f->begun++;
}

void
focus_start(struct focus *f)
{
	if (f->trigger == FOCUS_ALWAYS || f->recorder)
		add_edge(f, f->delay > 0 ? f->delay : INT64_MIN);
}

bool
focus_is_everything(const struct focus *f)
{
	return f->count == 1 && f->edges[0] == INT64_MIN && f->duration == 0;
}

bool
focus_is_trigger(
    struct focus *f, struct span name, struct span domain, bool registered)
{
	struct range_spec *r = &f->range;
	int64_t nth;

	if (f->trigger != FOCUS_NVTX || f->over ||
	    (f->registered_only && !registered) ||
	    range_spec_match(r, name, domain) != PATTERN_YES)
		return false;
	nth = r->seen++;
	return nth >= r->first && nth <= r->last;
}

void
focus_change(struct focus *f, int64_t ts, int open)
{
	size_t i;

	array_add(&f->waiting, &f->waiting_count, &f->waiting_cap);
	/* nearly in order; at one time openings come first */
	for (i = f->waiting_count - 1; i > 0; i--) {
		const struct focus_change *w = &f->waiting[i - 1];

		if (w->ts < ts || (w->ts == ts && w->open >= open))
			break;
		f->waiting[i] = *w;
	}
	f->waiting[i] = (struct focus_change){ts, open};
}

bool
focus_set(struct focus *f, int64_t now, bool on)
{
	if (is_wanted(f) == on)
		return false;
	add_edge(f, now);
	f->over = false;
	return true;
}

/* true if more ranges are of interest, after so many */
static bool
goes_on(const struct focus *f, int64_t ranges)
{
	return f->end == FOCUS_END_REPEAT &&
	       (f->repeats == 0 || ranges < f->repeats);
}

static void
end_segment(struct focus *f, int64_t ts)
{
	add_edge(f, ts);
	if (!f->recorder && goes_on(f, f->begun))
		return;
	f->over = true;
	f->shutdown = f->end == FOCUS_END_SHUTDOWN || f->shutdown_last;
}

/* end the segment if its duration is over before ts */
static void
end_by_duration(struct focus *f, int64_t ts)
{
	int64_t start, end;

	if (f->duration == 0 || !is_wanted(f))
		return;
	start = f->edges[f->count - 1];
	if (start < 0)
		start = 0; /* of the trace */
	end = start > INT64_MAX - f->duration ? INT64_MAX : start + f->duration;
	if (end < ts)
		end_segment(f, end);
}

/* a range ended: with a recorder, request a dump */
static void
end_range(struct focus *f, int64_t ts)
{
	if (f->recorder) {
		f->ended = ts;
		f->ends++;
	}
	if (f->end != FOCUS_END_NONE && !(f->recorder && goes_on(f, f->ends)))
		end_segment(f, ts);
}

static void
apply_change(struct focus *f, const struct focus_change *c)
{
	if (c->open > 0) {
		if (c->ts < f->delay)
			f->early++;
		else if (f->open++ == 0 && !f->over && !is_wanted(f))
			add_edge(f, c->ts);
	} else if (f->early > 0) {
		f->early--; /* it may close another: the last one counts */
	} else if (f->open > 0 && --f->open == 0 && is_wanted(f)) {
		end_range(f, c->ts);
	}
}

void
focus_settle(struct focus *f, int64_t until)
{
	size_t done = 0;

	for (; done < f->waiting_count && f->waiting[done].ts < until; done++) {
		end_by_duration(f, f->waiting[done].ts);
		apply_change(f, &f->waiting[done]);
	}
	if (done > 0) {
		f->waiting_count -= done;
		memmove(f->waiting, f->waiting + done,
		    f->waiting_count * sizeof(*f->waiting));
	}
	end_by_duration(f, until);
}

/* the number of edges up to ts; odd segments are written */
static size_t
segment_of(const struct focus *f, int64_t ts)
{
	size_t n = f->count;

	while (n > 0 && f->edges[n - 1] > ts)
		n--;
	return n;
}

bool
focus_wants(const struct focus *f, int64_t ts)
{
	return segment_of(f, ts) % 2 == 1;
}

int64_t
focus_last(const struct focus *f, int64_t ts)
{
	size_t segment = segment_of(f, ts);

	return segment % 2 == 1 || segment == 0 ? ts
						: f->edges[segment - 1] - 1;
}

/* correlation ids have 32 bits, and begin again at 0 */
static bool
is_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

bool
focus_wants_call(struct focus *f, uint32_t process, uint32_t corr, int64_t ts)
{
	size_t segment = segment_of(f, ts);
	struct focus_calls *c;

	if (process >= f->calls_count) {
		f->calls = mem_resize(
		    f->calls, (size_t)process + 1, sizeof(*f->calls));
		memset(f->calls + f->calls_count, 0,
		    (process + 1 - f->calls_count) * sizeof(*f->calls));
		f->calls_count = (size_t)process + 1;
	}
	c = &f->calls[process];
	if (c->count == 0 || c->first[c->count - 1].segment != segment) {
		*array_add(&c->first, &c->count, &c->cap) =
		    (struct focus_call){corr, segment};
	} else if (is_before(corr, c->first[c->count - 1].corr)) {
		c->first[c->count - 1].corr = corr;
	}
	return segment % 2 == 1;
}

bool
focus_wants_work(
    const struct focus *f, uint32_t process, uint32_t corr, int64_t ts)
{
	const struct focus_calls *c;

	if (process < f->calls_count) {
		c = &f->calls[process];
		for (size_t i = c->count; i > 0; i--)
			if (!is_before(corr, c->first[i - 1].corr))
				return c->first[i - 1].segment % 2 == 1;
	}
	return focus_wants(f, ts);
}

bool
focus_wants_records(const struct focus *f, int64_t now)
{
	if (f->over)
		return false;
	switch (f->trigger) {
	case FOCUS_PROFILER:
	case FOCUS_NVTX:
		return true;
	default:
		return is_wanted(f) && now + AHEAD >= f->edges[f->count - 1];
	}
}

void
focus_free(struct focus *f)
{
	for (size_t i = 0; i < f->calls_count; i++)
		free(f->calls[i].first);
	free(f->calls);
	free(f->edges);
	free(f->waiting);
	range_spec_free(&f->range);
}
