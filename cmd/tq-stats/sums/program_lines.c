/*
 * program_lines.c - by the line of the program that a call is in: calls of the
 * operating system, osrt_lines, and operations of devices, gpu_lines
 *
 * A line is the innermost frame of a stack that is of the program.  A call that
 * never ended counts, and takes no time.
 */

#include "cuda.h"
#include "sums.h"
#include "tq/show/col.h"

/* numbers of a group of osrt_lines */
enum { BYTES, NUMBERS };

static struct span
line_text(const struct report *r, const struct event *ev, struct text *t)
{
	(void)t;
	return names_innermost(r->names, ev);
}

static bool
has_line(struct report *r, const struct event *ev)
{
	return line_text(r, ev, NULL).len > 0;
}

/* ---- calls of the operating system ---- */

static void
add_call(struct report *r, struct group *g, const struct event *ev)
{
	int64_t bytes = event_int(ev, KEY_bytes, 0);

	sums_interval(
	    r, g, event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0));
	groups_number(g, BYTES, bytes > 0 ? bytes : 0);
}

static void
call_row(struct table *t, struct report *r, struct group *g)
{
	dist_sort(&g->values);
	col_int(t, "Calls", UNIT_NONE, (int64_t)g->values.count);
	col_sum(t, "Bytes", UNIT_SIZE, g->numbers[BYTES]);
	col_sum(t, "Total Time", UNIT_TIME, g->values.sum);
	col_int(t, "Max", UNIT_TIME, dist_max(&g->values));
	if (r->pct)
		groups_more(t, &g->values);
	col_text(t, "Name", groups_key(g, 0));
	col_text(t, "Line", groups_key(g, 1));
	col_text(t, "File", groups_key(g, 2));
}

/* ---- operations of devices ---- */

static struct span
operation_text(const struct report *r, const struct event *ev, struct text *t)
{
	(void)r;
	return ev->kind == KIND_kernel ? event_str(ev, KEY_name, t)
				       : cuda_operation_name(ev, t);
}

const struct report_kind program_lines_reports[] = {
    {.name = "osrt_lines",
	.question = ASKS_HOST,
	.title = "OS Runtime Calls by Line of the Program",
	.missing = "no OS runtime call in the stream has a stack",
	.stacks = true,
	.kinds = KINDS(osrt),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_bytes, KEY_file, KEY_name, KEY_stack),
	.sum = SUM(KEY_dur, NULL,
	    {{"Name", KEY_name}, {"Line", .make = line_text},
		{"File", KEY_file}},
	    has_line, .add = add_call, .row = call_row, .numbers = NUMBERS)},
    {.name = "gpu_lines",
	.question = ASKS_DEVICES,
	.title = "Operations of Devices by Line of the Program",
	.missing = "no operation in the stream has the stack of its call",
	.correlated = true,
	.stacks = true,
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_name, KEY_copy, KEY_graph, KEY_stack),
	.sum = SUM(KEY_dur, "Instances",
	    {{"Name", .make = operation_text}, {"Line", .make = line_text}},
	    has_line)},
    {0},
};
