/* overview_run.c - what was run on what, and what of it was recorded */

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"

#include "overview.h"

enum { MOST_PROCESSES = 16 }; /* that are listed, of a section */

const enum key overview_run_keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_device, KEY_api_ts, KEY_count, KEY_NONE};

/* ---- the section at hand ---- */

static struct run_process *
process_of(struct overview_run *s, int64_t pid)
{
	uint64_t *slot = map_get(&s->by_pid, (uint64_t)pid, 0);

	if (*slot == 0) {
		if (s->process_count == s->process_cap) {
			s->process_cap = s->process_cap * 2 + 16;
			s->processes = mem_resize(s->processes, s->process_cap,
			    sizeof(*s->processes));
		}
		s->processes[s->process_count++] =
		    (struct run_process){.pid = pid, .rank = NO_ID};
		*slot = s->process_count;
	}
	return &s->processes[*slot - 1];
}

static struct run_device *
device_of(struct overview_run *s, const struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t device = event_int(ev, KEY_device, 0);
	uint64_t *slot =
	    map_get(&s->by_device, (uint64_t)pid, (uint64_t)device);

	if (*slot == 0) {
		if (s->device_count == s->device_cap) {
			s->device_cap = s->device_cap * 2 + 8;
			s->devices = mem_resize(
			    s->devices, s->device_cap, sizeof(*s->devices));
		}
		s->devices[s->device_count++] =
		    (struct run_device){.pid = pid, .device = device};
		*slot = s->device_count;
	}
	return &s->devices[*slot - 1];
}

/* ---- what the records say ---- */

/* the value of a key at the end of t, after a separator if there is more */
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

static void
begin(struct overview_run *s, const struct event *ev)
{
	struct text *facts = s->facts;
	struct span utc;
	int64_t ns;

	s->begun = true;
	add_value(&facts[RUN_PRODUCER], ev, KEY_source, "", "", "");
	add_value(&facts[RUN_PRODUCER], ev, KEY_producer, " ", "", "");
	add_value(&facts[RUN_PRODUCER], ev, KEY_schema, ", ", "schema ", "");
	add_value(&facts[RUN_COMMAND], ev, KEY_command, "", "", "");
	add_value(&facts[RUN_HOST], ev, KEY_host, "", "", "");
	add_value(&facts[RUN_HOST], ev, KEY_os, ", ", "", "");
	s->scratch.len = 0;
	utc = event_str(ev, KEY_origin_utc_ns, &s->scratch);
	if (json_int(utc, &ns))
		add_utc(&facts[RUN_START], ns);
}

static void
define_device(struct overview_run *s, const struct event *ev)
{
	struct text *t = &device_of(s, ev)->what;

	t->len = 0;
	add_value(t, ev, KEY_name, "", "", "");
	add_value(t, ev, KEY_sms, ", ", "", " SMs");
	if (event_has(ev, KEY_memory))
		text_printf(t, ", %" PRId64 " MiB",
		    event_int(ev, KEY_memory, 0) / (1024 * 1024));
	add_value(t, ev, KEY_cc, ", ", "compute capability ", "");
	add_value(t, ev, KEY_bus, ", ", "bus ", "");
}

static void
define(struct overview_run *s, const struct event *ev)
{
	struct run_process *p;

	if (ev->kind == KIND_device) {
		define_device(s, ev);
	} else if (ev->kind == KIND_process) {
		p = process_of(s, event_int(ev, KEY_pid, NO_ID));
		p->name.len = 0;
		add_value(&p->name, ev, KEY_name, "", "", "");
		p->rank = event_int(ev, KEY_rank, NO_ID);
	}
}

static void
count(struct overview_run *s, const struct event *ev, enum role role)
{
	struct run_process *p = process_of(s, event_int(ev, KEY_pid, NO_ID));

	switch (role) {
	case ROLE_WORK:
		p->operations++;
		device_of(s, ev)->operations++;
		s->joined += event_has(ev, KEY_api_ts);
		break;
	case ROLE_LAUNCH:
		p->calls++;
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
cover(struct overview_run *s, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (end == INT64_MAX)
		end = ts;
	if (!s->any || s->from > ts)
		s->from = ts;
	if (!s->any || s->to < end)
		s->to = end;
	s->any = true;
}

void
overview_run_event(struct report *r, const struct event *ev)
{
	struct overview_run *s = r->state;
	enum role role = schema_role(ev->kind);

	if (ev->kind == KIND_trace) {
		begin(s, ev);
	} else if (ev->kind == KIND_end) {
		s->ended = true;
		if (event_int(ev, KEY_dropped, 0) > s->lost)
			s->lost = event_int(ev, KEY_dropped, 0);
	} else if (role == ROLE_DEF) {
		define(s, ev);
	} else {
		s->kinds[ev->kind]++;
		s->events = true;
		if (ev->kind == KIND_lost)
			s->lost += event_int(ev, KEY_count, 1);
		if (event_has(ev, KEY_pid))
			count(s, ev, role);
		if (event_has(ev, KEY_ts))
			cover(s, ev);
	}
}

/* ---- rows ---- */

static void
columns(struct table *t)
{
	table_column(t, "Trace", UNIT_NONE);
	table_text_column(t, "What");
	table_text_column(t, "Value");
}

static void
add_row(struct overview_run *s, const char *what)
{
	if (s->rows.column_count == 0)
		columns(&s->rows);
	if (s->scratch.len > 0) {
		table_int(&s->rows, s->sections);
		table_text(&s->rows, span_of(what));
		table_text(&s->rows, text_span(&s->scratch));
	}
	s->scratch.len = 0;
}

/* N WORDs, with separators in the number; plural is what the word gets then */
static void
add_count(struct text *t, uint64_t n, const char *word, const char *plural)
{
	char digits[TEXT_INT_MAX];
	size_t len = (size_t)(text_digits(digits, n) - digits);

	if (n == 0)
		return;
	if (t->len > 0 && t->p[t->len - 1] != ' ')
		text_add_str(t, ", ");
	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			text_add_char(t, ',');
		text_add_char(t, digits[i]);
	}
	text_printf(t, " %s%s", word, n == 1 ? "" : plural);
}

static void
add_seconds(struct text *t, int64_t ns)
{
	text_printf(t, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "",
	    (ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns) / 1000000000,
	    (ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns) % 1000000000);
}

static void
time_row(struct overview_run *s)
{
	struct text *t = &s->scratch;

	if (!s->any)
		return;
	add_seconds(t, (int64_t)((uint64_t)s->to - (uint64_t)s->from));
	text_add_str(t, " s, from ");
	add_seconds(t, s->from);
	text_add_str(t, " s to ");
	add_seconds(t, s->to);
	text_add_str(t, " s");
	add_row(s, "Time");
}

/* those with the most operations first, then with the most of all else */
static int
compare(const void *pa, const void *pb)
{
	const struct run_process *a = pa, *b = pb;
	uint64_t na = a->calls + a->ranges + a->others;
	uint64_t nb = b->calls + b->ranges + b->others;

	if (a->operations != b->operations)
		return a->operations > b->operations ? -1 : 1;
	if (na != nb)
		return na > nb ? -1 : 1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

static void
process_row(struct overview_run *s, const struct run_process *p)
{
	struct text *t = &s->scratch;

	if (p->pid == NO_ID)
		text_add_str(t, "unknown");
	else
		text_printf(t, "%" PRId64, p->pid);
	if (p->name.len > 0)
		text_add_char(t, ' ');
	text_add_span(t, text_span(&p->name));
	if (p->rank != NO_ID)
		text_printf(t, ", rank %" PRId64, p->rank);
	text_add_str(t, ": ");
	add_count(t, p->operations, "operation", "s");
	add_count(t, p->calls, "call", "s");
	add_count(t, p->ranges, "range", "s");
	add_count(t, p->others, "other event", "s");
	add_row(s, "Process");
}

static void
process_rows(struct overview_run *s)
{
	size_t shown = 0, silent = 0;

	if (s->process_count > 1)
		qsort(s->processes, s->process_count, sizeof(*s->processes),
		    compare);
	for (size_t i = 0; i < s->process_count; i++) {
		const struct run_process *p = &s->processes[i];

		if (p->operations + p->calls + p->ranges + p->others == 0)
			silent++;
		else if (shown++ < MOST_PROCESSES)
			process_row(s, p);
	}
	if (shown > MOST_PROCESSES) {
		add_count(&s->scratch, shown - MOST_PROCESSES, "more", "");
		add_row(s, "Process");
	}
	if (silent > 0) {
		text_printf(&s->scratch, "%zu more without an event", silent);
		add_row(s, "Process");
	}
}

/* some number the devices of all processes together */
static struct span
what_of(const struct overview_run *s, const struct run_device *d)
{
	const uint64_t *slot;

	if (d->what.len > 0)
		return text_span(&d->what);
	slot = map_find(&s->by_device, (uint64_t)NO_ID, (uint64_t)d->device);
	return slot != NULL ? text_span(&s->devices[*slot - 1].what)
			    : (struct span){"", 0};
}

/* the devices that did something; if none did, all */
static void
device_rows(struct overview_run *s)
{
	struct text *t = &s->scratch;
	bool used = false;

	for (size_t i = 0; i < s->device_count; i++)
		used |= s->devices[i].operations > 0;
	for (size_t i = 0; i < s->device_count; i++) {
		const struct run_device *d = &s->devices[i];
		struct span name = what_of(s, d);

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
		add_row(s, "Device");
	}
}

static void
event_rows(struct overview_run *s)
{
	struct text *t = &s->scratch;
	uint64_t work = 0;

	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		add_count(t, s->kinds[k],
		    k < KIND_COUNT ? schema_kinds[k].name : "unknown", "");
		if (k < KIND_COUNT && schema_kinds[k].role == ROLE_WORK)
			work += s->kinds[k];
	}
	add_row(s, "Events");
	if (work == 0)
		return;
	if (s->joined == 0)
		text_add_str(t, "unknown, until tq-correlate finds them");
	else
		text_printf(t, "known of %" PRIu64 " of %" PRIu64 " operations",
		    s->joined, work);
	add_row(s, "Launches");
}

static void
loss_row(struct overview_run *s)
{
	struct text *t = &s->scratch;

	if (s->lost > 0)
		add_count(t, (uint64_t)s->lost, "event", "s");
	if (s->begun && !s->ended)
		text_printf(t, "%sthe stream was cut before its end",
		    t->len > 0 ? "; " : "");
	if (t->len == 0)
		text_add_str(t, "nothing");
	add_row(s, "Lost");
}

static void
reset(struct overview_run *s)
{
	for (size_t i = 0; i < s->process_count; i++)
		text_free(&s->processes[i].name);
	for (size_t i = 0; i < s->device_count; i++)
		text_free(&s->devices[i].what);
	for (size_t i = 0; i < RUN_FACTS; i++)
		s->facts[i].len = 0;
	s->process_count = s->device_count = 0;
	memset(s->kinds, 0, sizeof(s->kinds));
	s->joined = 0;
	s->lost = 0;
	s->any = s->begun = s->ended = false;
	map_clear(&s->by_pid);
	map_clear(&s->by_device);
}

void
overview_run_section_end(struct report *r)
{
	static const char *const names[RUN_FACTS] = {
	    "Recorded By", "Command", "Host", "Start"};
	struct overview_run *s = r->state;

	if (s->begun || s->any) {
		for (size_t i = 0; i < RUN_FACTS; i++) {
			s->scratch.len = 0;
			text_add_span(&s->scratch, text_span(&s->facts[i]));
			add_row(s, names[i]);
		}
		time_row(s);
		device_rows(s);
		process_rows(s);
		event_rows(s);
		loss_row(s);
		s->sections++;
	}
	reset(s);
}

/* Where nothing happened, there is nothing to tell. */
void
overview_run_table(struct report *r, struct table *t)
{
	struct overview_run *s = r->state;

	columns(t);
	if (!s->events)
		return;
	for (size_t i = 0; i < table_rows(&s->rows); i++) {
		const struct table_cell *c = table_row(&s->rows, i);

		table_int(t, c[0].i);
		table_text(t, table_cell_text(&s->rows, &c[1]));
		table_text(t, table_cell_text(&s->rows, &c[2]));
	}
}

void
overview_run_close(struct report *r)
{
	struct overview_run *s = r->state;

	reset(s);
	table_free(&s->rows);
	free(s->processes);
	free(s->devices);
	map_free(&s->by_pid);
	map_free(&s->by_device);
	for (size_t i = 0; i < RUN_FACTS; i++)
		text_free(&s->facts[i]);
	text_free(&s->scratch);
}
