/* info.c - info: what is in a recording, and whether it is whole */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/ascending.h"
#include "tq/base/mem.h"
#include "tq/evidence/evidence.h"
#include "tq/io/printed_command.h"
#include "tq/line/json.h"
#include "tq/names/model.h"
#include "tq/show/amount.h"
#include "tq/show/col.h"
#include "tq/show/escape.h"

#include "sums/gpu_calls.h"
#include "sums/sums.h"
#include "info.h"

enum { MOST_EVIDENCE = 6, MOST_GPUS = 4, LABEL = 12 };

/* a report, which has rows if a record says so */
struct info_report {
	const struct report_kind *kind;
	struct report report; /* of one that is tried */
	bool rows;
};

struct info_model {
	struct span name;
	int64_t gpus;
};

struct info {
	struct report *r;
	struct recording_evidence evidence;
	struct gpu_calls calls;
	int64_t roles[API_ROLES]; /* of these calls */
	const char *window;       /* the meaning of [from, to], or NULL */
	int64_t from, to;         /* of the last section */
	int64_t section_first, section_until; /* of its operations */
	int64_t first, until;                 /* of all operations */
	int64_t active, recorded;
	int64_t processes, workers;
	struct info_model *models;
	size_t model_count, model_cap;
	uint64_t rows; /* records that make rows, see report_kind.rows */
	NUMBERED(int64_t) busy; /* of a device, until then */
	struct range_spec step;
	struct info_report *reports;
	size_t report_count, report_cap;
	struct text text;
};

/* ---- the reports that have rows ---- */

/* True if the records alone tell: its sum has a row for each. */
static bool
is_tried(const struct report_kind *k)
{
	return k->rows == 0 && k->sum != NULL && k->event == NULL &&
	       k->open == NULL && !k->correlated && !k->grouped && !k->stacks;
}

static void
open_reports(struct info *x)
{
	for (size_t i = 0; report_kinds[i] != NULL; i++)
		for (const struct report_kind *k = report_kinds[i];
		     k->name != NULL; k++) {
			struct info_report *one;
			struct report like = {.kind = k,
			    .name = mem_copy(k->name, strlen(k->name)),
			    .settings = x->r->settings,
			    .names = x->r->names,
			    .wall = x->r->wall,
			    .dropped = x->r->dropped};

			if (k->rows != 0 || is_tried(k)) {
				one = array_add(&x->reports, &x->report_count,
				    &x->report_cap);
				*one = (struct info_report){.kind = k};
				if (is_tried(k))
					report_copy(&one->report, &like);
			}
			free(like.name);
		}
}

/* Which of the reports has a row of the record. */
static void
try_reports(struct info *x, const struct event *ev)
{
	for (size_t i = 0; i < x->report_count; i++) {
		struct info_report *one = &x->reports[i];
		const struct report_kind *k = one->kind;

		if (!one->rows && is_tried(k) &&
		    (k->kinds >> ev->kind & 1) != 0)
			one->rows = sums_counts(&one->report, ev);
	}
}

/* ---- records ---- */

struct info *
info_open(struct report *r)
{
	struct info *x = region_get(&r->life, sizeof(*x));
	size_t at;

	x->r = r;
	x->first = x->section_first = INT64_MAX;
	x->until = x->section_until = INT64_MIN;
	range_spec_parse_step(&x->step, "0..", &at);
	open_reports(x);
	return x;
}

void
info_wanted(struct keyset *want)
{
	evidence_keys(want);
	gpu_calls_keys(want);
	for (size_t i = 0; report_kinds[i] != NULL; i++)
		for (const struct report_kind *k = report_kinds[i];
		     k->name != NULL; k++)
			for (size_t kind = 0; is_tried(k) && kind < KIND_COUNT;
			     kind++)
				if ((k->kinds >> kind & 1) != 0)
					keyset_add_all(&want[kind], k->keys);
	keyset_add(&want[KIND_kernel], KEY_name);
	keyset_add(&want[KIND_range], KEY_name);
	keyset_add(&want[KIND_range], KEY_domain);
	keyset_add(&want[KIND_range], KEY_mode);
}

static void
add_operation(struct info *x, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	bool fresh;
	int64_t *busy = numbered_get(&x->busy, model_device(ev), &fresh);

	if (!fresh && ts > *busy)
		x->rows |= ROWS_GAP;
	if (fresh || *busy < end)
		*busy = end;
	if (x->section_first > ts)
		x->section_first = ts;
	if (x->section_until < end && end != INT64_MAX)
		x->section_until = end;
	if (ev->kind == KIND_kernel && event_has(ev, KEY_api_ts))
		x->rows |= ROWS_JOINED;
	if (ev->kind == KIND_kernel && (x->rows & ROWS_COMMUNICATION) == 0 &&
	    model_communicates(ev))
		x->rows |= ROWS_COMMUNICATION;
}

static void
add_call(struct info *x, const struct event *ev)
{
	if (!gpu_calls_add(&x->calls, ev))
		return;
	x->roles[model_symbol_at(ev->model, model_symbol(ev))->call.role]++;
	x->rows |= ROWS_CALL;
}

static void
add_range(struct info *x, const struct event *ev)
{
	if (event_is(ev, KEY_mode, SPAN("push")))
		x->rows |= ROWS_PUSHED;
	if ((x->rows & ROWS_STEP) == 0 && event_has(ev, KEY_name) &&
	    range_spec_match_event(&x->step, ev, &x->text, NULL) == PATTERN_YES)
		x->rows |= ROWS_STEP;
	x->text.len = 0;
}

void
info_event(struct info *x, const struct event *ev)
{
	evidence_event(&x->evidence, ev);
	if (ev->kind < KIND_COUNT && schema_role(ev->kind) != ROLE_DEF &&
	    schema_role(ev->kind) != ROLE_FRAME)
		x->rows |= (uint64_t)1 << ev->kind;
	if (schema_role(ev->kind) == ROLE_WORK && event_has(ev, KEY_ts))
		add_operation(x, ev);
	else if (ev->kind == KIND_api)
		add_call(x, ev);
	else if (ev->kind == KIND_range && event_has(ev, KEY_dur))
		add_range(x, ev);
	if (schema_role(ev->kind) != ROLE_DEF)
		try_reports(x, ev);
}

void
info_gpu(struct info *x, struct span model)
{
	struct info_model *m;
	const char *bus = memmem(model.p, model.len, ", bus ", 6);

	if (bus != NULL)
		model.len = (size_t)(bus - model.p);
	for (size_t i = 0; i < x->model_count; i++)
		if (span_eq(x->models[i].name, model)) {
			x->models[i].gpus++;
			return;
		}
	m = array_add(&x->models, &x->model_count, &x->model_cap);
	*m = (struct info_model){region_copy(&x->r->life, model), 1};
}

void
info_process(struct info *x, bool works)
{
	x->processes++;
	x->workers += works;
}

void
info_section_end(struct info *x)
{
	const struct wall *w = x->r->wall;

	if (w->any) {
		x->from = w->from;
		x->to = w->to;
		x->window = wall_meaning(w);
		x->recorded =
		    time_end(x->recorded, time_between(w->from, w->to));
	}
	/* no operation was closed */
	if (x->section_first != INT64_MAX && x->section_until == INT64_MIN)
		x->section_until = w->any ? w->to : x->section_first;
	if (x->section_first <= x->section_until)
		x->active = time_end(x->active,
		    time_between(x->section_first, x->section_until));
	if (x->first > x->section_first)
		x->first = x->section_first;
	if (x->until < x->section_until)
		x->until = x->section_until;
	x->section_first = INT64_MAX;
	x->section_until = INT64_MIN;
	numbered_clear(&x->busy);
	gpu_calls_section_end(&x->calls);
}

/* ---- rows ---- */

static void
info_row(struct table *t, const char *what, struct span value)
{
	col_text(t, "What", span_of(what));
	col_text(t, "Value", value);
}

/* What x->text has, unless it is empty; it is empty then. */
static void
add_row(struct info *x, struct table *t, const char *what)
{
	if (x->text.len > 0)
		info_row(t, what, text_span(&x->text));
	x->text.len = 0;
}

/* "1,234 word", behind a comma. */
static void
add_count(struct text *t, int64_t n, const char *word)
{
	if (n == 0)
		return;
	if (t->len > 0)
		text_add_str(t, ", ");
	amount_count(t, n);
	text_printf(t, " %s", word);
}

static void
add_fact(struct info *x, struct table *t, const char *what, struct span fact)
{
	text_add_span(&x->text, fact);
	add_row(x, t, what);
}

static void
add_window(struct info *x, struct table *t, const struct run_report_total *s)
{
	struct text *to = &x->text;

	if (x->window == NULL || run_report_untimed(s))
		return;
	amount_time(to, x->recorded);
	if (s->sections == 1) {
		text_add_str(to, ", from ");
		amount_moment(to, x->from);
		text_add_str(to, " to ");
		amount_moment(to, x->to);
		text_printf(to, ": %s", x->window);
	} else {
		text_add_str(to, " of ");
		amount_count(to, (int64_t)s->sections);
		text_add_str(to, " recordings together");
	}
	add_row(x, t, "Window");
	if (s->work == 0)
		return;
	amount_time(to, x->active);
	text_add_str(to, " from the first to the last operation of a GPU");
	if (s->sections == 1) {
		text_add_str(to, ", from ");
		amount_moment(to, x->first);
		text_add_str(to, " to ");
		amount_moment(to, x->until);
	}
	add_row(x, t, "Active");
}

/* "2 more models" */
static void
add_more(struct info *x, struct table *t, const char *what, size_t count,
    size_t most, const char *noun)
{
	if (count <= most)
		return;
	amount_count(&x->text, (int64_t)(count - most));
	text_printf(&x->text, " more %s%s", noun, count - most > 1 ? "s" : "");
	add_row(x, t, what);
}

static void
add_gpus(struct info *x, struct table *t)
{
	for (size_t i = 0; i < x->model_count && i < MOST_GPUS; i++) {
		amount_count(&x->text, x->models[i].gpus);
		if (x->models[i].name.len > 0)
			text_add_str(&x->text, ": ");
		text_add_span(&x->text, x->models[i].name);
		add_row(x, t, "GPUs");
	}
	add_more(x, t, "GPUs", x->model_count, MOST_GPUS, "model");
}

static void
add_processes(struct info *x, struct table *t)
{
	if (x->processes == 0 && x->rows != 0) {
		text_add_str(&x->text, "unknown: no record names its process");
		add_row(x, t, "Processes");
		return;
	}
	amount_count(&x->text, x->processes);
	text_add_str(&x->text, " with records, ");
	amount_count(&x->text, x->workers);
	text_add_str(&x->text, " with operations of a GPU");
	add_row(x, t, "Processes");
}

/* "8: 0 to 7", or "3: 0, 2, 5" */
static void
add_ranks(struct info *x, struct table *t, const struct run_report_total *s)
{
	int64_t *ranks = mem_resize(NULL, s->sections + 1, sizeof(*ranks));
	size_t count = 0;

	for (size_t i = 0; i < s->sections; i++)
		if (s->all[i].rank != NO_ID)
			ranks[count++] = s->all[i].rank;
	qsort(ranks, count, sizeof(*ranks), ascending);
	for (size_t i = 0; i < count; i++) {
		size_t last = i;

		while (last + 1 < count && ranks[last + 1] == ranks[last] + 1)
			last++;
		if (i == 0)
			text_printf(&x->text, "%zu: ", count);
		text_printf(
		    &x->text, "%s%" PRId64, i > 0 ? ", " : "", ranks[i]);
		if (last > i)
			text_printf(&x->text, " to %" PRId64, ranks[last]);
		i = last;
	}
	add_row(x, t, "Ranks");
	free(ranks);
}

static void
add_events(struct info *x, struct table *t, const struct run_report_total *s)
{
	struct text role = {0};

	for (enum kind k = 0; k <= KIND_COUNT; k++)
		add_count(&x->text, (int64_t)s->kinds[k],
		    k < KIND_COUNT ? schema_kinds[k].name : "unknown");
	add_row(x, t, "Events");
	if (s->work > 0)
		run_report_add_launches(
		    &x->text, s->joined, s->work, s->correlated);
	add_row(x, t, "Launches");
	if (x->calls.count == 0)
		return;
	for (size_t i = 0; i < API_ROLES; i++) {
		struct span name = api_call_role((enum api_role)i);

		role.len = 0;
		json_decode(&role, name);
		text_add_char(&role, '\0');
		add_count(&x->text, x->roles[i], role.p);
	}
	text_free(&role);
	text_add_str(&x->text, "; ");
	gpu_calls_add_failed(&x->text, &x->calls, &x->evidence);
	add_row(x, t, "API Calls");
}

static void
add_losses(struct info *x, struct table *t, const struct run_report_total *s)
{
	if (s->lost > 0) {
		amount_count(&x->text, s->lost);
		text_add_str(&x->text, s->lost == 1 ? " event" : " events");
	}
	if (s->cut)
		text_printf(&x->text, "%sthe stream was cut before its end",
		    x->text.len > 0 ? "; " : "");
	if (x->text.len == 0)
		text_add_str(&x->text, "nothing");
	add_row(x, t, "Lost");
}

/* What is known against the recording, and what can't be concluded of it. */
static void
add_evidence(struct info *x, struct table *t)
{
	const struct recording_evidence *e = &x->evidence;

	for (size_t i = 0; i < e->fact_count && i < MOST_EVIDENCE; i++) {
		const struct evidence_fact *f = &e->facts[i];
		const char *between = "; takes away: ";

		text_add_span(&x->text, f->title);
		for (unsigned bit = 0; bit < EVIDENCE_TAKES_COUNT; bit++)
			if ((f->takes >> bit & 1) != 0) {
				text_printf(&x->text, "%s%s", between,
				    evidence_takes_word(bit));
				between = ", ";
			}
		add_row(x, t, "Evidence");
	}
	add_more(x, t, "Evidence", e->fact_count, MOST_EVIDENCE, "fact");
	if (e->fact_count == 0)
		add_fact(x, t, "Evidence", SPAN("nothing found against it"));
}

/* what reports need most, and recordings lack often */
static const struct {
	enum kind kind;
	const char *name;
} expected[] = {
    {KIND_kernel, "kernels"},
    {KIND_api, "API calls"},
    {KIND_range, "ranges"},
    {KIND_osrt, "calls of the OS"},
    {KIND_sched, "switches of threads"},
    {KIND_sample, "CPU samples"},
    {KIND_alloc, "allocations"},
    {KIND_counter, "counters"},
};

static void
add_absent(struct info *x, struct table *t, const struct run_report_total *s)
{
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		if (s->kinds[expected[i].kind] == 0)
			text_printf(&x->text, "%s%s",
			    x->text.len > 0 ? ", " : "", expected[i].name);
	add_row(x, t, "Not Recorded");
}

static void
add_reports(struct info *x, struct table *t)
{
	for (size_t i = 0; i < x->report_count; i++) {
		const struct info_report *one = &x->reports[i];

		if (one->rows || (one->kind->rows & x->rows) != 0)
			text_printf(&x->text, "%s%s",
			    x->text.len > 0 ? ", " : "", one->kind->name);
	}
	add_row(x, t, "Reports");
}

static void
add_next(struct info *x, struct table *t)
{
	struct printed_command_input in;

	printed_command_input(&in, x->r->settings->operands);
	printed_command_add(&x->text, &in, SPAN("tq-stats --digest 4k FILE"));
	add_row(x, t, "Next");
	printed_command_input_free(&in);
}

void
info_table(struct info *x, const struct run_report_total *s, struct table *t)
{
	struct printed_command_input in;

	col_heading(t, info_row, "", SPAN(""));
	if (!s->begun && x->rows == 0)
		return;
	evidence_finish(&x->evidence);
	if (x->evidence.failures.count > 0)
		x->rows |= ROWS_FAILURE;
	printed_command_input(&in, x->r->settings->operands);
	add_fact(x, t, "Files", text_span(&in.files));
	printed_command_input_free(&in);
	add_fact(x, t, "Recorded By", s->producer);
	add_fact(x, t, "Command", s->command);
	add_fact(x, t, "Host", s->host);
	add_gpus(x, t);
	add_fact(x, t, "Start", s->start);
	add_window(x, t, s);
	add_processes(x, t);
	add_ranks(x, t, s);
	add_events(x, t, s);
	add_losses(x, t, s);
	add_evidence(x, t);
	add_absent(x, t, s);
	add_reports(x, t);
	add_next(x, t);
}

bool
info_text(struct table *t, struct output *o)
{
	for (size_t i = 0; i < table_rows(t); i++) {
		const struct table_cell *row = table_row(t, i);
		struct span what = table_cell_text(t, &row[0]);

		text_printf(&o->buf, "%-*.*s  ", LABEL, (int)what.len, what.p);
		escape_terminal(&o->buf, table_cell_text(t, &row[1]));
		text_add_char(&o->buf, '\n');
	}
	return table_rows(t) > 0;
}

void
info_free(struct info *x)
{
	evidence_free(&x->evidence);
	gpu_calls_free(&x->calls);
	free(x->models);
	numbered_free(&x->busy);
	for (size_t i = 0; i < x->report_count; i++)
		if (is_tried(x->reports[i].kind))
			report_free(&x->reports[i].report);
	free(x->reports);
	range_spec_free(&x->step);
	text_free(&x->text);
}
