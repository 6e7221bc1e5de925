/* waiting.c - who waits for whom */

#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

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
	w->work.names = r->names;
	w->work.spec = &r->settings->step;
	if (w->work.spec->name == NULL) {
		range_spec_parse_step(&w->standard, "0..", &at);
		w->work.spec = &w->standard;
	}
	w->work.rank = NO_ID;
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

/* True if the report is the one that hands records on. */
static bool
is_first(const struct report *r)
{
	for (size_t i = 0; r->set != NULL && i < r->set->count; i++)
		if (r->set->all[i].event == r->event)
			return &r->set->all[i] == r;
	return true;
}

void
waiting_event(struct report *r, const struct event *ev)
{
	struct waiting *w = waiting_of(r);

	if (!is_first(r))
		return;
	rank_work_event(&w->work, ev);
	if (w->work.gave_up)
		errx(TQ_FAIL, "%s: a regular expression took too many steps",
		    r->kind->name);
}

void
waiting_section_end(struct report *r)
{
	if (is_first(r))
		rank_work_section_end(&waiting_of(r)->work);
}

/* ---- matching ---- */

/* the clock that most ranks are on; of equal ones the common one, then the
   first */
static void
choose_clock(struct waiting *w)
{
	const struct rank_work *work = &w->work;

	w->clock = NO_ID;
	for (size_t i = 0; i < work->ranks.count; i++) {
		int64_t clock = work->ranks.all[i].clock;
		size_t count = 0;

		for (size_t k = 0; k < work->ranks.count; k++)
			count += work->ranks.all[k].clock == clock;
		if (count > w->on_clock ||
		    (count == w->on_clock && clock < w->clock)) {
			w->clock = clock;
			w->on_clock = count;
		}
	}
}

/* how many ranks of the clock have operations in each communicator */
static size_t *
count_members(const struct waiting *w)
{
	const struct rank_work *work = &w->work;
	size_t *members = mem_alloc((work->comms.count + 1) * sizeof(*members));

	for (size_t i = 0; i < work->sequences.count; i++) {
		const struct work_sequence *s = &work->sequences.all[i];

		members[s->comm] += work->ranks.all[s->rank].clock == w->clock;
	}
	return members;
}

/* The largest communicator of each rank: of equal ones that with the most
   operations. */
static void
find_largest(struct waiting *w, const size_t *members)
{
	const struct rank_work *work = &w->work;
	int64_t *most = mem_alloc((work->ranks.count + 1) * sizeof(*most));

	w->largest = mem_alloc((work->ranks.count + 1) * sizeof(*w->largest));
	for (size_t i = 0; i < work->sequences.count; i++) {
		const struct work_sequence *s = &work->sequences.all[i];
		size_t than = members[w->largest[s->rank]];

		if (most[s->rank] > 0 &&
		    (members[s->comm] < than || (members[s->comm] == than &&
						    s->count <= most[s->rank])))
			continue;
		w->largest[s->rank] = s->comm;
		most[s->rank] = s->count;
	}
	free(most);
}

/* Communicators with more ranks here than they have are several of one name:
   nobody can tell them apart. */
static bool
is_member(const struct waiting *w, const struct work_sequence *s,
    const size_t *members)
{
	return w->work.ranks.all[s->rank].clock == w->clock &&
	       (s->members == NO_ID ||
		   (uint64_t)s->members >= members[s->comm]);
}

static int32_t
me_of(const struct work_sequence *s)
{
	return s->me >= 0 && s->me <= INT32_MAX ? (int32_t)s->me : -1;
}

/* Ranks become members in order of their numbers: of two that enter together,
   the lower one is the last. */
static void
add_members(struct waiting *w, const size_t *members)
{
	const struct rank_work *work = &w->work;
	size_t *order = waiting_ranks(w);

	for (size_t i = 0; i < work->ranks.count; i++)
		for (size_t k = 0; k < work->sequences.count; k++) {
			const struct work_sequence *s = &work->sequences.all[k];

			if (s->rank == order[i] && is_member(w, s, members))
				instances_member(
				    &w->matching, s->comm, s->rank, me_of(s));
		}
	free(order);
}

/* Ranks and communicators have the same numbers there. */
static void
begin_matching(struct waiting *w, const size_t *members)
{
	const struct rank_work *work = &w->work;

	w->matching.take = wait_sums_instance;
	w->matching.arg = w;
	for (size_t i = 0; i < work->ranks.count; i++) {
		const struct work_rank *r = &work->ranks.all[i];

		instances_rank(&w->matching, r->from, r->to, r->spread);
	}
	for (size_t i = 0; i < work->comms.count; i++)
		instances_comm(&w->matching);
	add_members(w, members);
}

static void
take_operation(void *arg, const struct work_operation *op)
{
	struct waiting *w = arg;
	const struct work_sequence *s =
	    keyed_find(&w->work.sequences, op->rank, op->comm);
	struct rank_entry e = {.rank = op->rank,
	    .kind = op->kind,
	    .me = me_of(s),
	    .peer = op->peer,
	    .start = op->start,
	    .end = op->end,
	    .bytes = op->bytes,
	    .number = s->numbered ? op->number : NO_ID};

	wait_sums_operation(w, op);
	wait_sums_keep(&e, op);
	instances_add(&w->matching, op->comm, &e);
}

/* ---- what could not be matched ---- */

/* A report without a row says it in other words. */
static void
say_clocks(const struct waiting *w, const char *report, bool has_rows)
{
	size_t ranks = w->work.ranks.count;

	if (w->on_clock < 2) {
		if (has_rows && ranks > 1)
			warnx("%s: the ranks are not on one clock, so that "
			      "operations are not matched: see tq-align(1)",
			    report);
	} else if (w->on_clock < ranks) {
		warnx("%s: %zu of %zu ranks are not on the clock of the "
		      "others: their operations are not matched",
		    report, ranks - w->on_clock, ranks);
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
	if (unmatched == 0 || w->on_clock < 2)
		return;
	if (m->ranks[lacks].lacking > 0)
		warnx("%s: %" PRId64 " operations are unmatched: rank %" PRId64
		      " lacks %" PRId64 " of them",
		    report, unmatched, w->work.ranks.all[lacks].number,
		    m->ranks[lacks].lacking);
	else
		warnx("%s: %" PRId64 " operations are unmatched", report,
		    unmatched);
}

static void
say_all(const struct waiting *w, const struct report *r, bool has_rows)
{
	if (r->settings->quiet)
		return;
	say_clocks(w, r->kind->name, has_rows);
	if (w->work.unnamed && w->on_clock > 1)
		warnx("%s: the stream does not name all communicators: those "
		      "without a name are matched stream by stream, in order",
		    r->kind->name);
	say_unmatched(w, r->kind->name);
}

struct waiting *
waiting_finish(const struct report *r, bool has_rows)
{
	struct waiting *w =
	    r->state != NULL ? *(struct waiting *const *)r->state : NULL;
	size_t *members;

	if (w == NULL || w->over)
		return w;
	w->over = true;
	rank_work_finish(&w->work);
	choose_clock(w);
	members = count_members(w);
	find_largest(w, members);
	begin_matching(w, members);
	free(members);
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
	range_spec_free(&w->standard);
	free(w->largest);
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
	return deviation > 0
		   ? (long double)r->total / (deviation * sqrtl((long double)n))
		   : 0;
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

size_t *
waiting_ranks(const struct waiting *w)
{
	size_t n = w->work.ranks.count;
	size_t *order = mem_alloc((n + 1) * sizeof(*order));

	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		while (k > 0 && w->work.ranks.all[order[k - 1]].number >
				    w->work.ranks.all[i].number) {
			order[k] = order[k - 1];
			k--;
		}
		order[k] = i;
	}
	return order;
}

int64_t
waiting_wall(const struct work_rank *r)
{
	return r->first != NO_ID ? time_between(r->first, r->until) : 0;
}
