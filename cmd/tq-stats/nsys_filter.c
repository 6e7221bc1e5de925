/*
 * nsys_filter.c - the records of a window of time or of a range
 *
 * With --filter-nvtx an operation of a device passes if the range launched it:
 * if its call started in the range, on the thread of the range.  In nsys, and
 * with --compat, the operations of all threads pass that ran while the range
 * was open; where the range is of the main thread, so do the calls of all
 * threads.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/time.h"
#include "tq/base/units.h"

#include "nsys_filter.h"

/* ---- options ---- */

const char *
nsys_filter_nvtx(struct nsys_filter *f, const char *text)
{
	size_t at;
	const char *error;

	if (f->by_range)
		range_spec_free(&f->spec);
	f->by_range = false;
	if ((error = range_spec_parse(&f->spec, text, &at)) != NULL)
		return error;
	f->by_range = true;
	if (f->spec.last == RANGE_SPEC_LAST)
		f->spec.last = f->spec.first;
	return f->spec.first == f->spec.last ? NULL : "expected one index";
}

void
nsys_filter_keys(const struct nsys_filter *f, struct keyset *want)
{
	static const enum key times[] = {KEY_ts, KEY_dur, KEY_open, KEY_NONE};
	static const enum key threads[] = {
	    KEY_pid, KEY_tid, KEY_corr, KEY_api_ts, KEY_range_ts, KEY_NONE};

	for (enum kind k = 0; nsys_filter_given(f) && k <= KIND_COUNT; k++) {
		keyset_add_all(&want[k], times);
		if (f->by_range)
			keyset_add_all(&want[k], threads);
	}
}

static const enum key survey_keys[] = {KEY_ts, KEY_dur, KEY_open, KEY_pid,
    KEY_tid, KEY_name, KEY_domain, KEY_mode, KEY_end_tid, KEY_NONE};

uint64_t
nsys_filter_needs(const struct nsys_filter *f, struct keyset *want)
{
	if (!f->by_range)
		return 0;
	keyset_add_all(&want[KIND_range], survey_keys);
	return (uint64_t)1 << KIND_range | (uint64_t)1 << KIND_api;
}

/* ---- the range of a section ---- */

static struct nsys_filter_window *
section_window(struct nsys_filter *f)
{
	while (f->count <= f->section)
		*array_add(&f->windows, &f->count, &f->cap) =
		    (struct nsys_filter_window){0};
	return &f->windows[f->section];
}

static bool
is_named(struct nsys_filter *f, const struct event *ev)
{
	return range_spec_match_event(&f->spec, ev, &f->scratch, NULL) ==
	       PATTERN_YES;
}

static void
find_window(struct nsys_filter *f, const struct event *ev)
{
	struct nsys_filter_window *w = section_window(f);

	if (w->any || !is_named(f, ev) || f->spec.seen++ != f->spec.first)
		return;
	w->any = true;
	w->from = event_int(ev, KEY_ts, 0);
	w->to = event_end(ev, w->from);
	w->pid = event_int(ev, KEY_pid, NO_ID);
	w->tid = event_int(ev, KEY_tid, NO_ID);
	if (f->compat) /* the main thread has the id of the process */
		w->thread = w->pid != w->tid;
	else
		w->thread = event_is(ev, KEY_mode, SPAN("push")) &&
			    !event_has(ev, KEY_end_tid);
}

/* The section is over: add what it covers. */
static void
add_cover(struct nsys_filter *f)
{
	if (f->covers.any)
		window_cover_add(
		    &f->cover, &f->time, f->covers.from, f->covers.to);
	f->covers.any = false;
}

bool
nsys_filter_reached(struct nsys_filter *f)
{
	if (f->by_range || !window_given(&f->time))
		return true;
	add_cover(f);
	return window_cover_reached(&f->cover);
}

static void
next_section(struct nsys_filter *f)
{
	add_cover(f);
	f->section++;
	f->spec.seen = 0;
	map_clear(&f->kept);
	if (!f->by_range && nsys_filter_needs_survey(f))
		window_place(&f->time, section_window(f)->to, &f->from, &f->to);
}

void
nsys_filter_restart(struct nsys_filter *f)
{
	f->section = 0;
	f->spec.seen = 0;
	map_clear(&f->kept);
}

/* A section ends where the last of its records ends; a record that never ended
   lasts as long as the others. */
static void
find_end(struct nsys_filter *f, const struct event *ev)
{
	struct nsys_filter_window *w = section_window(f);
	enum role role = schema_role(ev->kind);
	int64_t end;

	if (role == ROLE_FRAME || role == ROLE_DEF || !event_has(ev, KEY_ts))
		return;
	end = event_int(ev, KEY_ts, 0);
	if (event_has(ev, KEY_dur))
		end = event_end(ev, end);
	if (!w->any || w->to < end)
		w->to = end;
	w->any = true;
}

bool
nsys_filter_survey(struct nsys_filter *f, struct reader *in)
{
	bool any = false;
	static struct keyset want[KIND_COUNT + 1];
	const struct keyset *before = in->want;

	for (enum kind k = 0; k <= KIND_COUNT; k++)
		keyset_add(&want[k], KEY_kind);
	if (f->by_range)
		keyset_add_all(&want[KIND_range], survey_keys);
	else
		nsys_filter_keys(f, want);
	in->want = want;
	while (reader_next(in))
		if (in->event.kind == KIND_trace)
			next_section(f);
		else if (!f->by_range)
			find_end(f, &in->event);
		else if (in->event.kind == KIND_range)
			find_window(f, &in->event);
	for (size_t i = 0; i < f->count; i++)
		any |= f->windows[i].any;
	nsys_filter_restart(f);
	reader_rewind(in);
	in->want = before;
	return any;
}

/* ---- records ---- */

static void
cover(struct nsys_filter *f, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (end == INT64_MAX) /* it never ended */
		end = ts;
	wall_span_add(&f->covers, ts, end);
}

static bool
overlaps_window(const struct event *ev, int64_t from, int64_t to)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = event_end(ev, ts);

	return ts < to && (ts >= from || end >= from);
}

static bool
was_launched(struct nsys_filter *f, const struct nsys_filter_window *w,
    const struct event *ev)
{
	int64_t at = event_int(ev, KEY_api_ts, 0);

	if (event_has(ev, KEY_api_ts))
		return w->from <= at && at < w->to &&
		       (!w->thread || event_int(ev, KEY_tid, NO_ID) == w->tid);
	return event_has(ev, KEY_corr) &&
	       map_find(&f->kept, (uint64_t)w->pid,
		   (uint64_t)event_int(ev, KEY_corr, 0)) != NULL;
}

/* A projection has the time of its range; operations reach further. */
static bool
is_within(const struct nsys_filter_window *w, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_range_ts, event_int(ev, KEY_ts, 0));

	return w->from <= ts && ts < w->to &&
	       (!w->thread || event_int(ev, KEY_tid, NO_ID) == w->tid);
}

static bool
is_of_range(struct nsys_filter *f, const struct event *ev)
{
	const struct nsys_filter_window *w = section_window(f);
	enum role role = schema_role(ev->kind);
	bool compat = f->compat;
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (!w->any ||
	    (event_has(ev, KEY_pid) && event_int(ev, KEY_pid, 0) != w->pid))
		return false;
	if (!compat && role == ROLE_WORK)
		return was_launched(f, w, ev);
	if (!compat && ev->kind == KIND_gpu_range)
		return is_within(w, ev);
	if (role != ROLE_WORK && w->thread && event_has(ev, KEY_tid) &&
	    event_int(ev, KEY_tid, 0) != w->tid)
		return false;
	if (!overlaps_window(ev, w->from, w->to))
		return false;
	if (role == ROLE_LAUNCH && w->from <= ts && event_has(ev, KEY_corr))
		*map_get(&f->kept, (uint64_t)w->pid,
		    (uint64_t)event_int(ev, KEY_corr, 0)) = 1;
	return true;
}

bool
nsys_filter_keeps(struct nsys_filter *f, const struct event *ev)
{
	enum role role = schema_role(ev->kind);

	if (ev->kind == KIND_trace)
		next_section(f);
	if (role == ROLE_FRAME || role == ROLE_DEF || !event_has(ev, KEY_ts))
		return true;
	if (f->by_range)
		return is_of_range(f, ev);
	cover(f, ev);
	return overlaps_window(ev, f->from, f->to);
}

void
nsys_filter_free(struct nsys_filter *f)
{
	if (f->by_range)
		range_spec_free(&f->spec);
	free(f->windows);
	map_free(&f->kept);
	text_free(&f->scratch);
}
