/* tables.c - the tables of the page */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "page_draft.h"
#include "tq/show/amount.h"
#include "page_reports.h"
#include "ranges/averages.h"
#include "ranges/pushpop.h"
#include "sums/launch.h"
#include "sums/samples.h"
#include "time/step.h"

/* ---- rows ---- */

/* a row in the making */
struct page_row {
	struct page_cell *cells;
	size_t count;
};

static void
add_columns(
    struct page_table *t, const struct page_column *columns, size_t count)
{
	memcpy(t->columns, columns, count * sizeof(*columns));
	t->column_count = count;
}

#define COLUMNS(t, ...) \
	add_columns((t), (const struct page_column[]){__VA_ARGS__}, \
	    sizeof((const struct page_column[]){__VA_ARGS__}) / \
		sizeof(struct page_column))

/* Room for the rows that are shown at most, of total. */
static void
open_table(struct page_draft *f, struct page_table *t, const char *title,
    size_t shown, size_t total)
{
	t->title = title;
	t->shown = shown;
	t->total = total;
	t->rows = region_get(&f->p->life, PAGE_ROWS * sizeof(*t->rows));
	t->weights = region_get(&f->p->life, PAGE_ROWS * sizeof(*t->weights));
}

static struct page_row
add_row(struct page_table *t, int64_t weight)
{
	t->weights[t->count] = weight;
	return (struct page_row){t->rows[t->count++], 0};
}

static struct page_cell *
add_cell(struct page_row *r, enum page_cell_type type, int64_t v)
{
	struct page_cell *c = &r->cells[r->count++];

	*c = (struct page_cell){.type = type, .v = v};
	return c;
}

static void
add_text(struct page_row *r, struct span s)
{
	add_cell(r, PAGE_TEXT, 0)->text = s;
}

static void
add_share(struct page_row *r, enum page_cell_type type, int64_t v, int64_t of)
{
	add_cell(r, type, v)->of = of;
}

/* of sorted values */
static void
add_median(struct page_row *r, const struct dist *d)
{
	struct page_cell *c =
	    add_cell(r, PAGE_TIME, (int64_t)(dist_median2(d) / 2));

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

/* ---- KERNELS ---- */

static void
kernel_row(struct page_table *t, const struct group *g, size_t n, int64_t time)
{
	const struct dist *d = &g->values;
	struct page_row r = add_row(t, time);

	add_share(&r, PAGE_SHARE, time, t->whole);
	add_share(&r, PAGE_BAR, time, t->whole);
	add_cell(&r, PAGE_TIME, time);
	add_cell(&r, PAGE_COUNT, (int64_t)d->count);
	add_median(&r, d);
	add_cell(&r, PAGE_TIME, dist_min(d));
	add_cell(&r, PAGE_TIME, dist_max(d));
	add_cell(&r, PAGE_SPREAD, 0)->times = d;
	add_cell(&r, PAGE_KERNEL, (int64_t)n);
}

static void
fill_kernels(struct page_draft *f)
{
	struct groups *gs =
	    sorted_groups(f, "cuda_gpu_kern_sum", groups_by_sum);
	struct page *p = f->p;
	struct page_table *t = &p->kernels;

	open_table(f, t, "KERNELS", 5, gs->count);
	t->whole = page_draft_sum(f, sum_of(gs));
	COLUMNS(t, {"%", 0, false}, {"", 4, true}, {"Time", 0, false},
	    {"N", 6, false}, {"Median", 5, false}, {"Min", 1, false},
	    {"Max", 3, false}, {"Spread", 2, true}, {"Kernel", 0, true});
	text_add_str(&f->text, "of ");
	amount_time(&f->text, t->whole);
	text_add_str(&f->text, " of kernel time");
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r cuda_gpu_kern_sum", NULL);
	p->kernel_names =
	    region_get(&p->life, (gs->count + 1) * sizeof(*p->kernel_names));
	p->kernel_count = gs->count;
	for (size_t i = 0; i < gs->count; i++)
		p->kernel_names[i] = saved_key(f, gs->all[i]);
	for (size_t i = 0; i < rows_of(gs); i++) {
		dist_sort(&gs->all[i]->values);
		kernel_row(t, gs->all[i], i,
		    page_draft_sum(f, gs->all[i]->values.sum));
	}
}

/* ---- WHERE THE GPUS WAIT ---- */

/* idle time of all GPUs, by cause */
struct wait {
	enum gap_cause cause;
	struct account_cause idle;
};

static const char *const meanings[GAP_CAUSES] = {
    [GAP_BEFORE] = "nothing was launched yet",
    [GAP_HOST] = "not launched yet: the host is late",
    [GAP_SYNC] = "not launched: the host waited for it",
    [GAP_LAUNCH] = "the call was under way",
    [GAP_NEXT] = "back to back, below 10 us",
    [GAP_QUEUE] = "launched, and waits for something else",
    [GAP_UNKNOWN] = "the launch is not in the stream",
    [GAP_AFTER] = "nothing came any more",
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

static void
sum_waits(const struct page_draft *f, struct wait waits[GAP_CAUSES])
{
	const struct gpu_account *s = f->account;
	const struct page *p = f->p;

	for (enum gap_cause c = 0; c < GAP_CAUSES; c++) {
		waits[c] = (struct wait){.cause = c};
		for (size_t i = 0; i < s->gpu_count; i++)
			add_idle(&waits[c].idle, s->gpus[i]->causes[c]);
	}
	for (size_t i = 0; i < p->gpu_count; i++) {
		const struct page_gpu *g = &p->gpus[i];

		add_edge(&waits[GAP_BEFORE].idle, g->from, g->first);
		add_edge(&waits[GAP_AFTER].idle, g->until, g->to);
	}
}

static enum page_class
class_of(enum gap_cause cause)
{
	return cause == GAP_HOST   ? PAGE_HOST
	       : cause == GAP_SYNC ? PAGE_SYNC
				   : PAGE_OTHER;
}

static int
by_idle(const void *pa, const void *pb)
{
	const struct wait *a = pa, *b = pb;

	if (a->idle.time != b->idle.time)
		return a->idle.time > b->idle.time ? -1 : 1;
	return (int)a->cause - (int)b->cause;
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
		    .cause = gap_cause_name(g.cause),
		    .before = g.next,
		    .range = page_draft_range(f, g.range)};
}

static void
fill_waits(struct page_draft *f)
{
	struct page *p = f->p;
	struct page_table *t = &p->waits;
	struct wait waits[GAP_CAUSES];
	enum page_class *colors =
	    region_get(&p->life, PAGE_ROWS * sizeof(*colors));

	t->colors = colors;
	sum_waits(f, waits);
	qsort(waits, GAP_CAUSES, sizeof(*waits), by_idle);
	open_table(f, t,
	    p->gpu_count > 1 ? "WHERE THE GPUS WAIT" : "WHERE THE GPU WAITS", 5,
	    0);
	COLUMNS(t, {"%", 0, false}, {"Idle", 0, false}, {"N", 3, false},
	    {"Mean", 1, false}, {"Longest", 2, false}, {"Cause", 0, true},
	    {"", 0, true});
	t->whole = page_idle(p->time);
	add_gpu_time(f);
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r gaps_sum", NULL);
	for (size_t i = 0; i < GAP_CAUSES && waits[i].idle.count > 0; i++) {
		const struct account_cause *idle = &waits[i].idle;
		struct page_row r;

		t->total++;
		if (t->count == PAGE_ROWS)
			continue;
		colors[t->count] = class_of(waits[i].cause);
		r = add_row(t, idle->time);
		add_share(&r, PAGE_SHARE, idle->time, p->time_of);
		add_cell(&r, PAGE_TIME, idle->time);
		add_cell(&r, PAGE_COUNT, idle->count);
		add_cell(&r, PAGE_TIME, idle->time / idle->count);
		add_cell(&r, PAGE_TIME, idle->longest);
		add_text(&r, span_of(gap_cause_name(waits[i].cause)));
		add_text(&r, span_of(meanings[waits[i].cause]));
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
	struct page_row r = add_row(t, time);

	dist_sort(&g->values);
	add_share(&r, PAGE_SHARE, time, f->p->time_of);
	add_cell(&r, PAGE_TIME, time);
	add_cell(&r, PAGE_COUNT, (int64_t)g->values.count);
	add_cell(&r, PAGE_SIZE, bytes);
	add_cell(&r, rate ? PAGE_RATE : PAGE_EMPTY,
	    rate ? (int64_t)((dist_wide)bytes * 1000000000 / time) : 0);
	add_median(&r, &g->values);
	add_text(&r, name);
}

static void
fill_copies(struct page_draft *f)
{
	struct groups *gs = sorted_groups(f, "page_copies", groups_by_sum);
	struct page_table *t = &f->p->copies;

	open_table(f, t, "MEMCPY AND MEMSET", 5, gs->count);
	t->whole = page_draft_sum(f, sum_of(gs));
	COLUMNS(t, {"%", 2, false}, {"Time", 0, false}, {"N", 0, false},
	    {"Size", 0, false}, {"Rate", 0, false}, {"Median", 1, false},
	    {"Direction", 0, true});
	t->more = page_draft_command(f, "tq-stats -r memory", NULL);
	add_gpu_time(f);
	t->of = page_draft_text(f);
	for (size_t i = 0; i < rows_of(gs); i++)
		copy_row(f, t, gs->all[i]);
}

/* ---- calls ---- */

static void
call_columns(struct page_table *t, const char *name)
{
	COLUMNS(t, {"%", 3, false}, {"Time", 0, false}, {"N", 0, false},
	    {"Median", 2, false}, {"Max", 1, false}, {name, 0, true});
}

static void
call_row(struct page_draft *f, struct page_table *t, struct group *g)
{
	int64_t time = page_draft_sum(f, g->values.sum);
	struct page_row r = add_row(t, time);

	dist_sort(&g->values);
	add_share(&r, PAGE_SHARE, time, t->whole);
	add_cell(&r, PAGE_TIME, time);
	add_cell(&r, PAGE_COUNT, (int64_t)g->values.count);
	add_median(&r, &g->values);
	add_cell(&r, PAGE_TIME, dist_max(&g->values));
	add_text(&r, saved_key(f, g));
}

static void
call_rows(struct page_draft *f, struct page_table *t, const char *report,
    const char *title)
{
	struct groups *gs = sorted_groups(f, report, groups_by_sum);

	open_table(f, t, title, 5, gs->count);
	t->whole = page_draft_sum(f, sum_of(gs));
	call_columns(t, "Call");
	for (size_t i = 0; i < rows_of(gs); i++)
		call_row(f, t, gs->all[i]);
	text_add_str(&f->text, "of ");
	amount_time(&f->text, t->whole);
	text_add_str(&f->text, " in calls, all threads");
}

static void
fill_calls(struct page_draft *f)
{
	struct page_table *t = &f->p->calls;
	struct launch_tally tally =
	    launch_tally(page_draft_report(f, "launch"));

	call_rows(f, t, "cuda_api_sum", "CUDA API CALLS");
	if (tally.kernels > 0) {
		text_add_str(&f->text, "; ");
		amount_count(&f->text, tally.short_kernels);
		text_add_str(&f->text, " of ");
		amount_count(
		    &f->text, (int64_t)f->recorded->kinds[KIND_kernel]);
		text_add_str(&f->text, " kernels shorter than their launch");
	}
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r cuda_api_sum", NULL);
}

static void
fill_os_calls(struct page_draft *f)
{
	struct page_table *t = &f->p->os_calls;

	call_rows(f, t, "osrt_sum", "OS CALLS");
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r osrt_sum", NULL);
}

/* ---- OPERATORS, SAMPLES ---- */

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

	open_table(f, t, "OPERATORS", 8, gs->count);
	t->whole = sum_of_numbers(f, gs, AVERAGES_SELF_CPU);
	COLUMNS(t, {"%", 3, false}, {"Self", 0, false}, {"Total", 2, false},
	    {"N", 1, false}, {"Operator", 0, true});
	text_add_str(&f->text, "of ");
	amount_time(&f->text, t->whole);
	text_add_str(&f->text, " of their own, all threads");
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r torch_ops", NULL);
	for (size_t i = 0; i < rows_of(gs); i++) {
		const int64_t *n = gs->all[i]->numbers;
		struct page_row r = add_row(t, n[AVERAGES_SELF_CPU]);

		add_share(&r, PAGE_SHARE, n[AVERAGES_SELF_CPU], t->whole);
		add_cell(&r, PAGE_TIME, n[AVERAGES_SELF_CPU]);
		add_cell(&r, PAGE_TIME, n[AVERAGES_CPU]);
		add_cell(&r, PAGE_COUNT, n[AVERAGES_CALLS]);
		add_text(&r, saved_key(f, gs->all[i]));
	}
}

static void
fill_samples(struct page_draft *f)
{
	struct groups *gs = sorted_groups(f, "sample_sum", samples_by_self);
	struct page_table *t = &f->p->samples;

	open_table(f, t, "SAMPLES", 8, gs->count);
	t->whole = sum_of_numbers(f, gs, SAMPLES_SELF);
	COLUMNS(t, {"%", 2, false}, {"Self", 0, false}, {"Total", 1, false},
	    {"Function", 0, true});
	text_add_str(&f->text, "of ");
	amount_count(&f->text, t->whole);
	text_add_str(&f->text, t->whole == 1 ? " sample" : " samples");
	t->of = page_draft_text(f);
	t->more = page_draft_command(f, "tq-stats -r sample_sum", NULL);
	for (size_t i = 0; i < rows_of(gs); i++) {
		const int64_t *n = gs->all[i]->numbers;
		struct page_row r = add_row(t, n[SAMPLES_SELF]);

		add_share(&r, PAGE_SHARE, n[SAMPLES_SELF], t->whole);
		add_cell(&r, PAGE_COUNT, n[SAMPLES_SELF]);
		add_cell(&r, PAGE_COUNT, n[SAMPLES_TOTAL]);
		add_text(&r, saved_key(f, gs->all[i]));
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

	open_table(f, t, "RANGES", 6, gs->count);
	if (gpu)
		COLUMNS(t, {"GPU busy", 0, false}, {"On host", 3, false},
		    {"N", 2, false}, {"Mean", 1, false}, {"Range", 0, true});
	else
		COLUMNS(t, {"On host", 0, false}, {"N", 2, false},
		    {"Mean", 1, false}, {"Range", 0, true});
	t->of = SPAN("nested: a range counts in those around it; numbers "
		     "folded");
	t->more = page_draft_command(f, "tq-stats -r nvtx_sum:folded", NULL);
	for (size_t i = 0; i < rows_of(gs); i++) {
		const struct group *g = gs->all[i];
		int64_t time = page_draft_sum(f, g->values.sum);
		int64_t n = (int64_t)g->values.count;
		struct page_row r = add_row(t, 0);

		if (gpu)
			add_cell(
			    &r, PAGE_TIME, page_draft_sum(f, pushpop_busy(g)));
		add_cell(&r, PAGE_TIME, time);
		add_cell(&r, PAGE_COUNT, n);
		add_cell(&r, PAGE_TIME, n > 0 ? time / n : 0);
		add_text(&r, saved_key(f, g));
	}
}

/* ---- STEPS ---- */

static void
step_row(struct page_draft *f, struct page_table *t, const char *which,
    const struct step_account *step)
{
	struct page_row r = add_row(t, 0);
	int64_t *classes =
	    region_get(&f->p->life, PAGE_CLASSES * sizeof(*classes));
	struct page_cell *c;

	classes[PAGE_COMPUTE] = step->time[DEVICE_COMPUTE];
	classes[PAGE_COMMUNICATION] = step->time[DEVICE_COMMUNICATION];
	classes[PAGE_COPY] = step->time[DEVICE_COPY];
	classes[PAGE_HOST] = step->starved;
	classes[PAGE_SYNC] = step->sync;
	classes[PAGE_OTHER] = step->stalled;
	add_text(&r, span_of(which));
	add_cell(&r, PAGE_TIME, step->dur);
	c = add_cell(&r, PAGE_STACK, step->all);
	c->classes = classes;
	add_text(&r, region_copy(&f->p->life, step->name));
}

static int
by_duration(const void *pa, const void *pb)
{
	const struct step_account *a = pa, *b = pb;

	return a->dur != b->dur
		   ? (a->dur > b->dur) - (a->dur < b->dur)
		   : (a->number > b->number) - (a->number < b->number);
}

static void
fill_steps(struct page_draft *f)
{
	struct page_table *t = &f->p->steps;
	const struct report *steps = page_draft_report(f, "step");
	struct step_account *all = NULL;
	size_t n = 0, first = 0;

	if (steps != NULL)
		all = step_accounts(steps, &n, &first);

	open_table(f, t, "STEPS", 3, n);
	COLUMNS(t, {"", 0, true}, {"Time", 0, false}, {"", 1, true},
	    {"Step", 0, true});
	t->more = page_draft_command(f, "tq-stats -r step", NULL);
	if (n > 0) {
		qsort(all, n, sizeof(*all), by_duration);
		step_row(f, t, "median", &all[(n - 1) / 2]);
		step_row(f, t, "least", &all[0]);
		step_row(f, t, "most", &all[n - 1]);
		t->total = t->count; /* nothing is cut */
		text_add_str(&f->text, "of ");
		amount_of(&f->text, (int64_t)(n + first), "step", "steps");
		text_add_str(
		    &f->text, first > 1 ? ", the first of each process left out"
			      : first > 0 ? ", the first left out"
					  : "");
	}
	t->of = page_draft_text(f);
	free(all);
}

void
tables_fill(struct page_draft *f)
{
	if (f->p->gpu_count > 0) {
		fill_kernels(f);
		fill_waits(f);
		fill_copies(f);
		fill_steps(f);
	} else {
		fill_operators(f);
		fill_samples(f);
		fill_os_calls(f);
	}
	fill_calls(f);
	fill_ranges(f);
}
