/*
 * waiting_reports.c - collectives, stragglers, ranks, critical; and the page's
 */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tq/show/col.h"
#include "wait_sums.h"
#include "waiting_reports.h"

/* Excess below this share of the wall, in %, and below so many standard errors
   is no finding. */
enum { FINDING_PERCENT = 1, FINDING_ERRORS = 4 };

static bool
has_word(const struct report *r, const char *word)
{
	return r->arg != NULL && strcmp(r->arg, word) == 0;
}

/* Why there are no instances. */
static void
set_missing(struct report *r, const struct waiting *w, const char *otherwise)
{
	if (w != NULL && w->work.job.on_clock < 2)
		r->missing = w->work.job.ranks.count < 2
				 ? "the stream has one rank"
				 : "the ranks are not on one clock: "
				   "tq-align(1) puts them on one";
	else
		r->missing = otherwise;
}

/* ---- collectives ---- */

struct size_line {
	const struct wait_size *s;
	struct span comm;
};

/* of skews; the middle of the last bucket may be beyond the largest */
static int64_t
quantile(const struct wait_size *s, unsigned permille)
{
	int64_t v = durations_quantile(&s->skews, permille);

	return v < s->skew ? v : s->skew;
}

static void
add_size(struct table *t, const struct size_line *l)
{
	const struct wait_size *s = l->s;
	bool any = s->instances > 0, moves = s->moving > 0;
	int64_t ns = s->moving < INT64_MAX ? (int64_t)s->moving : INT64_MAX;

	col_shared_text(t, "Communicator", l->comm);
	col_text(t, "Operation", operation_word(s->kind));
	col_int_if(t, "Size From", UNIT_SIZE, s->size > 0,
	    s->size > 0 ? dist_bucket_from(s->size - 1) : 0);
	col_int_if(t, "Ranks", UNIT_NONE, any, s->ranks);
	col_int(t, "Operations", UNIT_NONE, s->operations);
	col_int_if(t, "Instances", UNIT_NONE, any, s->instances);
	col_int(t, "Unmatched", UNIT_NONE, s->operations - s->matched);
	col_sum_if(t, "Bytes", UNIT_SIZE, s->size > 0, s->bytes);
	col_sum(t, "Total Time", UNIT_TIME, s->time);
	col_sum_if(t, "Wait", UNIT_TIME, s->matched > 0, s->wait);
	col_sum_if(t, "Transfer", UNIT_TIME, s->matched > 0, s->transfer);
	col_rate(t, "Algorithm BW", s->moved, moves ? ns : 0);
	col_rate(t, "Bus BW", s->bus, moves ? ns : 0);
	col_int_if(t, "Skew Med", UNIT_TIME, any, quantile(s, 500));
	col_int_if(t, "Skew P99", UNIT_TIME, any, quantile(s, 990));
	col_int_if(t, "Skew Max", UNIT_TIME, any, s->skew);
}

static int
by_time(const void *pa, const void *pb)
{
	const struct wait_size *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

void
waiting_reports_collectives(struct report *r, struct table *t)
{
	static const struct wait_size none;
	struct waiting *w = waiting_finish(r, true);

	col_heading(t, add_size, &(struct size_line){.s = &none});
	if (w == NULL || w->sizes.count == 0)
		return;
	qsort(w->sizes.all, w->sizes.count, sizeof(none), by_time);
	for (size_t i = 0; i < w->sizes.count; i++) {
		const struct wait_size *s = &w->sizes.all[i];

		add_size(t, &(struct size_line){
				s, intern_text(&w->work.job.comms, s->comm)});
	}
}

/* ---- which rank a row is of ---- */

struct rank_row {
	const struct job_rank *rank; /* NULL: of several, on one node */
	struct span node;
	unsigned axes; /* that have columns, a bit each */
};

/* as MESH_WORDS has them */
static const char *const axis_columns[MESH_AXES] = {
    "DP", "PP", "CP", "TP", "DCP", "EP"};

static void
add_rank_row(struct table *t, const struct rank_row *l)
{
	const struct job_rank *r = l->rank;

	col_shared_text(t, "Node", l->node);
	col_int_if(t, "Rank", UNIT_NONE, r != NULL, r != NULL ? r->number : 0);
	for (int i = 0; i < MESH_AXES; i++)
		if (l->axes >> i & 1)
			col_int_if(t, axis_columns[i], UNIT_NONE,
			    r != NULL && mesh_has(&r->mesh, i),
			    r != NULL ? r->mesh.at[i] : 0);
	col_id(t, "PID", r != NULL ? r->pid : NO_ID);
	col_id(t, "Device", r != NULL ? r->device : NO_ID);
}

static struct rank_row
row_of(const struct job *j, const struct job_rank *r)
{
	return (struct rank_row){r, r->host, j->axes};
}

/* of a heading: by_node if rows are of several ranks */
static struct rank_row
heading_of(const struct waiting *w, bool by_node)
{
	return (struct rank_row){
	    .axes = w != NULL && !by_node ? w->work.job.axes : 0};
}

/* ---- stragglers ---- */

struct straggler_line {
	struct rank_row of;
	struct span comm;
	bool with_comm;
	int64_t wall; /* ns of all of its ranks */
	const struct wait_rank *sums;
};

/* the cause of a finding; EXCESS_PARTS: it is none */
static enum rank_excess
finding_of(const struct straggler_line *l)
{
	const struct wait_rank *s = l->sums;

	if (s->total * 100 < (wide)l->wall * FINDING_PERCENT || l->wall <= 0 ||
	    waiting_errors(s) < FINDING_ERRORS)
		return EXCESS_PARTS;
	return waiting_cause(s->excess);
}

/* as tq-filter --time has them */
static void
add_windows(struct text *t, const struct wait_stretch worst[])
{
	for (int i = 0; i < WORST && worst[i].excess > 0; i++)
		text_printf(t, "%s%" PRId64 "ns:%" PRId64 "ns",
		    i > 0 ? " " : "", worst[i].from, worst[i].to);
}

static void
add_parts(struct table *t, const wide excess[], bool any)
{
	static const char *const names[] = {
	    "Excess Compute", "Excess Copy", "Excess Late", "Excess Idle"};

	for (int p = 0; p < EXCESS_PARTS; p++)
		col_sum_if(t, names[p], UNIT_TIME, any, excess[p]);
}

static void
add_excess(struct table *t, const struct straggler_line *l)
{
	enum rank_excess cause = finding_of(l);
	long double errors = waiting_errors(l->sums);
	bool any = l->sums->stretches > 0;
	struct text windows = {0};

	add_parts(t, l->sums->excess, any);
	col_share(t, "Excess of Wall", l->sums->total, any ? l->wall : 0);
	col_real_if(t, "Standard Errors", UNIT_NONE,
	    l->sums->stretches > 1 && errors < HUGE_VALL,
	    errors < HUGE_VALL ? errors : 0, 1);
	col_text(t, "Finding", span_of(waiting_cause_name(cause)));
	if (cause != EXCESS_PARTS)
		add_windows(&windows, l->sums->worst[cause]);
	col_text(t, "Worst", text_span(&windows));
	text_free(&windows);
}

static void
add_straggler(struct table *t, const struct straggler_line *l)
{
	const struct wait_rank *s = l->sums;

	if (l->with_comm)
		col_shared_text(t, "Communicator", l->comm);
	add_rank_row(t, &l->of);
	col_int(t, "Instances", UNIT_NONE, s->instances);
	col_int(t, "Last", UNIT_NONE, s->last);
	col_real(t, "By Chance", UNIT_NONE, (long double)s->chance / 1e6L, 1);
	col_int(t, "Undecided", UNIT_NONE, s->undecided);
	col_sum(t, "Wait", UNIT_TIME, s->wait);
	col_sum(t, "Cost", UNIT_TIME, s->cost);
	col_sum(t, "Lead", UNIT_TIME, s->lead);
	col_share(t, "Lead of Wall", s->lead, l->wall);
	add_excess(t, l);
}

/* The sums of each rank in all of its communicators, by index; free(3) them. */
static struct wait_rank *
sums_of_ranks(const struct waiting *w)
{
	size_t count = w->work.job.ranks.count;
	struct wait_rank *sums = mem_alloc((count + 1) * sizeof(*sums));

	for (size_t i = 0; i < count; i++)
		sums[i].rank = (uint32_t)i;
	for (size_t i = 0; i < w->ranks.count; i++)
		wait_sums_add(&sums[w->ranks.all[i].rank], &w->ranks.all[i]);
	return sums;
}

static void
straggler_rows(struct table *t, const struct waiting *w)
{
	struct wait_rank *sums = sums_of_ranks(w);
	size_t *order = job_order(&w->work.job);

	for (size_t i = 0; i < w->work.job.ranks.count; i++) {
		const struct job_rank *r = &w->work.job.ranks.all[order[i]];

		if (sums[order[i]].instances > 0)
			add_straggler(t, &(struct straggler_line){
					     .of = row_of(&w->work.job, r),
					     .wall = waiting_wall(w, order[i]),
					     .sums = &sums[order[i]]});
	}
	free(order);
	free(sums);
}

/* the sums of the ranks of each host */
struct node_sums {
	struct wait_rank sums;
	int64_t wall;
};

static void
node_rows(struct table *t, const struct waiting *w)
{
	struct intern hosts = {0};
	struct node_sums *all =
	    mem_alloc((w->work.job.ranks.count + 1) * sizeof(*all));
	struct wait_rank *sums = sums_of_ranks(w);
	size_t *order = job_order(&w->work.job);

	for (size_t i = 0; i < w->work.job.ranks.count; i++) {
		const struct job_rank *r = &w->work.job.ranks.all[order[i]];
		uint32_t n = intern_get(&hosts, r->host);

		wait_sums_add(&all[n].sums, &sums[order[i]]);
		all[n].wall = time_end(all[n].wall, waiting_wall(w, order[i]));
	}
	for (uint32_t n = 0; n < hosts.count; n++)
		if (all[n].sums.instances > 0)
			add_straggler(t, &(struct straggler_line){
					     .of.node = intern_text(&hosts, n),
					     .wall = all[n].wall,
					     .sums = &all[n].sums});
	intern_free(&hosts);
	free(order);
	free(sums);
	free(all);
}

static void
communicator_rows(struct table *t, const struct waiting *w)
{
	size_t *order = job_order(&w->work.job);

	for (uint32_t c = 0; c < w->work.job.comms.count; c++)
		for (size_t i = 0; i < w->work.job.ranks.count; i++) {
			const struct job_rank *r =
			    &w->work.job.ranks.all[order[i]];
			const struct wait_rank *s =
			    keyed_find(&w->ranks, order[i], c);

			if (s == NULL)
				continue;
			add_straggler(
			    t, &(struct straggler_line){
				   .of = row_of(&w->work.job, r),
				   .with_comm = true,
				   .comm = intern_text(&w->work.job.comms, c),
				   .wall = waiting_wall(w, order[i]),
				   .sums = s});
		}
	free(order);
}

void
waiting_reports_stragglers(struct report *r, struct table *t)
{
	static const struct wait_rank none;
	struct waiting *w = waiting_finish(r, false);
	bool by_comm = has_word(r, "communicator");

	col_heading(t, add_straggler,
	    &(struct straggler_line){.of = heading_of(w, has_word(r, "node")),
		.with_comm = by_comm,
		.sums = &none});
	if (w == NULL)
		return;
	set_missing(r, w, "no operation of communication is of two ranks");
	if (by_comm)
		communicator_rows(t, w);
	else if (has_word(r, "node"))
		node_rows(t, w);
	else
		straggler_rows(t, w);
}

/* ---- ranks ---- */

enum rank_column {
	RANK_STEPS,
	RANK_MEDIAN,
	RANK_P99,
	RANK_TIME,
	RANK_WAIT,
	RANK_PARTS,
	RANK_COLUMNS = RANK_PARTS + ACCOUNT_PARTS
};

static const struct {
	const char *name;
	enum unit unit;
} rank_columns[] = {{"Steps", UNIT_NONE}, {"Step Med", UNIT_TIME},
    {"Step P99", UNIT_TIME}, {"Time", UNIT_TIME}, {"Wait", UNIT_TIME},
    {"Compute", UNIT_TIME}, {"Communication", UNIT_TIME}, {"Copy", UNIT_TIME},
    {"Idle Sync", UNIT_TIME}, {"Idle Host", UNIT_TIME},
    {"Idle Launch", UNIT_TIME}, {"Idle Next", UNIT_TIME},
    {"Idle Queue", UNIT_TIME}, {"Idle Unknown", UNIT_TIME}};

_Static_assert(sizeof(rank_columns) / sizeof(*rank_columns) == RANK_COLUMNS,
    "each column has a name");

struct rank_line {
	struct rank_row of;
	bool matched; /* waits are known */
	wide lead;    /* its sum of leads */
	int64_t v[RANK_COLUMNS];
};

static bool
has_value(const struct rank_line *l, int column)
{
	if (column == RANK_WAIT)
		return l->matched;
	return column == RANK_TIME || column >= RANK_PARTS || l->v[column] > 0;
}

static void
add_rank(struct table *t, const struct rank_line *l)
{
	add_rank_row(t, &l->of);
	for (int i = 0; i < RANK_COLUMNS; i++)
		col_int_if(t, rank_columns[i].name, rank_columns[i].unit,
		    has_value(l, i), l->v[i]);
}

/* the largest of all ranks divided by the least */
struct spread_line {
	int64_t ranks, most[RANK_COLUMNS], least[RANK_COLUMNS];
};

static void
add_spread(struct table *t, const struct spread_line *l)
{
	col_int(t, "Ranks", UNIT_NONE, l->ranks);
	for (int i = 0; i < RANK_COLUMNS; i++)
		col_real_if(t, rank_columns[i].name, UNIT_NONE, l->least[i] > 0,
		    l->least[i] > 0
			? (long double)l->most[i] / (long double)l->least[i]
			: 0,
		    2);
}

/* the median and the 99th percentile of steps, by nearest rank */
static void
set_steps(struct rank_line *l, const struct work_process *p)
{
	struct dist steps = {0};

	for (size_t i = 0; i < p->count; i++)
		dist_add(&steps, time_between(p->all[i].ts, p->all[i].end));
	dist_sort(&steps);
	l->v[RANK_STEPS] = (int64_t)p->count;
	if (p->count > 0) {
		l->v[RANK_MEDIAN] = dist_quantile(&steps, 500);
		l->v[RANK_P99] = dist_quantile(&steps, 990);
	}
	dist_free(&steps);
}

static struct rank_line
line_of(const struct waiting *w, size_t rank, const struct wait_rank *sum)
{
	const struct job_rank *r = &w->work.job.ranks.all[rank];
	const struct work_process *p = rank_work_steps(&w->work, rank);
	const int64_t *parts = rank_work_parts(&w->work, rank);
	struct rank_line l = {.of = row_of(&w->work.job, r),
	    .matched = sum->instances > 0,
	    .lead = sum->lead};
	wide wait = p->count > 0 ? sum->in_steps : sum->wait;

	set_steps(&l, p);
	l.v[RANK_WAIT] = wait < INT64_MAX ? (int64_t)wait : INT64_MAX;
	for (int i = 0; i < ACCOUNT_PARTS; i++) {
		l.v[RANK_PARTS + i] = parts[i];
		l.v[RANK_TIME] = time_end(l.v[RANK_TIME], parts[i]);
	}
	return l;
}

/* Add a rank to its node: sums, but of steps the slowest. */
static void
add_to_node(struct rank_line *node, const struct rank_line *l)
{
	for (int i = 0; i < RANK_COLUMNS; i++)
		if (i != RANK_MEDIAN && i != RANK_P99)
			node->v[i] = time_end(node->v[i], l->v[i]);
		else if (node->v[i] < l->v[i])
			node->v[i] = l->v[i];
	node->matched |= l->matched;
}

/* the lines of all ranks, or of all nodes; free(3) them */
static struct rank_line *
rank_lines(const struct waiting *w, bool by_node, size_t *count)
{
	struct rank_line *all = NULL;
	struct intern hosts = {0};
	struct wait_rank *sums = sums_of_ranks(w);
	size_t cap = 0, *order = job_order(&w->work.job);

	*count = 0;
	for (size_t i = 0; i < w->work.job.ranks.count; i++) {
		struct rank_line l = line_of(w, order[i], &sums[order[i]]);
		size_t n = by_node ? intern_get(&hosts, l.of.node) : i;

		if (n < *count) {
			add_to_node(&all[n], &l);
			continue;
		}
		if (by_node)
			l.of = (struct rank_row){.node = l.of.node};
		*array_add(&all, count, &cap) = l;
	}
	intern_free(&hosts);
	free(order);
	free(sums);
	return all;
}

static struct spread_line
spread_of(const struct rank_line *all, size_t count)
{
	struct spread_line s = {.ranks = (int64_t)count};

	for (int i = 0; i < RANK_COLUMNS; i++) {
		s.most[i] = s.least[i] = all[0].v[i];
		for (size_t k = 1; k < count; k++) {
			if (s.most[i] < all[k].v[i])
				s.most[i] = all[k].v[i];
			if (s.least[i] > all[k].v[i])
				s.least[i] = all[k].v[i];
		}
	}
	return s;
}

static void
spread_row(struct table *t, const struct rank_line *all, size_t count)
{
	struct spread_line s = {0};

	col_heading(t, add_spread, &s);
	if (count == 0)
		return;
	s = spread_of(all, count);
	add_spread(t, &s);
}

/* a time of the worst rank beside that of the median one */
struct beside_line {
	const struct rank_line *worst;
	int column;
	int64_t median;
};

static void
add_beside(struct table *t, const struct beside_line *l)
{
	int64_t v = l->worst->v[l->column];

	col_text(t, "Part", span_of(rank_columns[l->column].name));
	add_rank_row(t, &l->worst->of);
	col_int(t, "Time", UNIT_TIME, v);
	col_int(t, "Median of Ranks", UNIT_TIME, l->median);
	col_int(t, "Difference", UNIT_TIME, v - l->median);
}

static int64_t
median_of(const struct rank_line *all, size_t count, int column)
{
	struct dist values = {0};
	int64_t median;

	for (size_t i = 0; i < count; i++)
		dist_add(&values, all[i].v[column]);
	dist_sort(&values);
	median = dist_quantile(&values, 500);
	dist_free(&values);
	return median;
}

/* the rank that the others wait for most, by its leads; NULL: none */
static const struct rank_line *
worst_of(const struct rank_line *all, size_t count)
{
	const struct rank_line *worst = NULL;

	for (size_t i = 0; i < count; i++)
		if (all[i].lead > (worst != NULL ? worst->lead : 0))
			worst = &all[i];
	return worst;
}

static void
beside_rows(struct table *t, const struct waiting *w,
    const struct rank_line *all, size_t count)
{
	const struct rank_line none = {.of = heading_of(w, false)};
	const struct rank_line *worst = worst_of(all, count);

	col_heading(t, add_beside, &(struct beside_line){.worst = &none});
	for (int i = RANK_MEDIAN; worst != NULL && i < RANK_COLUMNS; i++) {
		struct beside_line l = {worst, i, median_of(all, count, i)};

		if (worst->v[i] != 0 || l.median != 0)
			add_beside(t, &l);
	}
}

static void
rank_rows(struct table *t, const struct rank_row *heading,
    const struct rank_line *all, size_t count)
{
	col_heading(t, add_rank, &(struct rank_line){.of = *heading});
	for (size_t i = 0; i < count; i++)
		add_rank(t, &all[i]);
}

void
waiting_reports_worst(struct report *r, struct table *t)
{
	struct waiting *w = waiting_finish(r, true);
	struct rank_line *all = NULL;
	size_t count = 0;

	if (w != NULL)
		all = rank_lines(w, false, &count);
	set_missing(r, w, "no rank is waited for");
	beside_rows(t, w, all, count);
	free(all);
}

static void
ranks_table_of(struct report *r, struct table *t)
{
	struct waiting *w = waiting_finish(r, true);
	bool by_node = has_word(r, "node");
	struct rank_row heading = heading_of(w, by_node);
	struct rank_line *all = NULL;
	size_t count = 0;

	if (has_word(r, "worst")) {
		waiting_reports_worst(r, t);
		return;
	}
	if (w != NULL)
		all = rank_lines(w, by_node, &count);
	if (has_word(r, "spread"))
		spread_row(t, all, count);
	else
		rank_rows(t, &heading, all, count);
	free(all);
}

/* ---- critical ---- */

struct step_line {
	struct rank_row of;
	const struct wait_step *s;
	int64_t time, instances;
};

static void
add_step(struct table *t, const struct step_line *l)
{
	const struct wait_step *s = l->s;

	col_int(t, "Step", UNIT_NONE, s->step);
	add_rank_row(t, &l->of);
	col_text(
	    t, "Part", span_of(waiting_cause_name(waiting_cause(s->excess))));
	col_int_if(t, "Time", UNIT_TIME, l->time > 0, l->time);
	col_sum(t, "Lead", UNIT_TIME, s->lead);
	col_share(t, "Lead of Time", s->lead, l->time);
	col_sum(t, "Cost", UNIT_TIME, s->cost);
	col_int(t, "Last", UNIT_NONE, s->last);
	col_int(t, "Instances", UNIT_NONE, l->instances);
	add_parts(t, s->excess, true);
}

/* the time of the step of that number; 0: the rank has none */
static int64_t
time_of_step(const struct waiting *w, size_t rank, int64_t step)
{
	const struct work_process *p = rank_work_steps(&w->work, rank);

	for (size_t i = 0; i < p->count; i++)
		if (p->all[i].number == step)
			return time_between(p->all[i].ts, p->all[i].end);
	return 0;
}

/* by step, that with the largest lead first, then the lowest rank */
static int
by_step(const void *pa, const void *pb, void *waiting)
{
	const struct wait_step *a = pa, *b = pb;
	const struct waiting *w = waiting;
	const struct job_rank *ranks = w->work.job.ranks.all;

	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	if (a->lead != b->lead)
		return a->lead > b->lead ? -1 : 1;
	return (ranks[a->rank].number > ranks[b->rank].number) -
	       (ranks[a->rank].number < ranks[b->rank].number);
}

static void
critical_table(struct report *r, struct table *t)
{
	static const struct wait_step none;
	struct waiting *w = waiting_finish(r, false);
	const struct wait_step *all;

	col_heading(t, add_step,
	    &(struct step_line){.of = heading_of(w, false), .s = &none});
	if (w == NULL)
		return;
	set_missing(r, w, "no collective of several ranks is in a step");
	if (w->steps.count == 0)
		return;
	all = w->steps.all; /* nothing is looked up in them any more */
	qsort_r(w->steps.all, w->steps.count, sizeof(none), by_step, w);
	for (size_t i = 0; i < w->steps.count; i++) {
		const struct job_rank *rank =
		    &w->work.job.ranks.all[all[i].rank];
		const int64_t *instances =
		    keyed_find(&w->instances, (uint64_t)all[i].step, 0);

		if (i > 0 && all[i].step == all[i - 1].step)
			continue;
		add_step(t,
		    &(struct step_line){row_of(&w->work.job, rank), &all[i],
			time_of_step(w, all[i].rank, all[i].step), *instances});
	}
}

/* ---- the reports ---- */

#define WAITING_KINDS \
	(KINDS(trace) | KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | \
	    KINDS(graph) | KINDS(api) | KINDS(osrt) | KINDS(overhead) | \
	    KINDS(range) | KINDS(process))

#define WAITING \
	.all_ranks = true, .kinds = WAITING_KINDS, .wanted = rank_work_keys, \
	.size = sizeof(struct waiting *), .event = waiting_event, \
	.section_end = waiting_section_end, .close = waiting_close, \
	.part_lines = &waiting_part_lines

const struct report_kind waiting_reports[] = {
    {.name = "collectives",
	.question = ASKS_RANKS,
	.title = "Collectives and Messages of All Ranks",
	.missing = "no kernel in the stream is of NCCL or RCCL",
	.table = waiting_reports_collectives,
	WAITING},
    {.name = "stragglers",
	.question = ASKS_RANKS,
	.title = "Which Ranks the Others Wait for",
	.args = "rank|node|communicator",
	.missing = "no operation of communication is of two ranks",
	.table = waiting_reports_stragglers,
	WAITING},
    {.name = "ranks",
	.question = ASKS_RANKS,
	.rows = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.title = "What Each Rank Does",
	.args = "rank|node|spread|worst",
	.missing = "no operation of a device in the stream",
	.table = ranks_table_of,
	WAITING},
    {.name = "critical",
	.question = ASKS_RANKS,
	.title = "Which Rank Decides Each Step",
	.missing = "no collective of several ranks is in a step",
	.table = critical_table,
	WAITING},
    {0},
};

/* ---- of the page ---- */

/*
 * Most recordings are of one rank, and cost no more here than a look at each
 * record: events count where tq-align has been, or where several devices are
 * defined before the first of them.
 */
struct of_page {
	struct waiting *w; /* as of the other reports */
	bool aligned;      /* a section has a clock of tq-align */
	int64_t error;     /* the largest of these; NO_ID: one is not known */
	size_t devices;    /* of the section, defined so far */
	bool begun, on;    /* its first event was there; events count */
};

static void
take_clock(struct of_page *s, const struct event *ev)
{
	int64_t error = event_int(ev, KEY_clock_error, NO_ID);

	s->on = event_has(ev, KEY_clock_by);
	if (!s->on)
		return;
	s->aligned = true;
	if (error == NO_ID || (s->error != NO_ID && s->error < error))
		s->error = error;
}

static void
page_event(struct report *r, const struct event *ev)
{
	struct of_page *s = r->state;

	if (ev->kind == KIND_trace) {
		take_clock(s, ev);
	} else if (ev->kind == KIND_device) {
		s->devices++;
		return;
	} else if (ev->kind != KIND_process) {
		s->on |= !s->begun && s->devices > 1;
		s->begun = true;
		if (!s->on)
			return;
	}
	waiting_event(r, ev);
}

static void
page_section_end(struct report *r)
{
	struct of_page *s = r->state;

	waiting_section_end(r);
	s->devices = 0;
	s->begun = s->on = false;
}

bool
waiting_reports_clocks(const struct report *r, struct waiting_clocks *c)
{
	const struct of_page *s = r->state;
	const struct waiting *w = waiting_finish(r, true);

	if (w == NULL || w->work.job.on_clock < 2)
		return false;
	*c = (struct waiting_clocks){.ranks = w->work.job.ranks.count,
	    .on_clock = w->work.job.on_clock,
	    .aligned = s->aligned,
	    .error = s->error};
	return true;
}

void
waiting_reports_add_rank(const struct report *r, size_t row, struct text *t)
{
	const struct waiting *w = waiting_finish(r, false);
	const struct job *job = &w->work.job;
	struct wait_rank *sums = sums_of_ranks(w);
	size_t *order = job_order(job), at = 0;

	while (sums[order[at]].instances == 0 || row-- > 0)
		at++;
	job_add_rank(job, order[at], t);
	if (job->ranks.all[order[at]].host.len > 0) {
		text_add_str(t, " on ");
		text_add_span(t, job->ranks.all[order[at]].host);
	}
	free(order);
	free(sums);
}

static void
page_keys(struct keyset want[KIND_COUNT + 1])
{
	rank_work_keys(want);
	keyset_add(&want[KIND_trace], KEY_clock_error);
}

const struct report_kind waiting_reports_page = {
    .name = "page_ranks",
    .title = "Which Ranks the Others Wait for",
    .missing = "no operation of communication is of two ranks",
    .kinds = WAITING_KINDS | KINDS(device),
    .wanted = page_keys,
    .size = sizeof(struct of_page),
    .event = page_event,
    .section_end = page_section_end,
    .close = waiting_close,
};
