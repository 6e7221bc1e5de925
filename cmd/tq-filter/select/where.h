/*
 * where.h - the selections by place in the trace: a window of time, ranges,
 * steps, the time between the calls that start and stop a profiler.  Several
 * ranges or steps add up; a record has to match each sort that is given.
 */
#ifndef WHERE_H
#define WHERE_H

#include "tq/line/event.h"
#include "tq/base/map.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"

#include "section.h"
#include "spans.h"

#define WHERE_ALL_THREADS INT64_MAX /* a process as one thread */

struct range_hint;
struct where_spans;
struct surveyed_step;

struct where {
	/* the options */
	struct window time;
	bool profiler;
	struct range_spec *ranges, *steps;
	struct range_hint *hints; /* of ranges */
	size_t range_count, step_count;
	bool by_time;     /* operations by their own time, not their launch */
	bool per_process; /* a range is on all threads of its process */

	/* the results of the survey */
	const char *error; /* a pattern was given up on */
	int64_t profiled;  /* calls that start a profiler */
	int64_t steps_seen;
	bool step_found;

	struct where_spans *spans; /* of each section */
	size_t spans_cap;

	/* the current section */
	uint64_t section;
	int64_t from, to;
	struct map step_counts, step_ends; /* (spec, pid), (pid, tid) */
	struct surveyed_step *surveyed;
	size_t surveyed_count, surveyed_cap;
	struct text scratch;
};

/* True if there is such a selection. */
bool where_given(const struct where *w);

/* True if one needs a pass of where_survey before the others. */
bool where_needs_survey(const struct where *w);

/* Add to want the keys that the functions below need. */
void where_keys(const struct where *w, struct keyset *want);

/* Section number n, from 0, begins. */
void where_section(struct where *w, uint64_t n, const struct section *s);

/* The survey: a record, and the end of its section. */
void where_survey(struct where *w, const struct event *ev);
void where_survey_end(struct where *w);

/*
 * True if a record of (pid, tid) at [ts, end] starts in the selected place.
 * *whole becomes false if it does not end there.
 */
bool where_inside(const struct where *w, int64_t pid, int64_t tid, int64_t ts,
    int64_t end, bool *whole);

/*
 * After a whole pass over the sections: warn of selections that nothing
 * matches. False if that is an error.
 */
bool where_found(
    const struct where *w, const struct section *sections, size_t count);

void where_free(struct where *w);

#endif
