/* perf_source.c - what perf script prints becomes a section */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "perf.h"
#include "perf_source.h"
#include "tq/base/array.h"
#include "tq/io/emit.h"
#include "tq/io/status.h"

static bool
detect(const struct source_input *in)
{
	return perf_line_detect((struct span){in->from->head, in->from->len});
}

/* ---- threads ---- */

/* a thread has a new name when it runs another program */
static void
rename_thread(struct perf *p, const struct perf_thread *t)
{
	struct held_records *h = &p->held;

	held_records_begin(h, &(struct held_record){KIND_thread, p->ts, NO_ID});
	held_records_int(h, KEY_pid, t->pid);
	held_records_int(h, KEY_tid, t->tid);
	held_records_str(h, KEY_name, intern_text(&p->comms, t->now));
	held_records_end(h);
}

static void
learn_thread(struct perf *p, int64_t pid, const struct perf_task *task)
{
	struct perf_thread *t;
	uint32_t comm;
	bool fresh;

	if (task->tid == NO_ID)
		return;
	comm = intern_get(&p->comms, task->comm);
	t = keyed_get(&p->threads, (uint64_t)pid, (uint64_t)task->tid, &fresh);
	if (fresh)
		*t = (struct perf_thread){pid, task->tid, comm, comm};
	if (pid != NO_ID)
		*map_get(&p->pids, (uint64_t)task->tid, 0) = (uint64_t)pid + 1;
	if (t->now == comm)
		return;
	t->now = comm;
	rename_thread(p, t);
}

/* the process of a thread that an earlier event named */
static int64_t
pid_of(const struct perf *p, int64_t tid)
{
	const uint64_t *pid = map_find(&p->pids, (uint64_t)tid, 0);

	return pid != NULL ? (int64_t)*pid - 1 : NO_ID;
}

/* ---- records ---- */

static void
add_arg(struct perf *p, const char *name)
{
	if (p->args.len > 0)
		text_add_char(&p->args, ',');
	text_add_json(&p->args, name, strlen(name));
	text_add_char(&p->args, ':');
}

static void
put_args(struct perf *p, bool with_name)
{
	const struct perf_event *e = &p->event;

	p->args.len = 0;
	if (with_name && e->name.len > 0) {
		add_arg(p, "event");
		text_add_json(&p->args, e->name.p, e->name.len);
	}
	if (e->period != NO_ID) {
		add_arg(p, "period");
		text_add_int(&p->args, e->period);
	}
	if (e->text.len > 0) {
		add_arg(p, "text");
		text_add_json(&p->args, e->text.p, e->text.len);
	}
	held_records_args(&p->held, text_span(&p->args));
}

static void
begin(struct perf *p, enum kind kind, int64_t pid, int64_t tid)
{
	held_records_begin(&p->held, &(struct held_record){kind, p->ts, NO_ID});
	held_records_int(&p->held, KEY_pid, pid);
	held_records_int(&p->held, KEY_tid, tid);
}

static void
write_sample(struct perf *p)
{
	begin(p, KIND_sample, p->event.pid, p->event.tid);
	held_records_int(&p->held, KEY_cpu, p->event.cpu);
	held_records_int(&p->held, KEY_stack, stack_list_end(&p->stacks));
	put_args(p, true);
	held_records_end(&p->held);
}

static void
write_mark(struct perf *p)
{
	begin(p, KIND_mark, p->event.pid, p->event.tid);
	held_records_str(&p->held, KEY_name, p->event.name);
	held_records_str(&p->held, KEY_category, SPAN("tracepoint"));
	put_args(p, false);
	held_records_end(&p->held);
}

/* what the kernel's letters of states mean; those of nsys, where it has them */
static struct span
state_of(struct span letters)
{
	static const struct {
		char letter;
		const char *name;
	} states[] = {{'R', "Running"}, {'S', "Interruptible"},
	    {'D', "Uninterruptible"}, {'T', "Stopped"}, {'t', "Traced"},
	    {'X', "Dead"}, {'Z', "Zombie"}, {'P', "Parked"}, {'I', "Idle"}};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (letters.len > 0 && *letters.p == states[i].letter)
			return span_of(states[i].name);
	return letters;
}

static void
write_switched(struct perf *p, const struct perf_task *t, struct span state)
{
	bool on = state.p == NULL;
	int64_t pid = t->tid == p->event.tid ? p->event.pid : pid_of(p, t->tid);

	learn_thread(p, pid, t);
	begin(p, KIND_sched, pid, t->tid);
	held_records_int(&p->held, KEY_cpu, p->event.cpu);
	held_records_json(&p->held, KEY_on, on ? SPAN("true") : SPAN("false"));
	if (state.len > 0)
		held_records_str(&p->held, KEY_state, state_of(state));
	held_records_end(&p->held);
}

/* ---- events ---- */

static struct perf_count *
count_of(struct perf *p)
{
	uint32_t n = intern_get(&p->events, p->event.name);

	if (n == p->count)
		*array_add(&p->counts, &p->count, &p->cap) =
		    (struct perf_count){0};
	return &p->counts[n];
}

/* the event is complete, with its stack */
static void
finish_event(struct perf *p)
{
	const struct perf_event *e = &p->event;
	struct perf_count *n;
	struct perf_switch s;

	if (!p->open)
		return;
	p->open = false;
	n = count_of(p);
	n->events++;
	n->records++;
	if (span_ends(e->name, SPAN("sched_switch")) &&
	    perf_line_switch(e->text, &s)) {
		n->records++;
		n->split++;
		if (s.state.len == 0)
			s.state = SPAN("?");
		write_switched(p, &s.from, s.state);
		write_switched(p, &s.to, (struct span){NULL, 0});
	} else if (e->text.len > 0 && !p->has_stack) {
		write_mark(p);
	} else {
		write_sample(p);
	}
}

static struct span
frame_name(const struct perf_frame *f, struct text *t)
{
	struct span module = f->module;
	const char *slash;

	if (!span_eq(f->symbol, SPAN("[unknown]")) || module.len == 0 ||
	    *module.p == '[')
		return f->symbol;
	slash = memrchr(module.p, '/', module.len);
	if (slash != NULL)
		module.len -= (size_t)(slash + 1 - module.p);
	if (slash != NULL)
		module.p = slash + 1;
	t->len = 0;
	text_add_char(t, '[');
	text_add_span(t, module);
	text_add_char(t, ']');
	return text_span(t);
}

static void
add_frame(struct perf *p, const struct perf_frame *f)
{
	stack_list_add(&p->stacks, frame_name(f, &p->args));
	p->has_stack = true;
}

/* "addr symbol (module)" behind the name of an event is its only frame */
static void
take_single_frame(struct perf *p)
{
	struct perf_frame f;

	if (p->event.text.len > 0 &&
	    p->event.text.p[p->event.text.len - 1] == ')' &&
	    perf_line_frame(p->event.text, &f) && f.module.len > 0) {
		add_frame(p, &f);
		p->event.text.len = 0;
	}
}

/* the line may go; what it says stays until the event is finished */
static bool
begin_event(struct perf *p, struct span line)
{
	struct perf_event e;

	if (!perf_line_event(line, &e))
		return false;
	finish_event(p);
	p->line.len = 0;
	text_add_span(&p->line, line);
	perf_line_event(text_span(&p->line), &p->event);
	p->open = true;
	p->has_stack = false;
	stack_list_begin(&p->stacks);
	if (p->event.ts != NO_ID)
		p->ts = p->event.ts;
	learn_thread(
	    p, p->event.pid, &(struct perf_task){p->event.comm, p->event.tid});
	take_single_frame(p);
	return true;
}

/* what the comments before the events say */
static void
take_comment(struct perf *p, struct span line)
{
	struct span host = SPAN("# hostname : ");

	if (span_begins(line, host) && p->host.len == 0)
		text_add(&p->host, line.p + host.len, line.len - host.len);
}

static void
take_line(struct perf *p, struct span line)
{
	struct perf_frame f;

	if (line.len == 0) {
		finish_event(p);
		return;
	}
	if (*line.p == '#') {
		take_comment(p, line);
		return;
	}
	/* most are frames; a name of a thread may look like an address */
	if (p->open && (*line.p == '\t' || *line.p == ' ') &&
	    line.p[line.len - 1] == ')' && perf_line_frame(line, &f)) {
		add_frame(p, &f);
		return;
	}
	if (begin_event(p, line))
		return;
	if (p->open && perf_line_frame(line, &f)) {
		add_frame(p, &f);
		return;
	}
	if (p->no_event++ == 0)
		p->first_bad = p->lines.number;
}

/* ---- the section ---- */

static void *
open_text(const struct source_input *in)
{
	struct perf *p = mem_alloc(sizeof(*p));
	struct span line;

	*p = (struct perf){.settings = in->settings,
	    .out = in->out,
	    .frames = in->frames,
	    .name = in->from->name,
	    .lines = {.from = in->from->zio}};
	held_records_init(&p->held, in->settings);
	while (text_lines_next(&p->lines, &line))
		take_line(p, line);
	finish_event(p);
	if (p->lines.error != NULL)
		warnx("warning: %s: %s", p->name, p->lines.error);
	if (p->no_event > 0)
		warnx("warning: %s:%" PRId64 ": neither an event nor a frame",
		    p->name, p->first_bad);
	return p;
}

/* ids and names that are known from the beginning */
static void
write_threads(const struct perf *p)
{
	struct output *o = p->frames;

	for (size_t i = 0; i < p->threads.count; i++) {
		const struct perf_thread *t = &p->threads.all[i];

		if (t->pid != t->tid || t->pid == NO_ID)
			continue;
		emit_open(o, KIND_process);
		emit_int(o, KEY_pid, t->pid);
		emit_str(o, KEY_name, intern_text(&p->comms, t->now));
		emit_close(o);
	}
	for (size_t i = 0; i < p->threads.count; i++) {
		const struct perf_thread *t = &p->threads.all[i];

		emit_open(o, KIND_thread);
		if (t->pid != NO_ID)
			emit_int(o, KEY_pid, t->pid);
		emit_int(o, KEY_tid, t->tid);
		emit_str(o, KEY_name, intern_text(&p->comms, t->first));
		emit_close(o);
	}
}

static void
definitions(void *text)
{
	struct perf *p = text;
	struct output *o = p->frames;
	char digits[TEXT_INT_MAX];
	int64_t origin = held_records_origin(&p->held);

	emit_open(o, KIND_trace);
	emit_int(o, KEY_version, EMIT_VERSION);
	emit_str(o, KEY_source, SPAN("perf"));
	emit_str(o, KEY_origin_clock,
	    (struct span){
		digits, (size_t)(text_digits_int(digits, origin) - digits)});
	emit_str(o, KEY_clock, SPAN("monotonic"));
	if (p->host.len > 0)
		emit_str(o, KEY_host, text_span(&p->host));
	emit_close(o);
	o->lines = 0; /* of the section */
	write_threads(p);
	stack_list_write(&p->stacks, o);
}

static struct source_result
records(void *text)
{
	struct perf *p = text;

	held_records_write(&p->held, p->out, p->frames);
	source_write_lost(
	    p->frames, p->held.last, "syntax", "line of the text", p->no_event);
	return (struct source_result){
	    .lost = p->no_event, .cut = p->lines.error != NULL};
}

static int
count(void *text, int64_t counts[KIND_COUNT])
{
	struct perf *p = text;

	held_records_count(&p->held, counts);
	counts[KIND_lost] += p->no_event > 0;
	return p->lines.error != NULL ? TQ_FAIL : TQ_OK;
}

static void
check(void *text)
{
	const struct perf *p = text;
	struct text name = {0};

	printf("%s: perf\n  %-32s %10s %10s\n", p->name, "event", "events",
	    "records");
	for (size_t i = 0; i < p->count; i++) {
		const struct perf_count *n = &p->counts[i];
		struct span event = intern_text(&p->events, (uint32_t)i);

		name.len = 0;
		text_add_visible(
		    &name, event.len > 0 ? event : SPAN("(no name)"), "");
		text_add_char(&name, '\0');
		printf("  %-32s %10" PRId64 " %10" PRId64 "\n", name.p,
		    n->events + n->split, n->records);
	}
	if (p->no_event > 0)
		printf("  lost: %" PRId64 " (syntax)\n", p->no_event);
	text_free(&name);
}

static void
close_text(void *text)
{
	struct perf *p = text;

	text_lines_free(&p->lines);
	held_records_free(&p->held);
	stack_list_free(&p->stacks);
	intern_free(&p->comms);
	intern_free(&p->events);
	keyed_free(&p->threads);
	map_free(&p->pids);
	text_free(&p->host);
	text_free(&p->args);
	text_free(&p->line);
	free(p->counts);
	free(p);
}

const struct source perf_source = {
    .name = "perf",
    .about = "text of perf script: samples, context switches, tracepoints",
    .detect = detect,
    .open = open_text,
    .definitions = definitions,
    .count = count,
    .records = records,
    .check = check,
    .close = close_text,
};
