/*
 * where.h - the selections that say where in the trace: windows of time,
 * ranges, steps, what is between the calls that start and stop a profiler.
 * Several of one sort add up; all sorts that are given have to agree.
 */
#ifndef WHERE_H
#define WHERE_H

#include "tq/line/event.h"
#include "tq/base/map.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"

#include "section.h"
#include "spans.h"

#define ANY_THREAD INT64_MAX /* of a process, as if they were one */

struct place;
struct step; /* one that the survey saw */

struct where {
	/* asked for */
	struct window time;
	bool has_time, profiler;
	struct range_spec *ranges, *steps;
	size_t range_count, step_count;
	bool by_time;     /* what ran there, not what was launched there */
	bool per_process; /* a range has the threads of its process */

	/* found out */
	const char *error; /* a pattern was given up on */
	int64_t profiled;  /* calls that start a profiler */
	int64_t steps_seen;
	bool step_found;

	struct place *places; /* the spans of each section */
	size_t place_cap;

	/* in the section at hand */
	uint64_t section;
	int64_t from, to;
	struct map step_counts, step_ends; /* (spec, pid), (pid, tid) */
	struct step *surveyed;
	size_t surveyed_count, surveyed_cap;
	struct text scratch;
};

/* Is there any such selection? */
bool where_given(const struct where *w);

/* Does one need a pass of where_survey before the others? */
bool where_needs_survey(const struct where *w);

/* What the functions below need to know of records is added to want. */
void where_keys(const struct where *w, struct keyset *want);

/* Section number n, from 0, begins; s is what is known of it. */
void where_section(struct where *w, uint64_t n, const struct section *s);

/* The survey: note a record, sum up at the end of its section. */
void where_survey(struct where *w, const struct event *ev);
void where_survey_end(struct where *w);

/*
 * Does what goes on in (pid, tid) at [ts, end] start where it is asked for?
 * *whole becomes false where it does not end there.
 */
bool where_inside(const struct where *w, int64_t pid, int64_t tid, int64_t ts,
    int64_t end, bool *whole);

/*
 * After a whole pass: print what was not found at all, as a warning, or as an
 * error that makes it return false.  sections are all that there were.
 */
bool where_found(
    const struct where *w, const struct section *sections, size_t count);

void where_free(struct where *w);

#endif
