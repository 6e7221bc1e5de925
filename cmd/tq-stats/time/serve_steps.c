/*
 * serve_steps.c - the steps of an inference server, by the names of their
 * ranges
 *
 * A step owns what its thread launches from its start until the next begins:
 * servers launch sampling after the range.  Of what is launched behind the last
 * step, only that counts which starts within the step's duration after it.  A
 * range within a step of its thread is the same step: it adds the numbers that
 * the outer name lacks.
 *
 * A step is held, about 300 bytes, and no operation but those behind the last
 * step of a thread, at most HELD.
 */

#include <stdlib.h>

#include "tq/account/device_time.h"
#include "tq/ask/serve_rules.h"
#include "tq/base/lower_bound.h"
#include "tq/base/numbered.h"
#include "tq/base/numbered_texts.h"
#include "tq/names/model.h"

#include "ranges/self.h"
#include "tq/show/col.h"
#include "report.h"
#include "serve_steps.h"

enum { HELD = 1 << 16 };

struct serve_op {
	int64_t ts, end;
	uint64_t device; /* of its process */
	enum serve_work work;
	bool of_graph;
};

struct serve_unit {
	struct serve_counts counts;
	uint32_t name;
	int64_t rank, pid, tid, ts, end;
	int64_t ops, late, of_graphs; /* late: launched after the range */
	int64_t first, last;          /* of its operations */
	int64_t busy, until;
	int64_t gap; /* before it on its device, or NO_ID */
	uint64_t device;
	wide work[SERVE_WORKS];
};

/* a thread of the section; its steps in order of start */
struct serve_thread {
	size_t *steps; /* indices */
	size_t count, cap;
	struct serve_op *held; /* behind the last one */
	size_t held_count, held_cap;
};

/* steps that are a row */
struct serve_row {
	const struct serve_unit *unit; /* one of them */
	bool all;                      /* of all classes */
	size_t steps;
	bool lacks_requests, lacks_context, lacks_generated, lacks_tokens;
	wide requests, context, generated, tokens;
	wide host, span, busy, gap, ops, of_graphs, work[SERVE_WORKS];
	wide token_span; /* of steps whose tokens are known */
	size_t gaps, spans;
	int64_t median, p99; /* of spans */
};

struct serve_steps {
	struct serve_rules *rules;
	struct serve_unit *all;
	size_t count, cap;
	size_t first; /* of the section */
	NUMBERED(struct serve_thread) threads;
	struct numbered_texts names;
	NUMBERED(enum serve_work) kernels; /* by their symbols */
	bool correlated;
	const struct serve_unit **sorted;
	struct serve_row *rows;
	size_t row_count, row_cap;
};

/* ---- records ---- */

/* numbers that a name within the step's tells */
static void
add_counts(struct serve_counts *to, const struct serve_counts *from)
{
	int64_t *a[] = {&to->requests, &to->batch, &to->context, &to->generated,
	    &to->tokens};
	const int64_t b[] = {from->requests, from->batch, from->context,
	    from->generated, from->tokens};

	for (size_t i = 0; i < sizeof(b) / sizeof(b[0]); i++)
		if (*a[i] == NO_ID)
			*a[i] = b[i];
	if (span_eq(from->engine, SPAN("sglang")))
		to->engine = from->engine; /* it was patched to have both */
}

static struct serve_thread *
find_thread(struct serve_steps *s, const struct event *ev)
{
	bool fresh;
	struct serve_thread *t =
	    numbered_get(&s->threads, model_thread(ev), &fresh);

	if (fresh)
		*t = (struct serve_thread){0};
	return t;
}

static void
add_to_step(struct serve_unit *u, const struct serve_op *op, bool late)
{
	int64_t from = op->ts > u->until ? op->ts : u->until;

	if (u->ops++ == 0) {
		u->first = op->ts;
		u->device = op->device;
	}
	if (op->ts < u->first)
		u->first = op->ts;
	if (op->end > u->last)
		u->last = op->end;
	if (op->end > from) {
		u->busy += op->end - from;
		u->until = op->end;
	}
	u->late += late;
	u->of_graphs += op->of_graph;
	u->work[op->work] += time_between(op->ts, op->end);
}

/* another step begins: what was launched before it is of the last one */
static void
release_held(struct serve_steps *s, struct serve_thread *t)
{
	for (size_t i = 0; i < t->held_count; i++)
		add_to_step(&s->all[t->steps[t->count - 1]], &t->held[i], true);
	t->held_count = 0;
}

static void
add_range(struct report *r, const struct event *ev)
{
	struct serve_steps *s = r->state;
	struct serve_unit unit = {.pid = event_int(ev, KEY_pid, NO_ID),
	    .tid = event_int(ev, KEY_tid, NO_ID),
	    .ts = event_int(ev, KEY_ts, 0),
	    .gap = NO_ID,
	    .rank = NO_ID,
	    .last = INT64_MIN,
	    .until = INT64_MIN};
	struct serve_thread *t;
	struct span name;

	r->scratch.len = 0;
	name = event_str(ev, KEY_name, &r->scratch);
	if (!event_has(ev, KEY_dur) ||
	    !serve_rules_step(s->rules, name, &unit.counts))
		return;
	unit.end = event_end(ev, unit.ts);
	t = find_thread(s, ev);
	if (t->count > 0 && unit.ts < s->all[t->steps[t->count - 1]].end) {
		add_counts(
		    &s->all[t->steps[t->count - 1]].counts, &unit.counts);
		return;
	}
	release_held(s, t);
	unit.name = numbered_texts_get(&s->names, name);
	*array_add(&t->steps, &t->count, &t->cap) = s->count;
	*array_add(&s->all, &s->count, &s->cap) = unit;
}

/* the full name of a kernel, or else its name */
static enum serve_work
kernel_work(struct report *r, const struct event *ev)
{
	struct serve_steps *s = r->state;
	bool fresh;
	enum serve_work *work =
	    numbered_get(&s->kernels, model_symbol(ev), &fresh);
	struct defined_name symbol;
	struct span name;

	if (!fresh)
		return *work;
	names_symbol(r->names, event_int(ev, KEY_sym, NO_ID), &symbol);
	r->scratch.len = 0;
	name = symbol.more.len > 0 ? symbol.more
				   : event_str(ev, KEY_name, &r->scratch);
	return *work = serve_rules_kernel(s->rules, name);
}

static enum serve_work
work_of(struct report *r, const struct event *ev)
{
	struct serve_steps *s = r->state;
	enum serve_work work = SERVE_WORKS;

	if (ev->kind == KIND_memcpy || ev->kind == KIND_memset)
		return SERVE_COPY;
	if (ev->kind != KIND_kernel)
		return SERVE_OTHER;
	r->scratch.len = 0;
	if (event_has(ev, KEY_op_name))
		work = serve_rules_operator(
		    s->rules, event_str(ev, KEY_op_name, &r->scratch));
	return work != SERVE_WORKS ? work : kernel_work(r, ev);
}

/* the index of the last step of the thread that began by then, + 1; or 0 */
static size_t
step_at(const struct serve_steps *s, const struct serve_thread *t, int64_t ts)
{
	size_t i;

	LOWER_BOUND(i, 0, t->count, s->all[t->steps[i]].ts <= ts);
	return i;
}

static void
add_operation(struct report *r, const struct event *ev)
{
	struct serve_steps *s = r->state;
	struct serve_thread *t = numbered_find(&s->threads, model_thread(ev));
	int64_t call = event_int(ev, KEY_api_ts, 0);
	struct serve_unit *unit;
	struct serve_op op;
	size_t i;

	if (t == NULL || !event_has(ev, KEY_api_ts) ||
	    (i = step_at(s, t, call)) == 0)
		return;
	op = (struct serve_op){.ts = event_int(ev, KEY_ts, 0),
	    .device = model_device(ev),
	    .work = work_of(r, ev),
	    .of_graph = model_is_of_graph(ev)};
	op.end = time_end(op.ts, event_int(ev, KEY_dur, 0));
	unit = &s->all[t->steps[i - 1]];
	if (i < t->count ||
	    call <= time_end(unit->end, time_between(unit->ts, unit->end)))
		add_to_step(unit, &op, call > unit->end);
	else if (t->held_count < HELD)
		*array_add(&t->held, &t->held_count, &t->held_cap) = op;
}

static void
serve_event(struct report *r, const struct event *ev)
{
	struct serve_steps *s = r->state;

	s->correlated |= self_correlated(ev);
	if (ev->kind == KIND_range)
		add_range(r, ev);
	else if (event_has(ev, KEY_ts) && s->count > s->first)
		add_operation(r, ev);
}

/* ---- the end of a section ---- */

/* the time from the last operation before a step on its device to its first */
static void
find_gaps(struct report *r)
{
	struct serve_steps *s = r->state;
	struct map ends = {0}; /* of a device -> end, as its bits */
	struct defined_name process;

	for (size_t i = s->first; i < s->count; i++) {
		struct serve_unit *u = &s->all[i];
		uint64_t *end;

		if (names_process(r->names, u->pid, &process))
			u->rank = process.number;
		if (u->ops == 0)
			continue;
		end = map_find(&ends, u->device, 0);
		if (end != NULL)
			u->gap = u->first > (int64_t)*end
				     ? u->first - (int64_t)*end
				     : 0;
		if (end == NULL || (int64_t)*end < u->last)
			*map_get(&ends, u->device, 0) = (uint64_t)u->last;
	}
	map_free(&ends);
}

static void
free_threads(struct serve_steps *s)
{
	for (size_t i = 0; i < s->threads.count; i++) {
		free(s->threads.all[i].steps);
		free(s->threads.all[i].held);
	}
}

static void
serve_section_end(struct report *r)
{
	struct serve_steps *s = r->state;

	find_gaps(r);
	s->first = s->count;
	free_threads(s);
	numbered_clear(&s->threads);
}

/* ---- rows ---- */

static int
compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
compare_groups(const struct serve_unit *a, const struct serve_unit *b)
{
	int c = span_cmp(a->counts.engine, b->counts.engine);

	if (c == 0)
		c = compare_numbers(a->rank, b->rank);
	if (c == 0)
		c = compare_numbers(a->pid, b->pid);
	return c;
}

static int64_t
span_of_step(const struct serve_unit *u)
{
	return u->ops > 0 ? time_between(u->first, u->last) : 0;
}

/* by engine, process, class, batch, span */
static int
compare(const void *x, const void *y)
{
	const struct serve_unit *a = *(const struct serve_unit *const *)x;
	const struct serve_unit *b = *(const struct serve_unit *const *)y;
	int c = compare_groups(a, b);

	if (c == 0)
		c = compare_numbers(a->counts.class, b->counts.class);
	if (c == 0)
		c = compare_numbers(a->counts.batch, b->counts.batch);
	return c != 0 ? c : compare_numbers(span_of_step(a), span_of_step(b));
}

static void
count_number(wide *sum, bool *lacks, int64_t v)
{
	if (v == NO_ID)
		*lacks = true;
	else
		*sum += v;
}

static void
add_unit(struct serve_row *row, const struct serve_unit *u)
{
	const struct serve_counts *c = &u->counts;

	row->steps++;
	count_number(&row->requests, &row->lacks_requests, c->requests);
	count_number(&row->context, &row->lacks_context, c->context);
	count_number(&row->generated, &row->lacks_generated, c->generated);
	count_number(&row->tokens, &row->lacks_tokens, c->tokens);
	row->host += time_between(u->ts, u->end);
	row->span += span_of_step(u);
	row->token_span += c->tokens != NO_ID ? span_of_step(u) : 0;
	row->busy += u->busy;
	row->ops += u->ops;
	row->of_graphs += u->of_graphs;
	row->spans += u->ops > 0;
	row->gaps += u->gap != NO_ID;
	row->gap += u->gap != NO_ID ? u->gap : 0;
	for (size_t i = 0; i < SERVE_WORKS; i++)
		row->work[i] += u->work[i];
}

static int
compare_times(const void *x, const void *y)
{
	return compare_numbers(*(const int64_t *)x, *(const int64_t *)y);
}

/* a row of units that stand together */
static void
add_row(struct serve_steps *s, size_t from, size_t to, bool all)
{
	struct serve_row row = {.unit = s->sorted[from], .all = all};
	int64_t *spans = mem_resize(NULL, to - from, sizeof(*spans));
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		add_unit(&row, s->sorted[i]);
		if (s->sorted[i]->ops > 0)
			spans[n++] = span_of_step(s->sorted[i]);
	}
	qsort(spans, n, sizeof(*spans), compare_times);
	if (n > 0) {
		row.median = spans[(n - 1) / 2];
		row.p99 = spans[(n * 99 + 99) / 100 - 1];
	}
	free(spans);
	*array_add(&s->rows, &s->row_count, &s->row_cap) = row;
}

static bool
is_row(const struct serve_unit *a, const struct serve_unit *b, bool batch)
{
	return compare_groups(a, b) == 0 &&
	       a->counts.class == b->counts.class &&
	       (!batch || a->counts.batch == b->counts.batch);
}

/* the rows of an engine in a process, and their sum */
static size_t
add_rows(struct serve_steps *s, size_t from, bool batch)
{
	size_t to = from, classes = 0;

	while (to < s->count &&
	       compare_groups(s->sorted[from], s->sorted[to]) == 0) {
		size_t begin = to;

		while (to < s->count &&
		       is_row(s->sorted[begin], s->sorted[to], batch))
			to++;
		add_row(s, begin, to, false);
		classes++;
	}
	if (classes > 1)
		add_row(s, from, to, true);
	return to;
}

static void
make_rows(struct serve_steps *s, bool batch)
{
	s->sorted = mem_resize(s->sorted, s->count + 1, sizeof(*s->sorted));
	for (size_t i = 0; i < s->count; i++)
		s->sorted[i] = &s->all[i];
	qsort(s->sorted, s->count, sizeof(*s->sorted), compare);
	s->row_count = 0;
	for (size_t i = 0; i < s->count;)
		i = add_rows(s, i, batch);
}

const char *const serve_steps_works[SERVE_WORKS] = {"Attention", "GEMM", "MoE",
    "Communication", "Norm and Act", "Sampling", "Copy", "Other"};

static void
work_columns(struct table *t, const wide work[SERVE_WORKS])
{
	wide all = 0;

	for (size_t i = 0; i < SERVE_WORKS; i++)
		all += work[i];
	for (size_t i = 0; i < SERVE_WORKS; i++)
		col_share(t, serve_steps_works[i], work[i], all);
}

static void
serve_row(struct table *t, const struct serve_row *row, bool batch)
{
	const struct serve_unit *u = row->unit;
	bool ran = row->ops > 0;

	col_shared_text(t, "Engine", u->counts.engine);
	col_id(t, "Rank", u->rank);
	col_id(t, "PID", u->pid);
	col_shared_text(t, "Class",
	    row->all ? SPAN("all") : serve_rules_class(u->counts.class));
	if (batch)
		col_id(t, "Batch", row->all ? NO_ID : u->counts.batch);
	col_int(t, "Steps", UNIT_NONE, (int64_t)row->steps);
	col_sum_if(
	    t, "Requests", UNIT_NONE, !row->lacks_requests, row->requests);
	col_sum_if(
	    t, "Ctx Tokens", UNIT_NONE, !row->lacks_context, row->context);
	col_sum_if(
	    t, "Gen Tokens", UNIT_NONE, !row->lacks_generated, row->generated);
	col_sum_if(t, "Tokens", UNIT_NONE, !row->lacks_tokens, row->tokens);
	col_sum(t, "Host Time", UNIT_TIME, row->host);
	col_sum_if(t, "Span", UNIT_TIME, ran, row->span);
	col_sum_if(t, "Busy", UNIT_TIME, ran, row->busy);
	col_sum_if(t, "Idle", UNIT_TIME, ran, row->span - row->busy);
	col_sum_if(t, "Gap", UNIT_TIME, row->gaps > 0, row->gap);
	col_int_if(t, "Med", UNIT_TIME, ran, row->median);
	col_int_if(t, "P99", UNIT_TIME, ran, row->p99);
	col_ratio(t, "Time per Token", UNIT_TIME, row->token_span,
	    row->lacks_tokens ? 0 : row->tokens, 1);
	col_share(t, "In Graphs", row->of_graphs, row->ops);
	work_columns(t, row->work);
}

static void
step_row(
    struct table *t, const struct serve_steps *s, const struct serve_unit *u)
{
	const struct serve_counts *c = &u->counts;
	bool ran = u->ops > 0;
	struct span name = {"", 0};

	if (!t->heading)
		name = numbered_texts_text(&s->names, u->name);
	col_shared_text(t, "Engine", c->engine);
	col_id(t, "Rank", u->rank);
	col_id(t, "PID", u->pid);
	col_id(t, "TID", u->tid);
	col_int(t, "Start", UNIT_TIME, u->ts);
	col_shared_text(t, "Class", serve_rules_class(c->class));
	col_id(t, "Batch", c->batch);
	col_id(t, "Requests", c->requests);
	col_id(t, "Ctx Tokens", c->context);
	col_id(t, "Gen Tokens", c->generated);
	col_id(t, "Tokens", c->tokens);
	col_int(t, "Host Time", UNIT_TIME, time_between(u->ts, u->end));
	col_int_if(t, "Span", UNIT_TIME, ran, span_of_step(u));
	col_int_if(t, "Busy", UNIT_TIME, ran, u->busy);
	col_int_if(t, "Idle", UNIT_TIME, ran, span_of_step(u) - u->busy);
	col_int_if(t, "Gap", UNIT_TIME, u->gap != NO_ID, u->gap);
	col_int(t, "Ops", UNIT_NONE, u->ops);
	col_int(t, "Late Ops", UNIT_NONE, u->late);
	col_share(t, "In Graphs", u->of_graphs, u->ops);
	work_columns(t, u->work);
	col_text(t, "Name", name);
}

static void
serve_table(struct report *r, struct table *t)
{
	struct serve_steps *s = r->state;
	bool batch = r->arg != NULL && strcmp(r->arg, "batch") == 0;
	bool each = r->arg != NULL && strcmp(r->arg, "each") == 0;
	static const struct serve_unit none;

	if (r->arg != NULL && strcmp(r->arg, "requests") == 0) {
		r->missing = "no range of these servers names its requests";
		s->count = 0;
	}
	if (each)
		col_heading(t, step_row, s, &none);
	else
		col_heading(
		    t, serve_row, &(struct serve_row){.unit = &none}, batch);
	if (!s->correlated)
		return;
	for (size_t i = 0; i < s->count && each; i++)
		step_row(t, s, &s->all[i]);
	if (each)
		return;
	make_rows(s, batch);
	for (size_t i = 0; i < s->row_count; i++)
		serve_row(t, &s->rows[i], batch);
}

/* ---- steps as rows of a partial ---- */

enum { PART_TEXTS = 3 }; /* engine, class, name */

enum part_number {
	PART_RANK,
	PART_PID,
	PART_TID,
	PART_START,
	PART_END,
	PART_BATCH,
	PART_REQUESTS,
	PART_CONTEXT,
	PART_GENERATED,
	PART_TOKENS,
	PART_OPS,
	PART_LATE,
	PART_OF_GRAPHS,
	PART_FIRST,
	PART_LAST,
	PART_BUSY,
	PART_GAP,
	PART_WORK,
	PART_NUMBERS = PART_WORK + SERVE_WORKS
};

static const char *const part_numbers[PART_WORK] = {"Rank", "PID", "TID",
    "Start", "End", "Batch", "Requests", "Ctx Tokens", "Gen Tokens", "Tokens",
    "Ops", "Late Ops", "Graph Ops", "First", "Last", "Busy", "Gap"};

static void
part_row(
    struct table *t, const struct serve_steps *s, const struct serve_unit *u)
{
	const struct serve_counts *c = &u->counts;
	const int64_t v[PART_WORK] = {u->rank, u->pid, u->tid, u->ts, u->end,
	    c->batch, c->requests, c->context, c->generated, c->tokens, u->ops,
	    u->late, u->of_graphs, u->first, u->last, u->busy, u->gap};

	col_text(t, "Engine", c->engine);
	col_text(t, "Class", serve_rules_class(c->class));
	col_text(t, "Name",
	    t->heading ? SPAN("") : numbered_texts_text(&s->names, u->name));
	for (size_t i = 0; i < PART_WORK; i++)
		col_int(t, part_numbers[i], UNIT_NONE, v[i]);
	for (size_t i = 0; i < SERVE_WORKS; i++)
		col_sum(t, serve_steps_works[i], UNIT_TIME, u->work[i]);
}

static void
serve_part_table(struct report *r, struct table *t)
{
	struct serve_steps *s = r->state;

	col_heading(t, part_row, s, &(struct serve_unit){0});
	for (size_t i = 0; i < s->count && s->correlated; i++)
		part_row(t, s, &s->all[i]);
}

/* one text for all steps that follow each other */
static struct span
engine_of(struct report *r, struct span text)
{
	const struct serve_steps *s = r->state;

	if (s->count > 0 && span_eq(s->all[s->count - 1].counts.engine, text))
		return s->all[s->count - 1].counts.engine;
	return region_copy(&r->life, text);
}

static bool
serve_part_row(
    struct report *r, const struct table *t, const struct table_cell *cells)
{
	struct serve_steps *s = r->state;
	struct span class = table_cell_text(t, &cells[1]);
	struct serve_unit u = {0};
	int64_t v[PART_NUMBERS];

	for (size_t i = 0; i < PART_TEXTS; i++)
		if (cells[i].type != CELL_TEXT)
			return false;
	for (size_t i = 0; i < PART_NUMBERS; i++)
		if (!table_cell_int(&cells[PART_TEXTS + i], &v[i]))
			return false;
	u.counts = (struct serve_counts){
	    .engine = engine_of(r, table_cell_text(t, &cells[0])),
	    .class = serve_rules_class_of(class),
	    .batch = v[PART_BATCH],
	    .requests = v[PART_REQUESTS],
	    .context = v[PART_CONTEXT],
	    .generated = v[PART_GENERATED],
	    .tokens = v[PART_TOKENS]};
	if (u.counts.class == SERVE_CLASSES || v[PART_OPS] < 0 ||
	    v[PART_BUSY] < 0)
		return false;
	u.name = numbered_texts_get(&s->names, table_cell_text(t, &cells[2]));
	u.rank = v[PART_RANK];
	u.pid = v[PART_PID];
	u.tid = v[PART_TID];
	u.ts = v[PART_START];
	u.end = v[PART_END];
	u.ops = v[PART_OPS];
	u.late = v[PART_LATE];
	u.of_graphs = v[PART_OF_GRAPHS];
	u.first = v[PART_FIRST];
	u.last = v[PART_LAST];
	u.busy = v[PART_BUSY];
	u.gap = v[PART_GAP];
	for (size_t i = 0; i < SERVE_WORKS; i++)
		u.work[i] = v[PART_WORK + i];
	*array_add(&s->all, &s->count, &s->cap) = u;
	s->correlated = true;
	return true;
}

static void
serve_open(struct report *r)
{
	struct serve_steps *s = r->state;

	s->rules = serve_rules_open(r->settings->serve_rules);
}

static void
serve_close(struct report *r)
{
	struct serve_steps *s = r->state;

	free_threads(s);
	numbered_free(&s->threads);
	numbered_texts_free(&s->names);
	serve_rules_free(s->rules);
	numbered_free(&s->kernels);
	free(s->sorted);
	free(s->rows);
	free(s->all);
}

/* ---- for the page ---- */

static int
compare_classes(const void *x, const void *y)
{
	const struct serve_unit *a = *(const struct serve_unit *const *)x;
	const struct serve_unit *b = *(const struct serve_unit *const *)y;
	int c = span_cmp(a->counts.engine, b->counts.engine);

	if (c == 0)
		c = compare_numbers(a->counts.class, b->counts.class);
	return c != 0 ? c : compare_numbers(span_of_step(a), span_of_step(b));
}

static int
by_span(const void *x, const void *y)
{
	const struct serve_total *a = x, *b = y;

	return compare_numbers(b->span, a->span);
}

static struct serve_total
total_of(const struct serve_unit *const *units, size_t count)
{
	struct serve_total t = {.engine = units[0]->counts.engine,
	    .class = units[0]->counts.class,
	    .steps = (int64_t)count,
	    .gap = NO_ID,
	    .median = span_of_step(units[(count - 1) / 2])};

	for (size_t i = 0; i < count; i++) {
		int64_t tokens = units[i]->counts.tokens;

		t.span = time_end(t.span, span_of_step(units[i]));
		t.busy = time_end(t.busy, units[i]->busy);
		for (size_t k = 0; k < SERVE_WORKS; k++)
			t.work[k] =
			    time_end(t.work[k], (int64_t)units[i]->work[k]);
		if (units[i]->gap != NO_ID)
			t.gap = t.gap == NO_ID ? units[i]->gap
					       : time_end(t.gap, units[i]->gap);
		t.tokens = t.tokens == NO_ID || tokens == NO_ID
			       ? NO_ID
			       : time_end(t.tokens, tokens);
	}
	return t;
}

struct serve_total *
serve_steps_totals(const struct report *r, size_t *count)
{
	const struct serve_steps *s = r->state;
	const struct serve_unit **sorted =
	    mem_resize(NULL, s->count + 1, sizeof(*sorted));
	struct serve_total *all = NULL;
	size_t cap = 0, n;

	*count = 0;
	for (size_t i = 0; i < s->count; i++)
		sorted[i] = &s->all[i];
	qsort(sorted, s->count, sizeof(*sorted), compare_classes);
	for (size_t i = 0; i < s->count; i += n) {
		for (n = 1;
		     i + n < s->count &&
		     sorted[i]->counts.class == sorted[i + n]->counts.class &&
		     span_eq(sorted[i]->counts.engine,
			 sorted[i + n]->counts.engine);)
			n++;
		*array_add(&all, count, &cap) = total_of(&sorted[i], n);
	}
	if (*count > 0)
		qsort(all, *count, sizeof(*all), by_span);
	free(sorted);
	return all;
}

/* ---- kinds ---- */

/* what both kinds have */
#define SERVE_KIND \
	.name = "serve", .question = ASKS_STEPS, \
	.title = "Steps of an Inference Server", .correlated = true, \
	.kinds = KINDS(range) | KINDS(kernel) | KINDS(memcpy) | \
		 KINDS(memset) | KINDS(graph), \
	.keys = KEYS( \
	    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_depth, KEY_open), \
	.size = sizeof(struct serve_steps), .open = serve_open, \
	.event = serve_event, .section_end = serve_section_end, \
	.table = serve_table, .close = serve_close

/* on the page kernels are known by their names alone, not by op_name */
static const enum key page_keys[] = {
    KEY_api_ts, KEY_api_name, KEY_sym, KEY_device, KEY_NONE};

const struct report_kind serve_steps_page = {SERVE_KIND,
    .missing = "no steps of an inference server in the stream",
    .work_keys = page_keys};

static const enum key work_keys[] = {KEY_api_ts, KEY_api_name, KEY_op_name,
    KEY_graph, KEY_graph_node, KEY_sym, KEY_device, KEY_NONE};

const struct report_kind serve_steps[] = {
    {SERVE_KIND, .args = "each|batch|requests", .row_parts = true,
	.part_table = serve_part_table, .part_row = serve_part_row,
	.missing = "no steps of vLLM, SGLang, TensorRT-LLM or ATOM in the "
		   "stream; --serve-rules FILE adds rules",
	.work_keys = work_keys},
    {0},
};
