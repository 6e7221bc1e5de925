/* waiting.c - who waits for whom */

#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tq/io/note.h"
#include "tq/io/status.h"

#include "wait_sums.h"

/* ---- reading ---- */

/* Reports beside each other share the one of the first of them. */
static struct waiting *
share(struct report *r)
{
	struct waiting *w;
	size_t at;

	for (size_t i = 0; r->set != NULL && i < r->set->count; i++) {
		struct report *other = &r->set->all[i];

		if (other == r || other->event != r->event ||
		    other->state == NULL ||
		    *(struct waiting **)other->state == NULL)
			continue;
		w = *(struct waiting **)other->state;
		w->users++;
		return w;
	}
	w = mem_alloc(sizeof(*w));
	w->users = 1;
	w->first = r;
	w->work.job.names = r->names;
	w->work.spec = &r->settings->step;
	if (w->work.spec->name == NULL) {
		range_spec_parse_step(&w->standard, "0..", &at);
		w->work.spec = &w->standard;
	}
	rank_work_open(&w->work);
	return w;
}

static struct waiting *
waiting_of(struct report *r)
{
	struct waiting **w = r->state;

	if (*w == NULL)
		*w = share(r);
	return *w;
}

void
waiting_event(struct report *r, const struct event *ev)
{
	struct waiting *w = waiting_of(r);

	if (w->first != r)
		return;
	rank_work_event(&w->work, ev);
	if (w->work.gave_up)
		errx(TQ_FAIL, "%s: a regular expression took too many steps",
		    r->kind->name);
}

void
waiting_section_end(struct report *r)
{
	struct waiting *w = waiting_of(r);

	if (w->first == r)
		rank_work_section_end(&w->work);
}

/* ---- parts ---- */

static void
write_lines(struct report *r, struct output *o)
{
	work_lines_write(&waiting_of(r)->work, o, r->name);
}

static const char *
read_line(struct report *r, struct span line)
{
	struct waiting *w = waiting_of(r);

	return w->first == r ? work_lines_read(&w->work, &w->part, line) : NULL;
}

const struct part_lines waiting_part_lines = {write_lines, read_line};

/* ---- matching ---- */

static void
take_operation(void *arg, const struct work_operation *op)
{
	struct waiting *w = arg;
	struct rank_entry e = job_entry(&w->work.job, &op->op);

	wait_sums_operation(w, op);
	wait_sums_keep(&e, op);
	instances_add(&w->matching, op->op.comm, &e);
}

/* ---- what could not be matched ---- */

/* A report without a row has another message. */
static void
say_clocks(const struct waiting *w, const char *report, bool has_rows)
{
	const struct job *job = &w->work.job;
	size_t ranks = job->ranks.count;

	if (job->on_clock < 2) {
		if (has_rows && ranks > 1)
			note("%s: the ranks are not on one clock, so that "
			     "operations are not matched: see tq-align(1)",
			    report);
	} else if (job->on_clock < ranks) {
		note("%s: %zu of %zu ranks are not on the clock of the "
		     "others: their operations are not matched",
		    report, ranks - job->on_clock, ranks);
	}
}

static void
say_unmatched(const struct waiting *w, const char *report)
{
	const struct instances *m = &w->matching;
	int64_t unmatched = 0;
	size_t lacks = 0;

	for (size_t i = 0; i < m->rank_count; i++) {
		unmatched += m->ranks[i].unmatched;
		if (m->ranks[i].lacking > m->ranks[lacks].lacking)
			lacks = i;
	}
	if (unmatched == 0 || w->work.job.on_clock < 2)
		return;
	if (m->ranks[lacks].lacking > 0)
		note("%s: %" PRId64 " operations are unmatched: rank %" PRId64
		     " lacks %" PRId64 " of them",
		    report, unmatched, w->work.job.ranks.all[lacks].number,
		    m->ranks[lacks].lacking);
	else
		note("%s: %" PRId64 " operations are unmatched", report,
		    unmatched);
}

static void
say_all(const struct waiting *w, const struct report *r, bool has_rows)
{
	if (!note_wanted() || r->page)
		return;
	say_clocks(w, r->kind->name, has_rows);
	if (w->work.job.unnamed && w->work.job.on_clock > 1)
		note("%s: the stream does not name all communicators: those "
		     "without a name are matched stream by stream, in order",
		    r->kind->name);
	say_unmatched(w, r->kind->name);
}

struct waiting *
waiting_finish(const struct report *r, bool has_rows)
{
	struct waiting *w =
	    r->state != NULL ? *(struct waiting *const *)r->state : NULL;

	if (w == NULL || w->over)
		return w;
	w->over = true;
	job_finish(&w->work.job);
	w->matching.take = wait_sums_instance;
	w->matching.arg = w;
	job_match(&w->work.job, &w->matching);
	rank_work_operations(&w->work, take_operation, w);
	instances_finish(&w->matching);
	say_all(w, r, has_rows);
	return w;
}

void
waiting_close(struct report *r)
{
	struct waiting *w = *(struct waiting **)r->state;

	if (w == NULL || --w->users > 0)
		return;
	for (size_t i = 0; i < w->sizes.count; i++)
		durations_free(&w->sizes.all[i].skews);
	keyed_free(&w->sizes);
	keyed_free(&w->ranks);
	keyed_free(&w->steps);
	keyed_free(&w->instances);
	instances_free(&w->matching);
	rank_work_free(&w->work);
	work_lines_free(&w->part);
	range_spec_free(&w->standard);
	free(w->values);
	free(w);
}

/* ---- results ---- */

long double
waiting_errors(const struct wait_rank *r)
{
	uint64_t n = (uint64_t)r->stretches;
	long double deviation;

	if (n < 2)
		return 0;
	deviation = squares_stddev(&r->squares, n, r->total);
	if (deviation > 0)
		return (long double)r->total /
		       (deviation * sqrtl((long double)n));
	return r->total > 0 ? HUGE_VALL : 0;
}

enum rank_excess
waiting_cause(const wide excess[])
{
	enum rank_excess most = EXCESS_COMPUTE;

	for (enum rank_excess p = EXCESS_COMPUTE; p < EXCESS_PARTS; p++)
		if (excess[p] > excess[most])
			most = p;
	return excess[most] > 0 ? most : EXCESS_PARTS;
}

const char *
waiting_cause_name(enum rank_excess part)
{
	static const char *const names[] = {
	    "compute", "copy", "late", "idle", ""};

	return names[part];
}

int64_t
waiting_wall(const struct waiting *w, size_t rank)
{
	const struct work_rank *r = &w->work.ranks[rank];

	return time_between(r->first, r->until);
}
