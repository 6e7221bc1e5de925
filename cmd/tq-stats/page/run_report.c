/* run_report.c - run: who recorded what, on which host and devices */

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "tq/evidence/losses.h"
#include "tq/line/json.h"
#include "tq/account/gpu_numbers.h"
#include "tq/base/array.h"
#include "tq/base/ascending.h"
#include "tq/base/mem.h"
#include "tq/base/numbered.h"
#include "tq/names/model.h"
#include "tq/names/twice.h"

#include "tq/show/amount.h"
#include "tq/show/col.h"
#include "info.h"
#include "run_report.h"

enum { MOST_PROCESSES = 16 }; /* that are listed, of a section */

static const char unknown_launches[] = "unknown, until tq-correlate finds them";

/* a process of the section */
struct recorded_process {
	int64_t pid, rank;
	uint64_t operations, calls, ranges, others;
	struct span name;
};

/* a device of a process */
struct recorded_device {
	int64_t pid, device;
	uint64_t operations;
	struct span what;
};

/* the facts of a trace record */
enum { PRODUCER, COMMAND, HOST, START, FACTS };

struct recorded {
	struct run_report_total total;
	int64_t sections; /* so far */
	bool events;      /* there was one */

	/* of the section; its texts are in r->section */
	NUMBERED(struct recorded_process) processes;
	NUMBERED(struct recorded_device) devices;
	uint64_t kinds[KIND_COUNT + 1];
	uint64_t joined; /* operations with their call */
	struct twice calls;
	struct losses losses;
	int64_t lost;
	int64_t rank;     /* or NO_ID */
	int64_t of_trace; /* that of the trace record; or NO_ID */
	bool correlated;  /* by tq-correlate */
	bool any, begun, ended;
	struct info *info;   /* of the report info, else NULL */
	struct table merged; /* rows of parts */
	int64_t first;       /* number of the first section of this part */
	struct span facts[FACTS];
};

/* ---- the section ---- */

static struct recorded_process *
find_process(struct recorded *s, const struct event *ev)
{
	bool fresh;
	struct recorded_process *p =
	    numbered_get(&s->processes, model_process(ev), &fresh);

	if (fresh)
		*p = (struct recorded_process){
		    .pid = event_int(ev, KEY_pid, NO_ID), .rank = NO_ID};
	return p;
}

static struct recorded_device *
find_device(struct recorded *s, const struct event *ev)
{
	bool fresh;
	struct recorded_device *d =
	    numbered_get(&s->devices, model_device(ev), &fresh);

	if (fresh)
		*d = (struct recorded_device){
		    .pid = event_int(ev, KEY_pid, NO_ID),
		    .device = event_int(ev, KEY_device, 0)};
	return d;
}

/* ---- records ---- */

/* Append the value of a key, behind a separator where *t is not empty. */
static void
add_value(struct text *t, const struct event *ev, enum key k,
    const char *separator, const char *before, const char *after)
{
	if (!event_has(ev, k))
		return;
	if (t->len > 0)
		text_add_str(t, separator);
	text_add_str(t, before);
	if (schema_keys[k].type == TYPE_STR)
		json_decode(t, ev->value[k]);
	else
		text_add_span(t, ev->value[k]);
	text_add_str(t, after);
}

static void
add_utc(struct text *t, int64_t ns)
{
	int64_t whole = ns / 1000000000, rest = ns % 1000000000;
	char day[64];
	struct tm tm;
	time_t seconds;

	if (rest < 0) {
		rest += 1000000000;
		whole--;
	}
	seconds = (time_t)whole;
	if (gmtime_r(&seconds, &tm) == NULL ||
	    strftime(day, sizeof(day), "%Y-%m-%d %H:%M:%S", &tm) == 0)
		return;
	text_printf(t, "%s.%09" PRId64 " UTC", day, rest);
}

/* The fact in r->scratch, which is empty then. */
static struct span
save_fact(struct report *r)
{
	struct span fact = region_copy(&r->section, text_span(&r->scratch));

	r->scratch.len = 0;
	return fact;
}

static void
add_trace(struct report *r, const struct event *ev)
{
	struct recorded *s = r->state;
	struct text *t = &r->scratch;
	struct span utc;
	int64_t ns;

	s->begun = true;
	s->total.untimed += event_is(ev, KEY_source, SPAN("folded"));
	s->rank = s->of_trace = event_int(ev, KEY_rank, NO_ID);
	t->len = 0;
	add_value(t, ev, KEY_source, "", "", "");
	add_value(t, ev, KEY_producer, " ", "", "");
	add_value(t, ev, KEY_schema, ", ", "schema ", "");
	s->facts[PRODUCER] = save_fact(r);
	add_value(t, ev, KEY_command, "", "", "");
	s->facts[COMMAND] = save_fact(r);
	add_value(t, ev, KEY_host, "", "", "");
	add_value(t, ev, KEY_os, ", ", "", "");
	s->facts[HOST] = save_fact(r);
	utc = event_str(ev, KEY_origin_utc_ns, t);
	if (!json_int(utc, &ns))
		return;
	t->len = 0;
	add_utc(t, ns);
	s->facts[START] = save_fact(r);
}

static void
define_device(struct report *r, const struct event *ev)
{
	struct text *t = &r->scratch;

	t->len = 0;
	add_value(t, ev, KEY_name, "", "", "");
	add_value(t, ev, KEY_sms, ", ", "", " SMs");
	if (event_has(ev, KEY_memory))
		text_printf(t, ", %" PRId64 " MiB",
		    event_int(ev, KEY_memory, 0) / (1024 * 1024));
	add_value(t, ev, KEY_cc, ", ", "compute capability ", "");
	add_value(t, ev, KEY_bus, ", ", "bus ", "");
	find_device(r->state, ev)->what = save_fact(r);
}

static void
define_process(struct report *r, const struct event *ev)
{
	struct recorded_process *p = find_process(r->state, ev);

	r->scratch.len = 0;
	add_value(&r->scratch, ev, KEY_name, "", "", "");
	p->name = save_fact(r);
	p->rank = event_int(ev, KEY_rank, NO_ID);
	if (p->rank != NO_ID)
		((struct recorded *)r->state)->rank = p->rank;
}

static void
count_event(struct recorded *s, const struct event *ev, enum role role)
{
	struct recorded_process *p = find_process(s, ev);

	switch (role) {
	case ROLE_WORK:
		p->operations++;
		find_device(s, ev)->operations++;
		s->joined += event_has(ev, KEY_api_ts);
		break;
	case ROLE_LAUNCH:
		p->calls += !twice_seen(&s->calls, ev);
		break;
	case ROLE_RANGE:
		p->ranges++;
		break;
	default:
		p->others++;
		break;
	}
}

static void
add_loss(struct recorded *s, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, NO_ID);

	s->lost = time_end(s->lost, losses_add(&s->losses, ev));
	if (s->total.lost_at == NO_ID || (ts != NO_ID && ts < s->total.lost_at))
		s->total.lost_at = ts;
}

/* True unless it is information only. */
static bool
is_warning(const struct event *ev)
{
	return event_has(ev, KEY_severity) &&
	       !event_is(ev, KEY_severity, SPAN("info"));
}

static void
run_event(struct report *r, const struct event *ev)
{
	struct recorded *s = r->state;
	enum role role = schema_role(ev->kind);

	if (s->info != NULL)
		info_event(s->info, ev);
	if (ev->kind == KIND_trace) {
		add_trace(r, ev);
	} else if (ev->kind == KIND_end) {
		s->ended = true;
		s->lost = time_end(s->lost, losses_add(&s->losses, ev));
		s->correlated |= event_has(ev, KEY_resolved);
	} else if (ev->kind == KIND_device) {
		define_device(r, ev);
	} else if (ev->kind == KIND_process) {
		define_process(r, ev);
	} else if (role != ROLE_DEF) {
		s->kinds[ev->kind]++;
		s->events = true;
		if (ev->kind == KIND_lost)
			add_loss(s, ev);
		if (ev->kind == KIND_diagnostic)
			s->total.warnings += is_warning(ev);
		if (event_has(ev, KEY_pid))
			count_event(s, ev, role);
		s->any |= event_has(ev, KEY_ts);
		s->correlated |= report_projected(ev);
	}
}

/* ---- rows ---- */

static void
run_row(struct table *t, int64_t section, const char *what, struct span value)
{
	col_int(t, "Trace", UNIT_NONE, section);
	col_text(t, "What", span_of(what));
	col_text(t, "Value", value);
}

/* The text in r->scratch, unless it is empty; it is empty then. */
static void
add_row(struct report *r, const char *what)
{
	const struct recorded *s = r->state;

	if (r->scratch.len > 0)
		run_row(&r->rows, s->sections, what, text_span(&r->scratch));
	r->scratch.len = 0;
}

/* "1,234 words"; plural is added to the word. */
static void
add_count(struct text *t, uint64_t n, const char *word, const char *plural)
{
	if (n == 0)
		return;
	if (t->len > 0 && t->p[t->len - 1] != ' ')
		text_add_str(t, ", ");
	amount_count(t, (int64_t)n);
	text_printf(t, " %s%s", word, n == 1 ? "" : plural);
}

static void
time_row(struct report *r)
{
	const struct wall *w = r->wall;
	struct text *t = &r->scratch;

	if (!w->any)
		return;
	amount_seconds(t, (int64_t)((uint64_t)w->to - (uint64_t)w->from));
	text_add_str(t, " s, from ");
	amount_seconds(t, w->from);
	text_add_str(t, " s to ");
	amount_seconds(t, w->to);
	text_printf(t, " s: %s", wall_meaning(w));
	add_row(r, "Wall");
}

/* by the operations, then by all else: the most first */
static int
by_activity(const void *pa, const void *pb)
{
	const struct recorded_process *a = pa, *b = pb;
	uint64_t na = a->calls + a->ranges + a->others;
	uint64_t nb = b->calls + b->ranges + b->others;

	if (a->operations != b->operations)
		return a->operations > b->operations ? -1 : 1;
	if (na != nb)
		return na > nb ? -1 : 1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

static void
process_row(struct report *r, const struct recorded_process *p)
{
	struct text *t = &r->scratch;

	if (p->pid == NO_ID)
		text_add_str(t, "unknown");
	else
		text_printf(t, "%" PRId64, p->pid);
	if (p->name.len > 0)
		text_add_char(t, ' ');
	text_add_span(t, p->name);
	if (p->rank != NO_ID)
		text_printf(t, ", rank %" PRId64, p->rank);
	text_add_str(t, ": ");
	add_count(t, p->operations, "operation", "s");
	add_count(t, p->calls, "API call", "s");
	add_count(t, p->ranges, "range", "s");
	add_count(t, p->others, "other event", "s");
	add_row(r, "Process");
}

static void
process_rows(struct report *r)
{
	struct recorded *s = r->state;
	const struct recorded_process *p = s->processes.all;
	size_t shown = 0, silent = 0;

	if (s->processes.count > 1)
		qsort(s->processes.all, s->processes.count, sizeof(*p),
		    by_activity);
	for (size_t i = 0; i < s->processes.count; i++, p++) {
		if (p->operations + p->calls + p->ranges + p->others == 0)
			silent++;
		else if (shown++ < MOST_PROCESSES)
			process_row(r, p);
	}
	if (shown > MOST_PROCESSES) {
		add_count(&r->scratch, shown - MOST_PROCESSES, "more", "");
		add_row(r, "Process");
	}
	if (silent > 0) {
		text_printf(&r->scratch, "%zu more without an event", silent);
		add_row(r, "Process");
	}
}

/* Some producers number the devices of all processes together. */
static struct span
device_text(const struct recorded *s, const struct recorded_device *d)
{
	if (d->what.len > 0)
		return d->what;
	for (size_t i = 0; i < s->devices.count; i++) {
		const struct recorded_device *common = &s->devices.all[i];

		if (common->pid == NO_ID && common->device == d->device)
			return common->what;
	}
	return SPAN("");
}

/* The devices with operations; if none has one, all. */
static void
device_rows(struct report *r)
{
	const struct recorded *s = r->state;
	struct text *t = &r->scratch;
	bool used = false;

	for (size_t i = 0; i < s->devices.count; i++)
		used |= s->devices.all[i].operations > 0;
	for (size_t i = 0; i < s->devices.count; i++) {
		const struct recorded_device *d = &s->devices.all[i];
		struct span name = device_text(s, d);

		if (used && d->operations == 0)
			continue;
		text_printf(t, "%" PRId64, d->device);
		if (d->pid != NO_ID)
			text_printf(t, " of process %" PRId64, d->pid);
		text_add_str(t, ": ");
		add_count(t, d->operations, "operation", "s");
		if (name.len > 0 && d->operations > 0)
			text_add_str(t, ": ");
		text_add_span(t, name);
		add_row(r, "Device");
	}
}

void
run_report_add_launches(
    struct text *t, uint64_t joined, uint64_t work, bool correlated)
{
	if (joined == 0 && !correlated)
		text_add_str(t, unknown_launches);
	else
		text_printf(t, "known of %" PRIu64 " of %" PRIu64 " %s", joined,
		    work, work == 1 ? "operation" : "operations");
}

static void
event_rows(struct report *r)
{
	const struct recorded *s = r->state;
	struct text *t = &r->scratch;
	uint64_t work = 0;

	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		add_count(t, s->kinds[k],
		    k < KIND_COUNT ? schema_kinds[k].name : "unknown", "");
		if (k < KIND_COUNT && schema_kinds[k].role == ROLE_WORK)
			work += s->kinds[k];
	}
	add_row(r, "Events");
	if (work == 0)
		return;
	run_report_add_launches(t, s->joined, work, s->correlated);
	add_row(r, "Launches");
}

static void
loss_row(struct report *r)
{
	const struct recorded *s = r->state;
	struct text *t = &r->scratch;

	if (s->lost > 0)
		add_count(t, (uint64_t)s->lost, "event", "s");
	if (s->begun && !s->ended)
		text_printf(t, "%sthe stream was cut before its end",
		    t->len > 0 ? "; " : "");
	if (t->len == 0)
		text_add_str(t, "nothing");
	add_row(r, "Lost");
}

/* The first section that has a fact gives it. */
static void
add_fact(struct report *r, struct span *fact, struct span of_section)
{
	if (fact->len == 0)
		*fact = region_copy(&r->life, of_section);
}

static void
add_section(struct report *r)
{
	struct recorded *s = r->state;
	struct run_report_total *t = &s->total;
	struct run_report_section *one =
	    array_add(&t->all, &t->sections, &t->all_cap);

	*one = (struct run_report_section){
	    .command = region_copy(&r->life, s->facts[COMMAND]),
	    .host = region_copy(&r->life, s->facts[HOST]),
	    .start = region_copy(&r->life, s->facts[START]),
	    .rank = s->rank};
	memcpy(one->kinds, s->kinds, sizeof(one->kinds));
}

static void
add_total(struct report *r)
{
	struct recorded *s = r->state;
	struct run_report_total *t = &s->total;

	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		t->kinds[k] += s->kinds[k];
		if (k < KIND_COUNT && schema_kinds[k].role == ROLE_WORK)
			t->work += s->kinds[k];
	}
	t->joined += s->joined;
	t->lost = time_end(t->lost, s->lost);
	if (s->begun || s->any)
		add_section(r);
	t->begun |= s->begun;
	t->cut |= s->begun && !s->ended;
	t->correlated |= s->correlated;
	add_fact(r, &t->producer, s->facts[PRODUCER]);
	add_fact(r, &t->command, s->facts[COMMAND]);
	add_fact(r, &t->host, s->facts[HOST]);
	add_fact(r, &t->start, s->facts[START]);
}

bool
run_report_unrelated(const struct run_report_total *t)
{
	int64_t *ranks = mem_resize(NULL, t->sections + 1, sizeof(*ranks));
	bool unrelated = false;

	for (size_t i = 0; i < t->sections; i++)
		ranks[i] = t->all[i].rank;
	qsort(ranks, t->sections, sizeof(*ranks), ascending);
	for (size_t i = 1; i < t->sections; i++)
		unrelated |= ranks[i] == NO_ID || ranks[i] == ranks[i - 1] ||
			     ranks[0] == NO_ID;
	free(ranks);
	return unrelated;
}

static int
by_start(const void *pa, const void *pb, void *sections)
{
	const struct run_report_section *all = sections;
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	int order = span_cmp(all[a].start, all[b].start);

	return order != 0 ? order : (a > b) - (a < b);
}

static bool
is_repeated(
    const struct run_report_section *a, const struct run_report_section *b)
{
	return a->start.len > 0 && span_eq(a->start, b->start) &&
	       span_eq(a->host, b->host) && a->rank == b->rank &&
	       memcmp(a->kinds, b->kinds, sizeof(a->kinds)) == 0;
}

bool
run_report_repeats(const struct run_report_total *t, size_t *a, size_t *b)
{
	size_t *order = mem_resize(NULL, t->sections + 1, sizeof(*order));
	bool found = false;

	for (size_t i = 0; i < t->sections; i++)
		order[i] = i;
	if (t->sections > 1)
		qsort_r(order, t->sections, sizeof(*order), by_start,
		    (void *)(uintptr_t)t->all);
	for (size_t i = 1; i < t->sections && !found; i++) {
		*a = order[i - 1];
		*b = order[i];
		found = is_repeated(&t->all[*a], &t->all[*b]);
	}
	free(order);
	return found;
}

int64_t
run_report_rank(const struct report *r)
{
	const struct recorded *s = r->state;

	return s->of_trace;
}

const struct run_report_total *
run_report_total(const struct report *r)
{
	const struct recorded *s = r->state;

	return &s->total;
}

/* Each GPU once, however many processes have it as a device. */
static void
add_gpus(const struct report *r)
{
	const struct recorded *s = r->state;
	struct gpu_numbers numbers = {0};
	uint32_t known = 0;
	int64_t number;

	for (size_t i = 0; i < s->devices.count; i++) {
		const struct recorded_device *d = &s->devices.all[i];
		uint32_t gpu;

		if (d->operations == 0)
			continue;
		gpu = gpu_numbers_find(
		    &numbers, r->names, d->pid, d->device, &number);
		if (gpu != INTERN_NONE && gpu < known)
			continue;
		known += gpu != INTERN_NONE;
		info_gpu(s->info, device_text(s, d));
	}
	gpu_numbers_free(&numbers);
}

static void
add_to_info(const struct report *r)
{
	const struct recorded *s = r->state;

	add_gpus(r);
	for (size_t i = 0; i < s->processes.count; i++) {
		const struct recorded_process *p = &s->processes.all[i];

		if (p->operations + p->calls + p->ranges + p->others > 0)
			info_process(s->info, p->operations > 0);
	}
	info_section_end(s->info);
}

static void
run_section_end(struct report *r)
{
	static const char *const names[FACTS] = {
	    "Recorded By", "Command", "Host", "Start"};
	struct recorded *s = r->state;

	r->scratch.len = 0;
	add_total(r);
	if (s->info != NULL) {
		if (s->begun || s->any)
			add_to_info(r);
	} else if (s->begun || s->any) {
		for (size_t i = 0; i < FACTS; i++) {
			text_add_span(&r->scratch, s->facts[i]);
			add_row(r, names[i]);
		}
		time_row(r);
		device_rows(r);
		process_rows(r);
		event_rows(r);
		loss_row(r);
		s->sections++;
	}
	numbered_clear(&s->processes);
	numbered_clear(&s->devices);
	twice_reset(&s->calls);
	memset(s->kinds, 0, sizeof(s->kinds));
	memset(s->facts, 0, sizeof(s->facts));
	s->joined = 0;
	s->lost = 0;
	s->losses = (struct losses){0};
	s->rank = s->of_trace = NO_ID;
	s->any = s->begun = s->ended = s->correlated = false;
}

static void
run_open(struct report *r)
{
	struct recorded *s = r->state;

	s->total.lost_at = s->rank = s->of_trace = NO_ID;
	col_heading(&r->rows, run_row, 0, "", SPAN(""));
}

/* Without any event there are no rows. */
static void
run_table(struct report *r, struct table *t)
{
	struct recorded *s = r->state;

	if (s->merged.column_count > 0) {
		table_free(&r->rows);
		r->rows = s->merged;
		s->merged = (struct table){0};
	}
	if (s->events)
		report_rows(r, t);
	else
		col_heading(t, run_row, 0, "", SPAN(""));
}

/* A row without a name, which says whether there is an event, and the rows. */
static void
run_part_table(struct report *r, struct table *t)
{
	struct recorded *s = r->state;
	struct table *rows = s->merged.column_count > 0 ? &s->merged : &r->rows;

	col_heading(t, run_row, 0, "", SPAN(""));
	run_row(t, s->events, "", SPAN(""));
	for (size_t i = 0; i < table_rows(rows); i++)
		table_copy_row(t, rows, i);
}

/* sections of parts are numbered anew */
static bool
run_part_row(
    struct report *r, const struct table *t, const struct table_cell *cells)
{
	struct recorded *s = r->state;
	struct table *to = &s->merged;
	struct span what = table_cell_text(t, &cells[1]);
	int64_t number;

	if (cells[1].type != CELL_TEXT || cells[2].type != CELL_TEXT ||
	    !table_cell_int(&cells[0], &number) || number < 0)
		return false;
	if (to->column_count == 0)
		col_heading(to, run_row, 0, "", SPAN(""));
	if (what.len == 0) {
		s->events |= number > 0;
		s->first = s->sections;
		return true;
	}
	number = time_end(s->first, number);
	s->sections = time_end(number, 1);
	table_int(to, number);
	table_text(to, what);
	table_text(to, table_cell_text(t, &cells[2]));
	return true;
}

static void
run_close(struct report *r)
{
	struct recorded *s = r->state;

	numbered_free(&s->processes);
	numbered_free(&s->devices);
	twice_free(&s->calls);
	free(s->total.all);
	table_free(&s->merged);
}

/* ---- info: all sections in few rows ---- */

static void
open_info(struct report *r)
{
	struct recorded *s = r->state;

	s->total.lost_at = s->rank = s->of_trace = NO_ID;
	s->info = info_open(r);
}

static void
table_info(struct report *r, struct table *t)
{
	struct recorded *s = r->state;

	info_table(s->info, &s->total, t);
}

static bool
text_info(struct report *r, struct output *o)
{
	struct table t = {0};
	bool any;

	table_info(r, &t);
	any = info_text(&t, o);
	table_free(&t);
	return any;
}

static void
close_info(struct report *r)
{
	info_free(((struct recorded *)r->state)->info);
	run_close(r);
}

static void
run_wanted(struct keyset *want)
{
	static const enum key keys[] = {TWICE_KEYS};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		keyset_add(&want[KIND_api], keys[i]);
	keyset_add(&want[KIND_gpu_range], KEY_range);
	losses_keys(want);
}

static void
wanted_info(struct keyset *want)
{
	run_wanted(want);
	info_wanted(want);
}

#define RECORDING \
	.missing = "no event in the stream", .kinds = ~(uint64_t)0, \
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_device, KEY_api_ts, \
	    KEY_count, KEY_severity), \
	.wall = true, .size = sizeof(struct recorded), .event = run_event, \
	.section_end = run_section_end

const struct report_kind run_report_reports[] = {
    {.name = "info",
	.question = ASKS_WHOLE,
	.as_recorded = true,
	.unmerged = "it weighs the evidence of all records together",
	.title = "What Is in the Recording",
	.wanted = wanted_info,
	.open = open_info,
	.table = table_info,
	.text = text_info,
	.close = close_info,
	RECORDING},
    {.name = "run",
	.question = ASKS_WHOLE,
	.as_recorded = true,
	.rows = REPORT_EVENTS,
	.title = "What Was Recorded",
	.wanted = run_wanted,
	.row_parts = true,
	.part_table = run_part_table,
	.part_row = run_part_row,
	.open = run_open,
	.table = run_table,
	.close = run_close,
	RECORDING},
    {0},
};
