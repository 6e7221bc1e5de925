/*
 * rocpd_views.c - the views of AMD's rocpd databases, and the table of "rocpd
 * summary": top, top_kernels, busy, kernels_summary
 *
 * They have the columns, units and digits of AMD.  Times are sums: work that
 * overlaps counts twice, and so do calls within calls.
 *
 * In the views a roctx range has the name of its function, a copy the name of
 * its direction; a call that took no time has lost its name, and is not in
 * them.
 */

#include <ctype.h>

#include "tq/base/keyed.h"

#include "sums/cuda.h"
#include "sums/sums.h"
#include "tq/show/col.h"

/* ---- names ---- */

static struct span
copy_name(const struct event *ev, struct text *t)
{
	static const char *const names[][2] = {
	    {"HtoD", "MEMORY_COPY_HOST_TO_DEVICE"},
	    {"DtoH", "MEMORY_COPY_DEVICE_TO_HOST"},
	    {"DtoD", "MEMORY_COPY_DEVICE_TO_DEVICE"},
	    {"PtoP", "MEMORY_COPY_DEVICE_TO_DEVICE"},
	    {"HtoH", "MEMORY_COPY_HOST_TO_HOST"},
	};

	struct span copy = event_str(ev, KEY_copy, t);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (span_eq(copy, span_of(names[i][0])))
			return span_of(names[i][1]);
	return SPAN("MEMORY_COPY_NONE");
}

static struct span
range_name(const struct event *ev, struct text *t)
{
	if (!span_eq(event_str(ev, KEY_domain, t), SPAN("roctx"))) {
		t->len = 0;
		return event_str(ev, KEY_name, t);
	}
	return span_eq(event_str(ev, KEY_mode, t), SPAN("start"))
		   ? SPAN("roctxProcessRangeA")
		   : SPAN("roctxThreadRangeA");
}

static struct span
row_name(const struct report *r, const struct event *ev, struct text *t)
{
	switch (ev->kind) {
	case KIND_kernel:
		return cuda_kernel_name(r, ev, t);
	case KIND_memcpy:
		return copy_name(ev, t);
	case KIND_memset:
		return cuda_operation_name(ev, t);
	case KIND_range:
		return range_name(ev, t);
	default:
		return event_str(ev, KEY_name, t);
	}
}

/* True for categories of API calls: HIP_RUNTIME_API ... */
static bool
is_category(struct span name)
{
	for (size_t i = 0; i < name.len; i++)
		if (islower((unsigned char)name.p[i]))
			return false;
	return true;
}

static bool
is_row(struct report *r, const struct event *ev)
{
	if (ev->kind != KIND_api || event_int(ev, KEY_dur, 0) != 0)
		return true;
	r->scratch.len = 0;
	return !is_category(event_str(ev, KEY_name, &r->scratch));
}

/* ---- sums ---- */

/* The last digit depends on the order of operations, which is AMD's. */

static void
top_row(struct table *t, struct report *r, struct group *g)
{
	dist_wide n = (dist_wide)g->values.count, sum = g->values.sum;
	dist_wide average = n > 0 ? sum / n : 0, all = r->groups.rows.all;

	col_text(t, "name", groups_key(g, 0));
	col_int(t, "total_calls", UNIT_NONE, (int64_t)n);
	col_significant_if(t, "total_duration", true, (double)sum / 1000.0);
	col_significant_if(t, "average", true, (double)average / 1000.0);
	col_significant_if(t, "percentage", all != 0,
	    (double)sum * 100.0 / (double)(all != 0 ? all : 1));
}

static void
summary_row(struct table *t, struct report *r, struct group *g)
{
	struct dist *d = &g->values;
	dist_wide n = (dist_wide)d->count, all = r->groups.rows.all;

	dist_sort(d);
	col_text(t, "Name", groups_key(g, 0));
	col_int(t, "Calls", UNIT_NONE, (int64_t)n);
	col_sum(t, "DURATION (nsec)", UNIT_NONE, d->sum);
	col_significant_if(t, "AVERAGE (nsec)", n > 0,
	    (double)d->sum / (double)(n > 0 ? n : 1));
	col_significant_if(t, "PERCENT (INC)", all != 0,
	    (double)d->sum / (double)(all != 0 ? all : 1) * 100.0);
	col_int(t, "MIN (nsec)", UNIT_NONE, dist_min(d));
	col_int(t, "MAX (nsec)", UNIT_NONE, dist_max(d));
	col_significant_if(t, "STD_DEV", n > 1, (double)dist_stddev(d));
}

static void
sums_of_all(struct report *r, struct table *t)
{
	struct groups *gs = &r->groups;

	gs->rows.all = 0;
	for (size_t i = 0; i < gs->count; i++)
		gs->rows.all += gs->all[i]->values.sum;
	sums_rows(r, t, groups_by_sum);
}

/* ---- busy ---- */

enum { CPU = INT32_MIN, NO_AGENT }; /* instead of a device */

/* an agent of a process in a section */
struct busy_agent {
	int64_t id;       /* of rocpd, or NO_ID */
	const char *type; /* NULL: the record names none */
	int64_t section, pid;
	dist_wide time;
};

struct busy {
	KEYED(struct busy_agent) all; /* found in their section */
	int64_t section;
	int64_t origin;   /* of the section, on its clock */
	int64_t from, to; /* on the clocks of all sections */
	bool any;
};

/* The device that the work is for: where a copy goes to. */
static int64_t
device_of(const struct event *ev, struct text *t)
{
	int64_t device = event_int(ev, KEY_device, NO_AGENT);
	struct span dst;

	if (ev->kind != KIND_memcpy)
		return device;
	if (event_has(ev, KEY_dst_device))
		return event_int(ev, KEY_dst_device, 0);
	t->len = 0;
	dst = event_str(ev, KEY_dst, t);
	return dst.len > 0 && !span_eq(dst, SPAN("Device")) ? CPU : device;
}

static struct busy_agent *
find_agent(struct report *r, const struct event *ev)
{
	struct busy *s = r->state;
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t device = device_of(ev, &r->scratch);
	struct defined_name name;
	bool fresh;
	struct busy_agent *a =
	    keyed_get(&s->all, (uint64_t)pid, (uint64_t)device, &fresh);

	if (!fresh)
		return a;
	*a =
	    (struct busy_agent){.id = NO_ID, .section = s->section, .pid = pid};
	if (device == CPU) {
		a->type = "CPU";
	} else if (device != NO_AGENT) {
		a->type = "GPU";
		names_device(r->names, pid, device, &name);
		a->id = name.number != NO_ID ? name.number : device;
	}
	return a;
}

/* ns on the clock of the section, from behind the quote */
static int64_t
origin_of(const struct event *ev)
{
	return event_has(ev, KEY_origin_clock)
		   ? strtoll(ev->value[KEY_origin_clock].p + 1, NULL, 10)
		   : 0;
}

static void
add_window(struct busy *s, int64_t from, int64_t to)
{
	if (!s->any || from < s->from)
		s->from = from;
	if (!s->any || to > s->to)
		s->to = to;
	s->any = true;
}

static void
busy_event(struct report *r, const struct event *ev)
{
	struct busy *s = r->state;
	int64_t dur = event_int(ev, KEY_dur, 0), ts, end;

	if (ev->kind == KIND_trace) {
		s->origin = origin_of(ev);
		return;
	}
	if (!event_has(ev, KEY_ts) || !event_has(ev, KEY_dur))
		return;
	find_agent(r, ev)->time += dur;
	ts = time_end(s->origin, event_int(ev, KEY_ts, 0));
	end = time_end(ts, dur);
	add_window(s, ts, end);
}

static void
busy_section_end(struct report *r)
{
	struct busy *s = r->state;

	s->section++;
	map_clear(&s->all.map);
	s->origin = 0;
}

static int
by_process(const void *pa, const void *pb)
{
	const struct busy_agent *a = pa, *b = pb;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id); /* NO_ID is the least */
}

static void
sort_agents(struct busy *s)
{
	if (s->all.count > 1)
		qsort(
		    s->all.all, s->all.count, sizeof(*s->all.all), by_process);
}

static void
busy_row(struct table *t, const struct busy_agent *a, int64_t wall)
{
	bool any = a->type != NULL;

	col_id(t, "agent_id", a->id);
	col_text_if(t, "type", any, any ? span_of(a->type) : SPAN(""));
	col_sum(t, "GpuTime", UNIT_NONE, a->time);
	col_int(t, "WallTime", UNIT_NONE, wall);
	col_significant_if(
	    t, "Busy", wall > 0, (double)a->time * 1.0 / (double)wall);
}

static void
busy_table(struct report *r, struct table *t)
{
	struct busy *s = r->state;
	int64_t wall = time_between(s->from, s->to);

	col_heading(t, busy_row, &(struct busy_agent){.id = NO_ID}, 0);
	sort_agents(s);
	for (size_t i = 0; i < s->all.count; i++)
		busy_row(t, &s->all.all[i], wall);
}

/* An agent in full, with the time of the part, and its sum as two words. */
static void
busy_part(struct table *t, const struct busy *s, const struct busy_agent *a)
{
	bool any = a->type != NULL;

	col_id(t, "agent_id", a->id);
	col_text_if(t, "type", any, any ? span_of(a->type) : SPAN(""));
	col_int(t, "High", UNIT_NONE, (int64_t)(a->time >> 64));
	col_int(t, "Low", UNIT_NONE, (int64_t)(uint64_t)a->time);
	col_int(t, "From", UNIT_TIME, s->from);
	col_int(t, "To", UNIT_TIME, s->to);
}

enum {
	BUSY_ID,
	BUSY_TYPE,
	BUSY_HIGH,
	BUSY_LOW,
	BUSY_FROM,
	BUSY_TO,
	BUSY_COLUMNS
};

static void
busy_part_table(struct report *r, struct table *t)
{
	struct busy *s = r->state;

	col_heading(t, busy_part, s, &(struct busy_agent){.id = NO_ID});
	sort_agents(s);
	for (size_t i = 0; i < s->all.count; i++)
		busy_part(t, s, &s->all.all[i]);
}

/* NULL unless the text is a type. */
static const char *
type_of(struct span text)
{
	return span_eq(text, SPAN("CPU"))   ? "CPU"
	       : span_eq(text, SPAN("GPU")) ? "GPU"
					    : NULL;
}

/* agents stay in the order of the rows: each has a section of its own */
static bool
busy_part_row(
    struct report *r, const struct table *t, const struct table_cell *cells)
{
	struct busy *s = r->state;
	struct busy_agent a = {.id = NO_ID, .section = s->section};
	int64_t word[BUSY_COLUMNS];
	bool fresh;

	for (size_t i = BUSY_HIGH; i < BUSY_COLUMNS; i++)
		if (!table_cell_int(&cells[i], &word[i]))
			return false;
	table_cell_int(&cells[BUSY_ID], &a.id);
	if (cells[BUSY_TYPE].type == CELL_TEXT)
		a.type = type_of(table_cell_text(t, &cells[BUSY_TYPE]));
	a.time = (dist_wide)((uwide)word[BUSY_HIGH] << 64 |
			     (uint64_t)word[BUSY_LOW]);
	*keyed_get(&s->all, (uint64_t)s->section++, 0, &fresh) = a;
	add_window(s, word[BUSY_FROM], word[BUSY_TO]);
	return true;
}

static void
busy_close(struct report *r)
{
	struct busy *s = r->state;

	keyed_free(&s->all);
}

/* ---- reports ---- */

#define OPERATIONS (KINDS(kernel) | KINDS(memcpy) | KINDS(memset))

static const enum key kernel_keys[] = {
    KEY_ts, KEY_dur, KEY_name, KEY_sym, KEY_NONE};

static const struct sum kernels_by_name = {KEY_dur, "total_calls",
    {{"name", .make = row_name}}, .known = sums_kernel, .row = top_row};

const struct report_kind rocpd_views[] = {
    {.name = "top",
	.question = ASKS_DEVICES,
	.title = "Kernels, Copies and Regions as in rocpd",
	.missing = "no kernel, copy, API call or range in the stream",
	.kernels = "name",
	.kinds = OPERATIONS | KINDS(api) | KINDS(range),
	.keys = KEYS(
	    KEY_ts, KEY_dur, KEY_name, KEY_sym, KEY_copy, KEY_domain, KEY_mode),
	.sum = SUM(KEY_dur, "total_calls", {{"name", .make = row_name}}, is_row,
	    sums_kernel, .row = top_row),
	.table = sums_of_all},
    {.name = "top_kernels",
	.question = ASKS_DEVICES,
	.title = "Kernels as in rocpd",
	.missing = "no kernel in the stream",
	.kernels = "name",
	.kinds = KINDS(kernel),
	.keys = kernel_keys,
	.sum = &kernels_by_name,
	.table = sums_of_all},
    {.name = "kernels_summary",
	.question = ASKS_DEVICES,
	.title = "Kernels as in rocpd summary",
	.missing = "no kernel in the stream",
	.kernels = "Name",
	.kinds = KINDS(kernel),
	.keys = kernel_keys,
	.sum = SUM(KEY_dur, "Calls", {{"Name", .make = row_name}},
	    .known = sums_kernel, .row = summary_row),
	.table = sums_of_all},
    {.name = "busy",
	.question = ASKS_IDLE,
	.rows = KINDS(kernel) | KINDS(memcpy) | KINDS(memset),
	.title = "Time of the Agents as in rocpd",
	.missing = "no operation of a device in the stream",
	.kinds = OPERATIONS | KINDS(trace),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_device, KEY_dst,
	    KEY_dst_device, KEY_origin_clock),
	.row_parts = true,
	.part_table = busy_part_table,
	.part_row = busy_part_row,
	.size = sizeof(struct busy),
	.event = busy_event,
	.section_end = busy_section_end,
	.table = busy_table,
	.close = busy_close},
    {0},
};
