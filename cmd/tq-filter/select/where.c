/* where.c - the selections by place in the trace */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tq/ask/window_cover.h"
#include "tq/base/array.h"
#include "tq/base/region.h"
#include "tq/base/suggestion.h"
#include "tq/base/time.h"
#include "tq/names/api_call.h"

#include "where.h"

/* ---- what --range may have meant ---- */

struct range_hint {
	struct suggestion names; /* of ranges; the texts live in memory */
	const char *domain; /* a range of this one has the name; NULL: none */
	int64_t tried;
	struct region memory;
};

/* ranges whose names are compared letter by letter */
enum { HINT_NAMES = 10000 };

static bool
begins_so(struct span name, struct span with)
{
	return name.len > with.len &&
	       strncasecmp(name.p, with.p, with.len) == 0;
}

static bool
is_guess(const struct range_hint *h, struct span name)
{
	for (size_t i = 0; i < SUGGESTION_MOST && h->names.best[i].text != NULL;
	     i++)
		if (span_eq(span_of(h->names.best[i].text), name))
			return true;
	return false;
}

/* a range that the spec does not match, "" is the default domain */
static void
consider_hint(struct range_hint *h, const struct range_spec *spec,
    struct span name, struct span domain)
{
	struct region_mark mark = region_mark(&h->memory);

	if (h->domain != NULL)
		return;
	if (pattern_match(spec->name, name) == PATTERN_YES) {
		h->domain = region_copy(&h->memory, domain).p;
		return;
	}
	h->names.word = text_span(&spec->plain);
	if (h->names.word.len == 0 || is_guess(h, name) ||
	    (++h->tried > HINT_NAMES && !begins_so(name, h->names.word)))
		return;
	if (!suggestion_consider(&h->names, region_copy(&h->memory, name).p))
		region_reset(&h->memory, mark);
}

/* warn that no range matches, with the hint if there is one */
static void
warn_of_hint(const struct range_hint *h, const struct range_spec *spec)
{
	struct span name = text_span(&spec->plain);
	const char *domain;
	struct text visible = {0};
	char *guesses;

	if (h->domain != NULL && *h->domain == '\0') {
		warnx("warning: no range has the name in --range; without a "
		      "domain there is one");
		return;
	}
	if (h->domain != NULL) {
		domain = text_visible_name(&visible, h->domain);
		warnx("warning: no range has the name in --range; in the "
		      "domain '%s' there is one: NAME@%s, or NAME@* for any",
		    domain, domain);
		text_free(&visible);
		return;
	}
	guesses = suggestion_text(&h->names);
	if (name.len == 0)
		warnx("warning: no range has the name in --range%s", guesses);
	else
		warnx("warning: no range is named '%.*s'%s", (int)name.len,
		    name.p, guesses);
	free(guesses);
}

static void
free_hint(struct range_hint *h)
{
	region_free(&h->memory);
}

/* ---- the selections ---- */

struct surveyed_step {
	int64_t pid, tid, ts, end, index, dur;
	uint64_t spec;
};

/* the spans of a section */
struct where_spans {
	struct spans ranges, steps, profiled;
};

bool
where_given(const struct where *w)
{
	return window_given(&w->time) || w->profiler || w->range_count > 0 ||
	       w->step_count > 0;
}

bool
where_needs_survey(const struct where *w)
{
	return w->profiler || w->range_count > 0 || w->step_count > 0 ||
	       window_needs_end(&w->time);
}

void
where_keys(const struct where *w, struct keyset *want)
{
	static const enum key keys[] = {KEY_dur, KEY_pid, KEY_tid, KEY_name};
	enum kind kind = KIND_UNKNOWN;

	for (enum kind k = 0; k <= KIND_COUNT; k++)
		keyset_add(&want[k], KEY_ts);
	/* the message for a window outside the trace gives its length */
	for (size_t i = 0; window_given(&w->time) && i < schema_row_count;
	     i++) {
		if (schema_rows[i].key == KEY_NONE)
			kind = schema_rows[i].kind;
		else if (schema_rows[i].key == KEY_dur)
			keyset_add(&want[kind], KEY_dur);
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (w->profiler)
			keyset_add(&want[KIND_api], keys[i]);
		if (w->range_count > 0 || w->step_count > 0)
			keyset_add(&want[KIND_range], keys[i]);
	}
	if (w->range_count > 0 || w->step_count > 0)
		keyset_add(&want[KIND_range], KEY_domain);
}

static struct where_spans *
current(struct where *w)
{
	size_t n = w->section, cap = n + n / 2 + 4;

	if (n >= w->spans_cap) {
		w->spans = mem_resize(w->spans, cap, sizeof(*w->spans));
		memset(w->spans + w->spans_cap, 0,
		    (cap - w->spans_cap) * sizeof(*w->spans));
		w->spans_cap = cap;
	}
	return &w->spans[n];
}

void
where_section(struct where *w, uint64_t n, const struct section *s)
{
	w->section = n;
	if (window_given(&w->time))
		window_place(&w->time, s->last, &w->from, &w->to);
	current(w);
	if (w->hints == NULL && w->range_count > 0)
		w->hints = mem_alloc(w->range_count * sizeof(*w->hints));
}

/* ---- ranges and steps ---- */

static bool
matches_spec(struct where *w, const struct range_spec *spec,
    struct range_hint *hint, const struct event *ev)
{
	struct span name, domain;
	enum pattern_result result;

	/* both may be decoded to scratch, which must not move then */
	w->scratch.len = 0;
	text_reserve(
	    &w->scratch, ev->value[KEY_name].len + ev->value[KEY_domain].len);
	name = event_str(ev, KEY_name, &w->scratch);
	domain = event_str(ev, KEY_domain, &w->scratch);
	result = range_spec_match(spec, name, domain);
	if (result == PATTERN_NO && hint != NULL)
		consider_hint(hint, spec, name, domain);
	if (result == PATTERN_GAVE_UP)
		w->error = "a regular expression took too many steps";
	return result == PATTERN_YES;
}

static void
add_span(struct where *w, struct spans *s, int64_t pid, int64_t tid, int64_t ts,
    int64_t end)
{
	if (w->per_process || w->by_time)
		tid = WHERE_ALL_THREADS;
	spans_add(s, pid, tid, ts, end);
	if (w->by_time && pid != NO_ID)
		spans_add(s, NO_ID, WHERE_ALL_THREADS, ts, end);
}

static void
add_step(struct where *w, const struct surveyed_step *s)
{
	w->step_found = true;
	add_span(w, &current(w)->steps, s->pid, s->tid, s->ts, s->end);
}

/* the range is step number index of its process, by that spec */
static void
add_step_of(struct where *w, const struct event *ev, size_t spec, int64_t index)
{
	const struct range_spec *asked = &w->steps[spec];
	struct surveyed_step s = {.pid = event_int(ev, KEY_pid, NO_ID),
	    .tid = event_int(ev, KEY_tid, NO_ID),
	    .ts = event_int(ev, KEY_ts, 0),
	    .dur = event_int(ev, KEY_dur, 0),
	    .index = index,
	    .spec = spec};

	s.end = event_end(ev, s.ts);
	if (w->steps_seen <= index)
		w->steps_seen = index + 1;
	if (!asked->median) {
		if (asked->first <= index && index <= asked->last)
			add_step(w, &s);
	} else if (event_has(ev, KEY_dur))
		*array_add(&w->surveyed, &w->surveyed_count, &w->surveyed_cap) =
		    s;
}

/* a range is a step of each spec that it matches */
static void
survey_step(struct where *w, const struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	bool first = true;

	for (size_t i = 0; i < w->step_count; i++) {
		if (!matches_spec(w, &w->steps[i], NULL, ev))
			continue;
		if (first && range_spec_is_part(&w->step_ends, (uint64_t)pid,
				 (uint64_t)event_int(ev, KEY_tid, NO_ID),
				 event_end(ev, event_int(ev, KEY_ts, 0))))
			return;
		first = false;
		add_step_of(w, ev, i,
		    (int64_t)(*map_get(&w->step_counts, i, (uint64_t)pid))++);
	}
}

static void
survey_range(struct where *w, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	bool inside = false;

	for (size_t i = 0; i < w->range_count; i++) {
		struct range_spec *spec = &w->ranges[i];

		if (!matches_spec(
			w, spec, spec->most == 0 ? &w->hints[i] : NULL, ev))
			continue;
		inside |= spec->first <= spec->seen && spec->seen <= spec->last;
		if (++spec->seen > spec->most)
			spec->most = spec->seen;
	}
	if (inside)
		add_span(w, &current(w)->ranges, event_int(ev, KEY_pid, NO_ID),
		    event_int(ev, KEY_tid, NO_ID), ts, event_end(ev, ts));
	survey_step(w, ev);
}

/* ---- the calls that start and stop a profiler ---- */

static void
survey_profiler_call(struct where *w, const struct event *ev)
{
	enum api_role role = api_call_of_event(ev).role;
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t pid = event_int(ev, KEY_pid, NO_ID);

	if (role == API_PROFILER_START) {
		w->profiled++;
		if (!spans_open(&current(w)->profiled, pid, WHERE_ALL_THREADS))
			spans_add(&current(w)->profiled, pid, WHERE_ALL_THREADS,
			    event_end(ev, ts), INT64_MAX);
	} else if (role == API_PROFILER_STOP)
		spans_close(&current(w)->profiled, pid, WHERE_ALL_THREADS, ts);
}

bool
where_inside(const struct where *w, int64_t pid, int64_t tid, int64_t ts,
    int64_t end, bool *whole)
{
	const struct where_spans *at = &w->spans[w->section];

	if (w->per_process || w->by_time)
		tid = WHERE_ALL_THREADS;
	if (window_given(&w->time) && (ts < w->from || ts >= w->to))
		return false;
	if (window_given(&w->time) && end > w->to)
		*whole = false;
	return (w->range_count == 0 ||
		   spans_hold(&at->ranges, pid, tid, ts, end, whole)) &&
	       (w->step_count == 0 ||
		   spans_hold(&at->steps, pid, tid, ts, end, whole)) &&
	       (!w->profiler || spans_hold(&at->profiled, pid,
				    WHERE_ALL_THREADS, ts, end, whole));
}

/* ---- the survey ---- */

void
where_survey(struct where *w, const struct event *ev)
{
	if (ev->kind == KIND_range)
		survey_range(w, ev);
	else if (ev->kind == KIND_api && w->profiler)
		survey_profiler_call(w, ev);
}

#define COMPARE(a, b) \
	if ((a) != (b)) \
	return (a) < (b) ? -1 : 1

static int
by_spec_and_dur(const void *pa, const void *pb)
{
	const struct surveyed_step *a = pa, *b = pb;

	COMPARE(a->spec, b->spec);
	COMPARE(a->pid, b->pid);
	COMPARE(a->index == 0, b->index == 0); /* the first comes last */
	COMPARE(a->dur, b->dur);
	COMPARE(a->index, b->index);
	return 0;
}

/*
 * The median of the steps of a process: without the first, which warms up, if
 * there are others; of an even number the shorter of the middle two.
 */
void
where_survey_end(struct where *w)
{
	struct surveyed_step *steps = w->surveyed;
	struct where_spans *at = current(w);
	size_t n = w->surveyed_count, end;

	if (n > 0)
		qsort(steps, n, sizeof(*steps), by_spec_and_dur);
	for (size_t i = 0; i < n; i = end) {
		size_t count;

		for (end = i; end < n && steps[end].spec == steps[i].spec &&
			      steps[end].pid == steps[i].pid;)
			end++;
		count = end - i - (steps[end - 1].index == 0);
		if (count == 0)
			count = 1;
		add_step(w, &steps[i + (count - 1) / 2]);
	}
	w->surveyed_count = 0;
	for (size_t i = 0; i < w->range_count; i++)
		w->ranges[i].seen = 0;
	map_clear(&w->step_counts);
	map_clear(&w->step_ends);
	spans_finish(&at->ranges);
	spans_finish(&at->steps);
	spans_finish(&at->profiled);
}

/* ---- selections that nothing matches ---- */

static bool
reaches_any(const struct where *w, const struct section *sections, size_t count)
{
	struct window_cover cover = {0};

	for (size_t i = 0; i < count; i++)
		if (sections[i].any)
			window_cover_add(&cover, &w->time, sections[i].first,
			    sections[i].last);
	return window_cover_reached(&cover);
}

bool
where_found(const struct where *w, const struct section *sections, size_t count)
{
	static const struct range_hint no_range; /* of a stream without any */

	if (window_given(&w->time) && !reaches_any(w, sections, count))
		return false;
	if (w->profiler && w->profiled == 0) {
		warnx("no call of cudaProfilerStart in the trace");
		return false;
	}
	if (w->step_count > 0 && !w->step_found) {
		if (w->steps_seen == 0)
			warnx("no range in the trace is named like a step");
		else
			warnx("no such step: the trace has steps 0 to %" PRId64,
			    w->steps_seen - 1);
		return false;
	}
	for (size_t i = 0; i < w->range_count; i++) {
		const struct range_spec *r = &w->ranges[i];

		if (r->most == 0)
			warn_of_hint(
			    w->hints != NULL ? &w->hints[i] : &no_range, r);
		else if (r->most <= r->first)
			warnx("warning: the last range of that name has index "
			      "%" PRId64,
			    r->most - 1);
	}
	return true;
}

void
where_free(struct where *w)
{
	for (size_t i = 0; i < w->range_count; i++)
		range_spec_free(&w->ranges[i]);
	for (size_t i = 0; w->hints != NULL && i < w->range_count; i++)
		free_hint(&w->hints[i]);
	free(w->hints);
	for (size_t i = 0; i < w->step_count; i++)
		range_spec_free(&w->steps[i]);
	free(w->ranges);
	free(w->steps);
	free(w->surveyed);
	for (size_t i = 0; i < w->spans_cap; i++) {
		spans_free(&w->spans[i].ranges);
		spans_free(&w->spans[i].steps);
		spans_free(&w->spans[i].profiled);
	}
	free(w->spans);
	map_free(&w->step_counts);
	map_free(&w->step_ends);
	text_free(&w->scratch);
}
