/*
 * overview.c - the page that a person wants first, and what to look at next
 *
 * The advice is from the tables of the page, by rules with a threshold each;
 * those that hold are listed, what matters most first.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "overview.h"

/* ---- tables of the page ---- */

static struct table *
table_of(const struct report *r, const char *name)
{
	for (size_t i = 0; i < r->set->count; i++)
		if (strcmp(r->set->all[i].name, name) == 0)
			return &r->set->all[i].made;
	return NULL;
}

/* the cell in that column, or NULL */
static const struct table_cell *
cell(struct table *t, size_t row, const char *column)
{
	for (size_t i = 0; i < t->column_count; i++)
		if (strcmp(t->columns[i].name, column) == 0)
			return table_row(t, row) + i;
	return NULL;
}

static int64_t
number(struct table *t, size_t row, const char *column)
{
	const struct table_cell *c = cell(t, row, column);

	return c != NULL && c->type == CELL_INT ? c->i : 0;
}

static struct span
words(struct table *t, size_t row, const char *column)
{
	const struct table_cell *c = cell(t, row, column);

	return c != NULL && c->type == CELL_TEXT ? table_cell_text(t, c)
						 : (struct span){"", 0};
}

/* ---- rules ---- */

struct advice {
	const struct report *r;
	struct table *t;
	struct text text;
};

static void
row(struct advice *a, const char *finding, const char *look)
{
	table_text(a->t, span_of(finding));
	table_text(a->t, text_span(&a->text));
	table_text(a->t, span_of(look));
	a->text.len = 0;
}

/* in tenths of a percent */
static int64_t
share(int64_t part, int64_t all)
{
	return all > 0 ? (int64_t)((dist_wide)part * 1000 / all) : 0;
}

static void
add_share(struct text *t, int64_t tenths)
{
	text_printf(t, "%d.%d %%", (int)(tenths / 10), (int)(tenths % 10));
}

/* what is missing comes first: all other numbers are of the rest */
static void
lost(struct advice *a)
{
	struct table *t = table_of(a->r, "run");

	for (size_t i = 0; t != NULL && i < table_rows(t); i++) {
		if (!span_eq(words(t, i, "What"), SPAN("Lost")) ||
		    span_eq(words(t, i, "Value"), SPAN("nothing")))
			continue;
		text_add_span(&a->text, words(t, i, "Value"));
		row(a, "sums are lower bounds", "run");
	}
}

/* of one device, between its first and last operation */
struct device_gaps {
	int64_t pid, device, all;
	int64_t busy, host, sync, launch;
};

/* the device that waited longest; false without one */
static bool
worst_device(struct table *t, struct device_gaps *worst)
{
	struct device_gaps d = {0};
	bool any = false;

	for (size_t i = 0; i < table_rows(t); i++) {
		int64_t pid = number(t, i, "PID");
		int64_t device = number(t, i, "Device");
		int64_t total = number(t, i, "Total");
		struct span cause = words(t, i, "Cause");

		if (i == 0 || pid != d.pid || device != d.device)
			d = (struct device_gaps){.pid = pid, .device = device};
		if (span_eq(cause, SPAN("before")) ||
		    span_eq(cause, SPAN("after")))
			continue;
		d.all += total;
		if (span_eq(cause, SPAN("busy")))
			d.busy += total;
		else if (span_eq(cause, SPAN("host")))
			d.host += total;
		else if (span_eq(cause, SPAN("sync")))
			d.sync += total;
		else if (span_eq(cause, SPAN("launch")) ||
			 span_eq(cause, SPAN("next")))
			d.launch += total;
		if (!any || d.all - d.busy >= worst->all - worst->busy)
			*worst = d;
		any = true;
	}
	return any;
}

static void
idle(struct advice *a)
{
	struct table *t = table_of(a->r, "gaps_sum");
	struct device_gaps d = {0};
	int64_t gaps;

	if (t == NULL || !worst_device(t, &d))
		return;
	gaps = d.all - d.busy;
	if (share(gaps, d.all) < 100) /* one in ten */
		return;
	text_add_str(&a->text, "idle for ");
	add_share(&a->text, share(gaps, d.all));
	text_printf(&a->text,
	    " of its time: device %" PRId64 " of process %" PRId64, d.device,
	    d.pid);
	if (d.sync + d.host + d.launch == 0) {
		row(a, "the device is idle", "tq-correlate, then gaps");
		return;
	}
	text_add_str(&a->text, ", ");
	if (d.sync >= d.host && d.sync >= d.launch) {
		add_share(&a->text, share(d.sync, gaps));
		text_add_str(&a->text, " of it so");
		row(a, "the device waits for a host that waited for it",
		    "gaps, step");
	} else if (d.launch > d.host) {
		add_share(&a->text, share(d.launch, gaps));
		text_add_str(&a->text, " of it so");
		row(a, "the device waits from launch to launch",
		    "launch, launch_queue");
	} else {
		add_share(&a->text, share(d.host, gaps));
		text_add_str(&a->text, " of it so");
		row(a, "the device waits for the host to launch",
		    "gaps, range_self");
	}
}

/* the device for which a class of work counts for most of the busy time */
static void
exposed(
    struct advice *a, const char *column, const char *finding, const char *look)
{
	struct table *t = table_of(a->r, "device_time");
	int64_t worst = 0;
	size_t at = 0;

	for (size_t i = 0; t != NULL && i < table_rows(t); i++) {
		int64_t busy = number(t, i, "Wall") - number(t, i, "Idle");
		int64_t s = share(number(t, i, column), busy);

		if (s > worst) {
			worst = s;
			at = i;
		}
	}
	if (worst < 100)
		return;
	add_share(&a->text, worst);
	text_printf(&a->text,
	    " of its busy time: device %" PRId64 " of process %" PRId64,
	    number(t, at, "Device"), number(t, at, "PID"));
	row(a, finding, look);
}

static void
brief(struct advice *a)
{
	struct table *t = table_of(a->r, "launch");
	int64_t all = 0;
	long double less = 0;

	for (size_t i = 0; t != NULL && i < table_rows(t); i++) {
		const struct table_cell *c = cell(t, i, "Short");
		int64_t n = number(t, i, "Count");

		all += n;
		if (c != NULL && c->type == CELL_REAL)
			less += c->d * (long double)n;
	}
	if (all == 0 || less / (long double)all < 50)
		return;
	add_share(&a->text, (int64_t)(less * 10 / (long double)all));
	text_add_str(&a->text, " of them shorter than their call");
	row(a, "kernels are short", "launch");
}

static void
one_kernel(struct advice *a)
{
	struct table *t = table_of(a->r, "cuda_gpu_kern_sum");
	int64_t all = 0, first;

	for (size_t i = 0; t != NULL && i < table_rows(t); i++)
		all += number(t, i, "Total Time");
	if (all == 0)
		return;
	first = number(t, 0, "Total Time");
	if (share(first, all) < 300)
		return;
	add_share(&a->text, share(first, all));
	text_add_str(&a->text, " of the time of kernels: ");
	text_add_span(&a->text, words(t, 0, "Name"));
	row(a, "one kernel takes the most", "hist");
}

static void
nothing(struct advice *a)
{
	struct table *t = table_of(a->r, "device_time");
	int64_t least = 1000;

	for (size_t i = 0; t != NULL && i < table_rows(t); i++) {
		int64_t wall = number(t, i, "Wall");
		int64_t s = share(wall - number(t, i, "Idle"), wall);

		least = s < least ? s : least;
	}
	if (t != NULL && table_rows(t) > 0) {
		text_add_str(&a->text, "devices are busy for ");
		add_share(&a->text, least);
		text_add_str(&a->text, " of the wall, or more");
	} else {
		text_add_str(&a->text, "no device did anything");
	}
	row(a, "nothing stands out", "step, range_self");
}

static void
advise(struct advice *a)
{
	lost(a);
	idle(a);
	exposed(a, "Exposed Communication", "communication is not hidden",
	    "overlap, step");
	exposed(a, "Exposed Copy", "copies are not hidden", "memory");
	brief(a);
	one_kernel(a);
}

static void
next_table(struct report *r, struct table *t)
{
	struct advice a = {.r = r, .t = t};
	const struct table *run = table_of(r, "run");

	table_text_column(t, "Finding");
	table_text_column(t, "Evidence");
	table_text_column(t, "Look At");
	if (run == NULL || table_rows(run) == 0)
		return;
	advise(&a);
	if (table_rows(t) == 0)
		nothing(&a);
	text_free(&a.text);
}

/* ---- the page ---- */

static const struct report_part parts[] = {
    {"run", 0},
    {"device_time", 0},
    {"cuda_gpu_kern_sum", 10},
    {"cuda_gpu_mem_time_sum", 5},
    {"cuda_gpu_mem_size_sum", 5},
    {"cuda_api_sum", 10},
    {"nvtx_sum", 10},
    {"osrt_sum", 5},
    {"launch", 5},
    {"gaps_sum", 0},
    {"gaps", 5},
    {"next", 0},
    {NULL, 0},
};

static void
no_event(struct report *r, const struct event *ev)
{
	(void)r;
	(void)ev;
}

static void
close_next(struct report *r)
{
	(void)r;
}

const struct report_kind report_overview[] = {
    {.name = "overview",
	.title = "The page without -r: what a person wants first",
	.parts = parts},
    {.name = "run",
	.title = "What Was Recorded",
	.missing = "no event in the stream",
	.kinds = ~(uint64_t)0,
	.keys = overview_run_keys,
	.size = sizeof(struct overview_run),
	.event = overview_run_event,
	.section_end = overview_run_section_end,
	.table = overview_run_table,
	.close = overview_run_close},
    {.name = "next",
	.title = "What to Look At Next",
	.missing = "no table to look at: it is a part of overview",
	.size = 1,
	.event = no_event,
	.table = next_table,
	.close = close_next},
    {0},
};
