/*
 * advice.c - what to look at next
 *
 * The advice is from the tables of the page, by rules with a threshold each;
 * the findings are in order of their weight.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "report.h"
#include "table/col.h"

/* ---- tables of the page ---- */

static struct table *
find_table(const struct report *r, const char *name)
{
	for (size_t i = 0; i < r->set->count; i++)
		if (strcmp(r->set->all[i].name, name) == 0)
			return &r->set->all[i].made;
	return NULL;
}

/* the cell in that column, or NULL */
static const struct table_cell *
find_cell(struct table *t, size_t row, const char *column)
{
	for (size_t i = 0; i < t->column_count; i++)
		if (strcmp(t->columns[i].name, column) == 0)
			return table_row(t, row) + i;
	return NULL;
}

static int64_t
cell_int(struct table *t, size_t row, const char *column)
{
	const struct table_cell *c = find_cell(t, row, column);

	return c != NULL && c->type == CELL_INT ? c->i : 0;
}

/* NO_ID if the cell is empty */
static int64_t
cell_id(struct table *t, size_t row, const char *column)
{
	const struct table_cell *c = find_cell(t, row, column);

	return c != NULL && c->type == CELL_INT ? c->i : NO_ID;
}

static struct span
cell_text(struct table *t, size_t row, const char *column)
{
	const struct table_cell *c = find_cell(t, row, column);

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
advice_row(struct table *t, const char *finding, struct span evidence,
    const char *look)
{
	col_text(t, "Finding", span_of(finding));
	col_text(t, "Evidence", evidence);
	col_text(t, "Look At", span_of(look));
}

/* A finding, with the evidence in a->text, which is empty then. */
static void
add_finding(struct advice *a, const char *finding, const char *look)
{
	advice_row(a->t, finding, text_span(&a->text), look);
	a->text.len = 0;
}

/* in tenths of a percent */
static int64_t
permille(dist_wide part, dist_wide all)
{
	return all > 0 ? (int64_t)(part * 1000 / all) : 0;
}

static void
add_share(struct text *t, int64_t tenths)
{
	text_printf(t, "%" PRId64 ".%d %%", tenths / 10, (int)(tenths % 10));
}

/* Losses come first: all other numbers are of the rest. */
static void
find_loss(struct advice *a)
{
	struct table *t = find_table(a->r, "run");

	for (size_t i = 0; t != NULL && i < table_rows(t); i++) {
		if (!span_eq(cell_text(t, i, "What"), SPAN("Lost")) ||
		    span_eq(cell_text(t, i, "Value"), SPAN("nothing")))
			continue;
		text_add_span(&a->text, cell_text(t, i, "Value"));
		add_finding(a, "sums are lower bounds", "run");
	}
}

/* ---- devices ---- */

/* a device of a process, or a GPU that processes share: pid is NO_ID then */
struct row_device {
	int64_t pid, device, gpu;
};

static struct row_device
row_device(struct table *t, size_t row)
{
	return (struct row_device){cell_id(t, row, "PID"),
	    cell_id(t, row, "Device"), cell_id(t, row, "Shared GPU")};
}

/* It has a share of a GPU, which has rows of its own. */
static bool
is_share(struct row_device d)
{
	return d.device != NO_ID && d.gpu != NO_ID;
}

static bool
same_device(struct row_device a, struct row_device b)
{
	return a.pid == b.pid && a.device == b.device && a.gpu == b.gpu;
}

static void
add_device(struct text *t, struct row_device d)
{
	if (d.device == NO_ID) {
		text_printf(t, "GPU %" PRId64 " of all processes", d.gpu);
		return;
	}
	text_printf(t, "device %" PRId64, d.device);
	if (d.pid != NO_ID)
		text_printf(t, " of process %" PRId64, d.pid);
}

/* ---- gaps ---- */

/* of one device, between its first and last operation */
struct device_gaps {
	struct row_device device;
	dist_wide all, busy, host, sync, launch;
};

/* The device that was idle longest; false without a device. */
static bool
worst_device(struct table *t, struct device_gaps *worst)
{
	struct device_gaps d = {0};
	bool any = false;

	for (size_t i = 0; i < table_rows(t); i++) {
		struct row_device device = row_device(t, i);
		int64_t total = cell_int(t, i, "Total");
		struct span cause = cell_text(t, i, "Cause");

		if (is_share(device))
			continue;
		if (!any || !same_device(device, d.device))
			d = (struct device_gaps){.device = device};
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

/* False if the report run says that the stream is not. */
static bool
is_correlated(struct advice *a)
{
	struct table *t = find_table(a->r, "run");

	for (size_t i = 0; i < table_rows(t); i++)
		if (span_eq(cell_text(t, i, "What"), SPAN("Launches")) &&
		    span_eq(cell_text(t, i, "Value"),
			span_of(recorded_unknown_launches)))
			return false;
	return true;
}

static void
find_idle(struct advice *a)
{
	struct table *t = find_table(a->r, "gaps_sum");
	struct device_gaps d = {0};
	dist_wide gaps;

	if (t == NULL || !worst_device(t, &d))
		return;
	gaps = d.all - d.busy;
	if (permille(gaps, d.all) < 100) /* one in ten */
		return;
	text_add_str(&a->text, "idle for ");
	add_share(&a->text, permille(gaps, d.all));
	text_add_str(
	    &a->text, " of the time from its first to its last operation: ");
	add_device(&a->text, d.device);
	if (d.sync + d.host + d.launch == 0) {
		add_finding(a, "GPU idle",
		    is_correlated(a) ? "gaps" : "tq-correlate, then gaps");
		return;
	}
	text_add_str(&a->text, ", ");
	if (d.sync >= d.host && d.sync >= d.launch) {
		add_share(&a->text, permille(d.sync, gaps));
		text_add_str(&a->text, " of the idle time so");
		add_finding(
		    a, "GPU idle after host synchronisation", "gaps, step");
	} else if (d.launch > d.host) {
		add_share(&a->text, permille(d.launch, gaps));
		text_add_str(&a->text, " of the idle time so");
		add_finding(a, "GPU idle from launch to launch",
		    "launch, launch_queue");
	} else {
		add_share(&a->text, permille(d.host, gaps));
		text_add_str(&a->text, " of the idle time so");
		add_finding(
		    a, "GPU idle until the host launches", "gaps, range_self");
	}
}

/* The device with the largest share of exposed work in its busy time. */
static void
find_exposed(
    struct advice *a, const char *column, const char *finding, const char *look)
{
	struct table *t = find_table(a->r, "device_time");
	int64_t worst = 0;
	size_t at = 0;

	for (size_t i = 0; t != NULL && i < table_rows(t); i++) {
		dist_wide busy =
		    (dist_wide)cell_int(t, i, "Wall") - cell_int(t, i, "Idle");
		int64_t s = permille(cell_int(t, i, column), busy);

		if (s > worst && !is_share(row_device(t, i))) {
			worst = s;
			at = i;
		}
	}
	if (worst < 100)
		return;
	add_share(&a->text, worst);
	text_add_str(&a->text, " of the time in which it is busy: ");
	add_device(&a->text, row_device(t, at));
	add_finding(a, finding, look);
}

static long double
cell_real(struct table *t, size_t row, const char *column)
{
	const struct table_cell *c = find_cell(t, row, column);

	return c != NULL && c->type == CELL_REAL ? c->d : 0;
}

/* The time that the launches of a row ran for. */
static long double
ran_for(struct table *t, size_t row)
{
	return cell_real(t, row, "Kernel Avg") *
	       (long double)cell_int(t, row, "Count");
}

/* Launches that are short, and whose calls take a tenth of their time. */
static void
find_brief(struct advice *a)
{
	struct table *t = find_table(a->r, "launch");
	long double all = 0, brief = 0, calls = 0, run = 0;

	for (size_t i = 0; t != NULL && i < table_rows(t); i++) {
		long double n = (long double)cell_int(t, i, "Count");

		all += n;
		brief += cell_real(t, i, "Short") * n;
		calls += (long double)cell_int(t, i, "API Total");
		run += ran_for(t, i);
	}
	if (all < 1 || brief / all < 50 || calls < run / 10)
		return;
	add_share(&a->text, (int64_t)(brief * 10 / all));
	text_add_str(&a->text,
	    " of the launches of kernels and graphs with a known call ran "
	    "shorter than that call");
	add_finding(a, "kernels are short", "launch");
}

/* ---- what takes the most ---- */

/* of all devices */
static dist_wide
sum_column(struct table *t, const char *column)
{
	dist_wide sum = 0;

	for (size_t i = 0; t != NULL && i < table_rows(t); i++)
		if (!is_share(row_device(t, i)))
			sum += cell_int(t, i, column);
	return sum;
}

/* The time in which devices computed, graphs included. */
static dist_wide
kernel_time(struct advice *a)
{
	struct table *t = find_table(a->r, "device_time");
	dist_wide computed =
	    sum_column(t, "Compute") + sum_column(t, "Exposed Communication");
	dist_wide sum =
	    sum_column(find_table(a->r, "cuda_gpu_kern_sum"), "Total Time");

	return sum > computed ? sum : computed;
}

static void
find_main_kernel(struct advice *a)
{
	struct table *t = find_table(a->r, "cuda_gpu_kern_sum");
	dist_wide all = kernel_time(a);
	int64_t first;

	if (t == NULL || table_rows(t) == 0)
		return;
	first = cell_int(t, 0, "Total Time");
	if (permille(first, all) < 300)
		return;
	add_share(&a->text, permille(first, all));
	text_add_str(&a->text, " of the time of all kernels: ");
	text_add_span(&a->text, cell_text(t, 0, "Name"));
	add_finding(a, "one kernel takes the most", "hist");
}

static void
find_main_graph(struct advice *a)
{
	struct table *t = find_table(a->r, "launch");
	long double all = 0, most = 0;
	size_t at = 0;

	for (size_t i = 0; t != NULL && i < table_rows(t); i++) {
		long double run = ran_for(t, i);

		all += run;
		if (run > most &&
		    span_eq(cell_text(t, i, "Graph"), SPAN("yes"))) {
			most = run;
			at = i;
		}
	}
	if (most <= 0 || most / all < 0.3L)
		return;
	add_share(&a->text, (int64_t)(most * 1000 / all));
	text_add_str(&a->text, " of the time of what was launched: ");
	text_add_span(&a->text, cell_text(t, at, "Name"));
	add_finding(a, "one graph takes the most", "launch, cuda_gpu_sum");
}

static void
find_nothing(struct advice *a)
{
	struct table *t = find_table(a->r, "device_time");
	int64_t least = 1000;

	for (size_t i = 0; t != NULL && i < table_rows(t); i++) {
		dist_wide wall = cell_int(t, i, "Wall");
		int64_t s = permille(wall - cell_int(t, i, "Idle"), wall);

		if (!is_share(row_device(t, i)))
			least = s < least ? s : least;
	}
	if (t != NULL && table_rows(t) > 0) {
		text_add_str(&a->text, "devices are busy for ");
		add_share(&a->text, least);
		text_add_str(&a->text, " of the wall, or more");
	} else {
		text_add_str(&a->text, "no device did anything");
	}
	add_finding(a, "nothing stands out", "step, range_self");
}

static void
advise(struct advice *a)
{
	find_loss(a);
	find_idle(a);
	find_exposed(a, "Exposed Communication", "communication is not hidden",
	    "overlap, step");
	find_exposed(a, "Exposed Copy", "copies are not hidden", "memory");
	find_brief(a);
	find_main_graph(a);
	find_main_kernel(a);
}

static void
advice_table(struct report *r, struct table *t)
{
	struct advice a = {.r = r, .t = t};
	const struct table *run = find_table(r, "run");

	col_heading(t, advice_row, "", SPAN(""), "");
	if (run == NULL || table_rows(run) == 0)
		return;
	advise(&a);
	if (table_rows(t) == 0)
		find_nothing(&a);
	text_free(&a.text);
}

static void
no_event(struct report *r, const struct event *ev)
{
	(void)r;
	(void)ev;
}

const struct report_kind advice_reports[] = {
    {.name = "next",
	.title = "What to Look At Next",
	.missing = "no table to look at: it is a part of overview",
	.size = 1,
	.event = no_event,
	.table = advice_table},
    {0},
};
