/* tables.c - the tables of the page */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "tq/names/fold_name.h"
#include "page_table.h"
#include "tq/show/amount.h"
#include "tq/show/short_names.h"
#include "page_reports.h"
#include "ranges/averages.h"
#include "ranges/pushpop.h"
#include "sums/launch.h"
#include "sums/samples.h"
#include "time/serve_steps.h"
#include "time/step.h"

/* ---- rows ---- */

/* of sorted values */
static void
add_median(struct page_row *r, const struct dist *d)
{
	struct page_cell *c =
	    page_table_cell(r, PAGE_TIME, (int64_t)(dist_median2(d) / 2));

	c->approximate = d->sketch != NULL;
}

/* The groups of a report, the largest first; none without the report. */
static struct groups *
sorted_groups(struct page_draft *f, const char *report, groups_order *order)
{
	struct report *r = page_draft_report(f, report);

	if (r == NULL)
		return &f->none;
	families_settle(&r->families, &r->groups);
	groups_sort(&r->groups, order);
	return &r->groups;
}

static dist_wide
sum_of(const struct groups *gs)
{
	dist_wide sum = 0;

	for (size_t i = 0; i < gs->count; i++)
		sum += gs->all[i]->values.sum;
	return sum;
}

static size_t
rows_of(const struct groups *gs)
{
	return gs->count < PAGE_ROWS ? gs->count : PAGE_ROWS;
}

static struct span
saved_key(struct page_draft *f, const struct group *g)
{
	return region_copy(&f->p->life, groups_key(g, 0));
}

/* "of 300 ms x 2 GPUs" */
static void
add_gpu_time(struct page_draft *f)
{
	const struct page *p = f->p;

	text_add_str(&f->text, "of ");
	if (!page_draft_same_span(f)) {
		page_draft_add_span(f, &f->text);
		return;
	}
	amount_time(&f->text, page_gpu_length(&p->gpus[0]));
	if (p->gpu_count > 1)
		text_printf(&f->text, " x %zu GPUs", p->gpu_count);
}

/* ---- GRAPHS, KERNELS ---- */

static void
duration_columns(struct page_table *t, const char *name)
{
	PAGE_TABLE_COLUMNS(t, {"%", 0, false}, {"", 4, true},
	    {"Time", 0, false}, {"N", 6, false}, {"Median", 5, false},
	    {"Min", 1, false}, {"Max", 3, false}, {"Spread", 2, true},
	    {name, 0, true});
}

/* All of a row but its name. */
static struct page_row
duration_row(struct page_draft *f, struct page_table *t, struct group *g)
{
	struct dist *d = &g->values;
	int64_t time = page_draft_sum(f, d->sum);
	struct page_row r = page_table_row(t, time);

	dist_sort(d);
	page_table_share(&r, PAGE_SHARE, time, t->base);
	page_table_share(&r, PAGE_BAR, time, t->base);
	page_table_cell(&r, PAGE_TIME, time);
	page_table_cell(&r, PAGE_COUNT, (int64_t)d->count);
	add_median(&r, d);
	page_table_cell(&r, PAGE_TIME, dist_min(d));
	page_table_cell(&r, PAGE_TIME, dist_max(d));
	page_table_cell(&r, PAGE_SPREAD, 0)->times = d;
	return r;
}

/* Shares of graphs and of kernels have one base. */
static void
set_work_base(struct page_draft *f, struct page_table *t,
    const struct groups *graphs, const struct groups *kernels)
{
	t->base = page_draft_sum(f, sum_of(graphs) + sum_of(kernels));
	text_add_str(&f->text, "of ");
	amount_time(&f->text, t->base);
	text_add_str(&f->text, graphs->count == 0 ? " of kernel time"
			       : kernels->count == 0
				   ? " of graphs"
				   : " of graphs and kernels");
	t->of = page_draft_text(f);
}

/* Graphs that were traced as a whole: their kernels are in no other table. */
static void
fill_graphs(
    struct page_draft *f, struct groups *gs, const struct groups *kernels)
{
	struct page_table *t = &f->p->graphs;

	page_table_open(f, t, "GRAPHS", 5, gs->count);
	t->whole = page_draft_sum(f, sum_of(gs));
	set_work_base(f, t, gs, kernels);
	duration_columns(t, "Graph, as a whole");
	t->more = page_draft_command(f, "tq-stats -r cuda_gpu_graph_sum FILE");
	for (size_t i = 0; i < rows_of(gs); i++) {
		struct page_row r = duration_row(f, t, gs->all[i]);

		page_table_text(&r, saved_key(f, gs->all[i]));
	}
}

static void
fill_kernels(
    struct page_draft *f, struct groups *gs, const struct groups *graphs)
{
	struct page *p = f->p;
	struct page_table *t = &p->kernels;

	page_table_open(f, t, "KERNELS", 5, gs->count);
	t->whole = page_draft_sum(f, sum_of(gs));
	set_work_base(f, t, graphs, gs);
	duration_columns(t, "Kernel");
	t->more = page_draft_command(f, "tq-stats -r cuda_gpu_kern_sum FILE");
	p->kernel_names =
	    region_get(&p->life, (gs->count + 1) * sizeof(*p->kernel_names));
	p->kernel_count = gs->count;
	for (size_t i = 0; i < gs->count; i++)
		p->kernel_names[i] = saved_key(f, gs->all[i]);
	for (size_t i = 0; i < rows_of(gs); i++) {
		struct page_row r = duration_row(f, t, gs->all[i]);

		page_table_cell(&r, PAGE_KERNEL, (int64_t)i);
	}
}

static void
fill_work(struct page_draft *f)
{
	struct groups *graphs =
	    sorted_groups(f, "cuda_gpu_graph_sum", groups_by_sum);
	struct groups *kernels =
	    sorted_groups(f, "cuda_gpu_kern_sum", groups_by_sum);

	fill_graphs(f, graphs, kernels);
	fill_kernels(f, kernels, graphs);
}

/* ---- WHERE THE GPUS WAIT ---- */

/* THINGS: of a row that are named at most */
enum { WAITS = IDLE_CAUSES + 2, THINGS = 3, THING_WIDTH = 40 };

/* idle time of all GPUs, of one cause */
struct wait {
	size_t order; /* of equal ones, */
	const char *cause, *meaning;
	enum page_class class;
	enum idle_cause of; /* IDLE_CAUSES: nothing has it */
	struct account_cause idle;
};

static const char *const meanings[IDLE_CAUSES] = {
    [IDLE_HOST] = "not launched yet: the host is late",
    [IDLE_PYTHON_LOCK] = "for the lock of Python",
    [IDLE_PREEMPTED] = "the thread has no processor",
    [IDLE_SYNC] = "not launched: the host waited for it",
    [IDLE_LAUNCH] = "the call was under way",
    [IDLE_FIRST_USE] = "the call loads code",
    [IDLE_NEXT] = "back to back, below 10 us",
    [IDLE_QUEUE] = "launched, and waits for something else",
    [IDLE_UNKNOWN] = "the launch is not in the stream",
};

static void
add_idle(struct account_cause *sum, struct account_cause part)
{
	sum->time = time_end(sum->time, part.time);
	sum->count += part.count;
	if (sum->longest < part.longest)
		sum->longest = part.longest;
}

/* A single time. */
static void
add_edge(struct account_cause *sum, int64_t from, int64_t to)
{
	if (to > from)
		add_idle(sum, (struct account_cause){time_between(from, to),
				  time_between(from, to), 1});
}

static enum page_class
class_of(enum idle_cause cause)
{
	return idle_cause_is_host(cause) ? PAGE_HOST
	       : cause == IDLE_SYNC      ? PAGE_SYNC
					 : PAGE_OTHER;
}

static int
by_idle(const void *pa, const void *pb)
{
	const struct wait *a = pa, *b = pb;

	if (a->idle.time != b->idle.time)
		return a->idle.time > b->idle.time ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

static void
sum_waits(const struct page_draft *f, struct wait waits[WAITS])
{
	const struct wall *wall = page_draft_report(f, "gaps")->wall;
	struct wait before = {.cause = gap_cause_name(GAP_BEFORE),
	    .meaning = gaps_meaning(wall, GAP_BEFORE),
	    .class = PAGE_OTHER,
	    .of = IDLE_CAUSES};
	struct wait after = before;

	after.cause = gap_cause_name(GAP_AFTER);
	after.meaning = gaps_meaning(wall, GAP_AFTER);
	for (size_t i = 0; i < f->p->gpu_count; i++) {
		const struct page_gpu *g = &f->p->gpus[i];

		add_edge(&before.idle, g->from, g->first);
		add_edge(&after.idle, g->until, g->to);
	}
	for (enum idle_cause c = 0; c < IDLE_CAUSES; c++)
		waits[c + 1] = (struct wait){.cause = idle_cause_name(c),
		    .meaning = meanings[c],
		    .class = class_of(c),
		    .of = c,
		    .idle = f->account->causes[c]};
	waits[0] = before;
	waits[WAITS - 1] = after;
	for (size_t i = 0; i < WAITS; i++)
		waits[i].order = i;
	qsort(waits, WAITS, sizeof(*waits), by_idle);
}

/* a thing of a cause */
struct wait_thing {
	struct span name;
	int64_t time;
};

/* Keep it if it is one of the longest. */
static void
keep_thing(struct wait_thing things[THINGS], struct wait_thing thing)
{
	size_t at = THINGS;

	for (; at > 0 && things[at - 1].time < thing.time; at--)
		if (at < THINGS)
			things[at] = things[at - 1];
	if (at < THINGS)
		things[at] = thing;
}

/* ns of each thing of a cause, by its number in the shares. */
static int64_t *
time_of_things(const struct gpu_account *s, enum idle_cause of)
{
	int64_t *times =
	    mem_alloc((s->shares->things.count + 1) * sizeof(*times));

	for (size_t i = 0; i < s->thing_cap && i < s->shares->all.count; i++) {
		const struct idle_share *share = &s->shares->all.all[i];
		int64_t *time = &times[share->thing];

		if (share->cause == of ||
		    (share->cause == IDLE_RANGE && of == IDLE_HOST))
			*time = time_end(*time, s->things[i]);
	}
	return times;
}

/* The longest things of a cause; their number. */
static size_t
find_things(
    const struct gpu_account *s, enum idle_cause of, struct wait_thing *things)
{
	int64_t *times;
	size_t n = 0;

	if (of == IDLE_CAUSES || s->shares == NULL)
		return 0;
	times = time_of_things(s, of);
	for (uint32_t i = 0; i < s->shares->things.count; i++)
		keep_thing(
		    things, (struct wait_thing){
				intern_text(&s->shares->things, i), times[i]});
	free(times);
	while (n < THINGS && things[n].time > 0)
		n++;
	return n;
}

/* What the time of a cause is of; what it means, where that is nothing. */
static struct span
describe_wait(struct page_draft *f, const struct wait *w)
{
	struct wait_thing things[THINGS] = {0};
	struct span names[THINGS], shorts[THINGS];
	size_t n = find_things(f->account, w->of, things);

	for (size_t i = 0; i < n; i++)
		names[i] = things[i].name;
	if (n == 0 || (n == 1 && names[0].len == 0))
		return span_of(w->meaning != NULL ? w->meaning : "");
	if (w->of == IDLE_PYTHON_LOCK || w->of == IDLE_PREEMPTED)
		text_add_str(&f->text, "in ");
	if (w->of == IDLE_FIRST_USE)
		short_names(names, n, THING_WIDTH, "...", shorts, &f->p->life);
	for (size_t i = 0; i < n; i++) {
		struct span name =
		    w->of == IDLE_FIRST_USE ? shorts[i] : names[i];

		if (i > 0 &&
		    !page_draft_is_part(things[i].time, w->idle.time, 10))
			break;
		text_add_str(&f->text, i > 0 ? ", " : "");
		text_add_span(
		    &f->text, name.len > 0 ? name : SPAN("without a name"));
		if (n == 1)
			break;
		text_add_char(&f->text, ' ');
		amount_time(&f->text, things[i].time);
	}
	return page_draft_text(f);
}

/* The thing of a gap, where nothing else of it says the same. */
static struct span
gap_thing(struct page_draft *f, const struct gap_listed *g)
{
	text_add_span(&f->text, g->range);
	f->text.len = fold_name_always(f->text.p, f->text.len);
	f->text.len = fold_name_numbers(f->text.p, f->text.len);
	return span_eq(g->thing, g->next) ||
		       span_eq(g->thing, page_draft_text(f))
		   ? SPAN("")
		   : g->thing;
}

static void
fill_gaps(struct page_draft *f)
{
	struct page *p = f->p;
	struct gap_listed g;
	const struct report *gaps = page_draft_report(f, "gaps");

	for (size_t i = 0; i < PAGE_GAPS && gaps_longest(gaps, i, &g); i++)
		p->gaps[p->gap_count++] = (struct page_gap){.dur = g.dur,
		    .at = g.start,
		    .gpu = page_draft_gpu(
			f, gpu_account_find(f->account, g.device)),
		    .cause = idle_cause_name(g.cause),
		    .thing = gap_thing(f, &g),
		    .before = g.next,
		    .range = page_draft_range(f, g.range)};
}

static void
wait_row(struct page_draft *f, struct page_table *t, const struct wait *w)
{
	struct page_row r = page_table_row(t, w->idle.time);

	page_table_share(&r, PAGE_SHARE, w->idle.time, t->base);
	page_table_cell(&r, PAGE_TIME, w->idle.time);
	page_table_cell(&r, PAGE_COUNT, w->idle.count);
	page_table_cell(&r, PAGE_TIME, w->idle.time / w->idle.count);
	page_table_cell(&r, PAGE_TIME, w->idle.longest);
	page_table_text(&r, span_of(w->cause));
	page_table_text(&r, describe_wait(f, w));
}

static void
fill_waits(struct page_draft *f)
{
	struct page *p = f->p;
	struct page_table *t = &p->waits;
	struct wait waits[WAITS];
	enum page_class *colors =
	    region_get(&p->life, PAGE_ROWS * sizeof(*colors));

	t->colors = colors;
	sum_waits(f, waits);
	page_table_open(f, t,
	    p->gpu_count > 1 ? "WHERE THE GPUS WAIT" : "WHERE THE GPU WAITS", 5,
	    0);
	PAGE_TABLE_COLUMNS(t, {"%", 0, false}, {"Idle", 0, false},
	    {"N", 3, false}, {"Mean", 1, false}, {"Longest", 2, false},
	    {"Cause", 0, true}, {"", 0, true});
	t->whole = page_idle(p->time);
	t->base = p->time_of;
	add_gpu_time(f);
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r gaps_sum:thing FILE");
	for (size_t i = 0; i < WAITS && waits[i].idle.count > 0; i++) {
		t->total++;
		if (t->count == PAGE_ROWS)
			continue;
		colors[t->count] = waits[i].class;
		wait_row(f, t, &waits[i]);
	}
	fill_gaps(f);
}

/* ---- MEMCPY AND MEMSET ---- */

static void
copy_row(struct page_draft *f, struct page_table *t, struct group *g)
{
	int64_t time = page_draft_sum(f, g->values.sum);
	int64_t bytes = g->numbers[PARTS_BYTES];
	struct span name = saved_key(f, g);
	bool rate = time > 0 && bytes > 0 && !span_eq(name, SPAN("fill"));
	struct page_row r = page_table_row(t, time);

	dist_sort(&g->values);
	page_table_share(&r, PAGE_SHARE, time, t->base);
	page_table_cell(&r, PAGE_TIME, time);
	page_table_cell(&r, PAGE_COUNT, (int64_t)g->values.count);
	page_table_cell(&r, PAGE_SIZE, bytes);
	page_table_cell(&r, rate ? PAGE_RATE : PAGE_EMPTY,
	    rate ? (int64_t)((dist_wide)bytes * 1000000000 / time) : 0);
	add_median(&r, &g->values);
	page_table_text(&r, name);
}

static void
fill_copies(struct page_draft *f)
{
	struct groups *gs = sorted_groups(f, "page_copies", groups_by_sum);
	struct page_table *t = &f->p->copies;

	page_table_open(f, t, "MEMCPY AND MEMSET", 5, gs->count);
	t->whole = page_draft_sum(f, sum_of(gs));
	t->base = f->p->time_of;
	PAGE_TABLE_COLUMNS(t, {"%", 2, false}, {"Time", 0, false},
	    {"N", 0, false}, {"Size", 0, false}, {"Rate", 0, false},
	    {"Median", 1, false}, {"Direction", 0, true});
	t->more = page_draft_command(f, "tq-stats -r memory FILE");
	add_gpu_time(f);
	t->of = page_draft_text(f);
	for (size_t i = 0; i < rows_of(gs); i++)
		copy_row(f, t, gs->all[i]);
}

/* ---- calls ---- */

static void
call_columns(struct page_table *t, const char *name)
{
	PAGE_TABLE_COLUMNS(t, {"%", 3, false}, {"Time", 0, false},
	    {"N", 0, false}, {"Median", 2, false}, {"Max", 1, false},
	    {name, 0, true});
}

static void
call_row(struct page_draft *f, struct page_table *t, struct group *g)
{
	int64_t time = page_draft_sum(f, g->values.sum);
	struct page_row r = page_table_row(t, time);

	dist_sort(&g->values);
	page_table_share(&r, PAGE_SHARE, time, t->base);
	page_table_cell(&r, PAGE_TIME, time);
	page_table_cell(&r, PAGE_COUNT, (int64_t)g->values.count);
	add_median(&r, &g->values);
	page_table_cell(&r, PAGE_TIME, dist_max(&g->values));
	page_table_text(&r, saved_key(f, g));
}

static void
call_rows(struct page_draft *f, struct page_table *t, const char *report,
    const char *title)
{
	struct groups *gs = sorted_groups(f, report, groups_by_sum);

	page_table_open(f, t, title, 5, gs->count);
	t->whole = t->base = page_draft_sum(f, sum_of(gs));
	call_columns(t, "Call");
	for (size_t i = 0; i < rows_of(gs); i++)
		call_row(f, t, gs->all[i]);
	text_add_str(&f->text, "of ");
	amount_time(&f->text, t->whole);
	text_add_str(&f->text, " in calls, all threads");
}

/* "; 3 of 9 kernels shorter than their launch" */
static void
add_short_kernels(struct page_draft *f)
{
	struct launch_tally tally =
	    launch_tally(page_draft_report(f, "launch"));
	bool all = tally.kernels == (int64_t)f->recorded->kinds[KIND_kernel];

	if (tally.kernels == 0)
		return;
	text_add_str(&f->text, "; ");
	amount_count(&f->text, tally.short_kernels);
	text_add_str(&f->text, " of ");
	amount_of(&f->text, tally.kernels,
	    all ? "kernel shorter than its launch"
		: "kernel with a call of its own shorter than it",
	    all ? "kernels shorter than their launch"
		: "kernels with a call of their own shorter than it");
}

static void
fill_calls(struct page_draft *f)
{
	struct page_table *t = &f->p->calls;

	call_rows(f, t, "cuda_api_sum", "CUDA API CALLS");
	add_short_kernels(f);
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r cuda_api_sum FILE");
}

static void
fill_os_calls(struct page_draft *f)
{
	struct page_table *t = &f->p->os_calls;

	call_rows(f, t, "osrt_sum", "OS CALLS");
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r osrt_sum FILE");
}

/* ---- OPERATORS, FUNCTIONS ---- */

static int64_t
sum_of_numbers(struct page_draft *f, const struct groups *gs, size_t number)
{
	dist_wide sum = 0;

	for (size_t i = 0; i < gs->count; i++)
		sum += gs->all[i]->numbers[number];
	return page_draft_sum(f, sum);
}

static void
fill_operators(struct page_draft *f)
{
	struct groups *gs = sorted_groups(f, "torch_ops", averages_by_self);
	struct page_table *t = &f->p->operators;

	page_table_open(f, t, "OPERATORS", 8, gs->count);
	t->whole = t->base = sum_of_numbers(f, gs, AVERAGES_SELF_CPU);
	PAGE_TABLE_COLUMNS(t, {"%", 3, false}, {"Self", 0, false},
	    {"Total", 2, false}, {"N", 1, false}, {"Operator", 0, true});
	text_add_str(&f->text, "of ");
	amount_time(&f->text, t->whole);
	text_add_str(&f->text, " of their own, all threads");
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r torch_ops FILE");
	for (size_t i = 0; i < rows_of(gs); i++) {
		const int64_t *n = gs->all[i]->numbers;
		struct page_row r = page_table_row(t, n[AVERAGES_SELF_CPU]);

		page_table_share(&r, PAGE_SHARE, n[AVERAGES_SELF_CPU], t->base);
		page_table_cell(&r, PAGE_TIME, n[AVERAGES_SELF_CPU]);
		page_table_cell(&r, PAGE_TIME, n[AVERAGES_CPU]);
		page_table_cell(&r, PAGE_COUNT, n[AVERAGES_CALLS]);
		page_table_text(&r, saved_key(f, gs->all[i]));
	}
}

/* A value of functions: a time where their basis is one, else samples. */
static void
add_of_samples(struct page_row *row, bool timed, const int64_t *n, size_t which)
{
	page_table_cell(row, timed ? PAGE_TIME : PAGE_COUNT,
	    n[timed ? which + SAMPLES_SELF_NS : which]);
}

static void
fill_functions(struct page_draft *f)
{
	struct report *r = page_draft_report(f, "functions");
	struct groups *gs = r != NULL ? &r->groups : &f->none;
	struct page_table *t = &f->p->functions;
	size_t basis = samples_basis(gs);
	bool timed = basis == SAMPLES_SELF_NS;

	samples_sort(gs, basis);
	page_table_open(f, t, "FUNCTIONS", 8, gs->count);
	t->whole = t->base = sum_of_numbers(f, gs, basis);
	PAGE_TABLE_COLUMNS(t, {"%", 2, false}, {"Self", 0, false},
	    {"Total", 1, false}, {"Function", 0, true});
	text_add_str(&f->text, "of ");
	if (timed)
		amount_time(&f->text, t->whole);
	else
		amount_count(&f->text, sum_of_numbers(f, gs, SAMPLES_SELF));
	text_add_str(&f->text, timed           ? " on processors, by samples"
			       : t->whole == 1 ? " sample"
					       : " samples");
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r functions FILE");
	for (size_t i = 0; i < rows_of(gs); i++) {
		const int64_t *n = gs->all[i]->numbers;
		struct page_row row = page_table_row(t, n[basis]);

		page_table_share(&row, PAGE_SHARE, n[basis], t->base);
		add_of_samples(&row, timed, n, SAMPLES_SELF);
		add_of_samples(&row, timed, n, SAMPLES_TOTAL);
		page_table_text(&row, saved_key(f, gs->all[i]));
	}
}

/* ---- RANGES ---- */

/* by the time of GPUs, then of the host */
static int
by_gpu_time(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;

	dist_wide x = pushpop_busy(a), y = pushpop_busy(b);

	if (x != y)
		return x > y ? -1 : 1;
	return groups_by_sum(pa, pb);
}

static void
fill_ranges(struct page_draft *f)
{
	struct groups *gs = sorted_groups(f, "page_ranges", by_gpu_time);
	struct page_table *t = &f->p->ranges;
	bool gpu = f->p->gpu_count > 0;

	page_table_open(f, t, "RANGES", 6, gs->count);
	if (gpu)
		PAGE_TABLE_COLUMNS(t, {"GPU busy", 0, false},
		    {"On host", 3, false}, {"N", 2, false}, {"Mean", 1, false},
		    {"Range", 0, true});
	else
		PAGE_TABLE_COLUMNS(t, {"On host", 0, false}, {"N", 2, false},
		    {"Mean", 1, false}, {"Range", 0, true});
	t->of = SPAN("nested: a range counts in those around it; numbers "
		     "folded");
	t->more = page_draft_command(f, "tq-stats -r nvtx_sum:folded FILE");
	for (size_t i = 0; i < rows_of(gs); i++) {
		const struct group *g = gs->all[i];
		int64_t time = page_draft_sum(f, g->values.sum);
		int64_t n = (int64_t)g->values.count;
		struct page_row r = page_table_row(t, 0);

		if (gpu)
			page_table_cell(
			    &r, PAGE_TIME, page_draft_sum(f, pushpop_busy(g)));
		page_table_cell(&r, PAGE_TIME, time);
		page_table_cell(&r, PAGE_COUNT, n);
		page_table_cell(&r, PAGE_TIME, n > 0 ? time / n : 0);
		page_table_text(&r, saved_key(f, g));
	}
}

/* ---- STEPS ---- */

static void
step_row(struct page_draft *f, struct page_table *t, const char *which,
    const struct step_account *step)
{
	struct page_row r = page_table_row(t, 0);
	int64_t *classes =
	    region_get(&f->p->life, PAGE_CLASSES * sizeof(*classes));
	struct page_cell *c;

	classes[PAGE_COMPUTE] = step->time[DEVICE_COMPUTE];
	classes[PAGE_COMMUNICATION] = step->time[DEVICE_COMMUNICATION];
	classes[PAGE_COPY] = step->time[DEVICE_COPY];
	classes[PAGE_HOST] = step->starved;
	classes[PAGE_SYNC] = step->sync;
	classes[PAGE_OTHER] = step->stalled;
	page_table_text(&r, span_of(which));
	page_table_cell(&r, PAGE_TIME, step->dur);
	c = page_table_cell(&r, PAGE_STACK, step->all);
	c->classes = classes;
	page_table_text(&r, region_copy(&f->p->life, step->name));
}

static int
by_duration(const void *pa, const void *pb)
{
	const struct step_account *a = pa, *b = pb;

	return a->dur != b->dur
		   ? (a->dur > b->dur) - (a->dur < b->dur)
		   : (a->number > b->number) - (a->number < b->number);
}

/* ", the first and one incomplete left out" */
static void
add_left_out(struct text *t, size_t first, size_t incomplete)
{
	if (first + incomplete == 0)
		return;
	text_add_str(t, first > 1   ? ", the first of each process"
			: first > 0 ? ", the first"
				    : "");
	text_add_str(t, incomplete == 0 ? "" : first > 0 ? " and " : ", ");
	if (incomplete == 1)
		text_add_str(t, "one incomplete");
	else if (incomplete > 0)
		text_printf(t, "%zu incomplete", incomplete);
	text_add_str(t, " left out");
}

static void
fill_steps(struct page_draft *f)
{
	struct page_table *t = &f->p->steps;
	const struct report *steps = page_draft_report(f, "step");
	struct step_account *all = NULL;
	size_t n = 0, first = 0, incomplete = 0;

	if (steps != NULL)
		all = step_accounts(steps, &n, &first, &incomplete);

	page_table_open(f, t, "STEPS", 3, n);
	PAGE_TABLE_COLUMNS(t, {"", 0, true}, {"Time", 0, false}, {"", 1, true},
	    {"Step", 0, true});
	t->more = page_draft_command(f, "tq-stats -r step FILE");
	if (n > 0) {
		qsort(all, n, sizeof(*all), by_duration);
		step_row(f, t, "median", &all[(n - 1) / 2]);
		step_row(f, t, "least", &all[0]);
		step_row(f, t, "most", &all[n - 1]);
		t->total = t->count; /* nothing is cut */
		text_add_str(&f->text, "of ");
		amount_of(&f->text, (int64_t)(n + first + incomplete), "step",
		    "steps");
		add_left_out(&f->text, first, incomplete);
	}
	t->of = page_draft_text(f);
	free(all);
}

/* ---- SERVING STEPS ---- */

/* ": MoE 72.7 %, GEMM 11.5 %", what takes most of the time of operations */
static void
add_works(struct text *t, const struct serve_total *x)
{
	enum { MOST = 3, LEAST = 20 }; /* kinds of work; 5 % at least */
	bool shown[SERVE_WORKS] = {false};
	int64_t all = 0;

	for (size_t i = 0; i < SERVE_WORKS; i++)
		all = time_end(all, x->work[i]);
	for (size_t n = 0; n < MOST; n++) {
		size_t most = SERVE_OTHER;

		for (size_t i = 0; i < SERVE_OTHER; i++)
			if (!shown[i] &&
			    (most == SERVE_OTHER || x->work[i] > x->work[most]))
				most = i;
		if (most == SERVE_OTHER || x->work[most] <= all / LEAST)
			break;
		shown[most] = true;
		text_printf(
		    t, "%s%s ", n == 0 ? ": " : ", ", serve_steps_works[most]);
		amount_share(t, x->work[most], all);
		text_add_str(t, " %");
	}
}

static void
serving_row(
    struct page_draft *f, struct page_table *t, const struct serve_total *x)
{
	struct page_row r = page_table_row(t, 0);

	page_table_cell(&r, PAGE_TIME, x->span);
	page_table_cell(&r, PAGE_COUNT, x->steps);
	page_table_cell(&r, PAGE_TIME, x->median);
	page_table_cell(&r, x->gap != NO_ID ? PAGE_TIME : PAGE_EMPTY, x->gap);
	if (x->tokens == NO_ID)
		page_table_cell(&r, PAGE_EMPTY, 0);
	else
		page_table_cell(&r, PAGE_COUNT, x->tokens);
	if (x->tokens == NO_ID || x->tokens == 0)
		page_table_cell(&r, PAGE_EMPTY, 0);
	else
		page_table_cell(&r, PAGE_TIME, x->span / x->tokens);
	text_add_span(&f->text, serve_rules_class(x->class));
	text_add_char(&f->text, ' ');
	text_add_span(&f->text, x->engine);
	add_works(&f->text, x);
	page_table_text(&r, page_draft_text(f));
}

static void
fill_serving(struct page_draft *f)
{
	const struct report *r = page_draft_report(f, "serve");
	struct page_table *t = &f->p->serving;
	struct serve_total *all = NULL;
	size_t n = 0;
	int64_t steps = 0;

	if (r != NULL)
		all = serve_steps_totals(r, &n);
	page_table_open(f, t, "SERVING STEPS", PAGE_ROWS, n);
	PAGE_TABLE_COLUMNS(t, {"Device", 0, false}, {"N", 2, false},
	    {"Median", 0, false}, {"Gaps", 3, false}, {"Tokens", 4, false},
	    {"Per token", 1, false}, {"Step", 0, true});
	t->more = page_draft_command(f, "tq-stats -r serve FILE");
	for (size_t i = 0; i < n; i++) {
		steps += all[i].steps;
		if (i < PAGE_ROWS)
			serving_row(f, t, &all[i]);
	}
	text_add_str(&f->text, "of ");
	amount_of(&f->text, steps, "step", "steps");
	t->of = page_draft_text(f);
	free(all);
}

void
tables_fill(struct page_draft *f)
{
	fill_serving(f);
	if (f->p->gpu_count > 0) {
		fill_work(f);
		fill_waits(f);
		fill_copies(f);
		fill_steps(f);
	} else {
		fill_operators(f);
		fill_os_calls(f);
	}
	fill_functions(f);
	fill_calls(f);
	fill_ranges(f);
}
