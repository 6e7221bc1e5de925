/* perf_source.c - what perf script prints becomes a section */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "perf_line.h"
#include "read/text_lines.h"
#include "source.h"
#include "tq/base/mem.h"
#include "write/sorted_section.h"
#include "write/stack_list.h"

/* a thread, and the number of its name */
struct perf_thread {
	uint32_t comm;
};

struct perf {
	struct sorted_section section; /* first: see sorted_section.h */
	struct text_lines lines;
	struct stack_list stacks;
	struct intern comms;
	KEYED(struct perf_thread) threads; /* by pid and tid */
	struct map pids;                   /* tid -> pid + 1 */
	struct text host, args;

	/* the event whose stack is read, and its line */
	bool open, has_stack;
	struct perf_event event;
	struct text line;
	int64_t ts;        /* of the event before, for one that has none */
	int64_t first_bad; /* line that is neither an event nor a frame */
};

static bool
detect(const struct source_input *in)
{
	return perf_line_detect((struct span){in->from->head, in->from->len});
}

/* ---- threads ---- */

/* a thread has a new name when it runs another program */
static void
rename_thread(struct perf *p, int64_t pid, const struct perf_task *task)
{
	struct sorted_records *h = &p->section.records;

	sorted_records_begin(
	    h, &(struct sorted_record){KIND_thread, p->ts, NO_ID});
	sorted_records_int(h, KEY_pid, pid);
	sorted_records_int(h, KEY_tid, task->tid);
	sorted_records_str(h, KEY_name, task->comm);
	sorted_records_end(h);
}

static void
learn_thread(struct perf *p, int64_t pid, const struct perf_task *task)
{
	struct task_names *names = &p->section.tasks;
	struct perf_thread *t;
	uint32_t comm;
	bool fresh;

	if (task->tid == NO_ID)
		return;
	comm = intern_get(&p->comms, task->comm);
	t = keyed_get(&p->threads, (uint64_t)pid, (uint64_t)task->tid, &fresh);
	if (fresh)
		task_names_thread(names, pid, task->tid, task->comm);
	else if (t->comm != comm)
		rename_thread(p, pid, task);
	t->comm = comm;
	if (pid != NO_ID)
		*map_get(&p->pids, (uint64_t)task->tid, 0) = (uint64_t)pid + 1;
	if (pid == task->tid)
		task_names_process(names, pid, task->comm);
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
	sorted_records_args(&p->section.records, text_span(&p->args));
}

static void
begin(struct perf *p, enum kind kind, int64_t pid, int64_t tid)
{
	sorted_records_begin(
	    &p->section.records, &(struct sorted_record){kind, p->ts, NO_ID});
	sorted_records_int(&p->section.records, KEY_pid, pid);
	sorted_records_int(&p->section.records, KEY_tid, tid);
}

static void
write_sample(struct perf *p)
{
	begin(p, KIND_sample, p->event.pid, p->event.tid);
	sorted_records_int(&p->section.records, KEY_cpu, p->event.cpu);
	sorted_records_int(
	    &p->section.records, KEY_stack, stack_list_end(&p->stacks));
	put_args(p, true);
	sorted_section_end(&p->section);
}

static void
write_mark(struct perf *p)
{
	begin(p, KIND_mark, p->event.pid, p->event.tid);
	sorted_records_str(&p->section.records, KEY_name, p->event.name);
	sorted_records_str(
	    &p->section.records, KEY_category, SPAN("tracepoint"));
	put_args(p, false);
	sorted_section_end(&p->section);
}

/*
 * the meaning of the kernel's letters of states, in words of nsys where it has
 * them
 */
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
	sorted_records_int(&p->section.records, KEY_cpu, p->event.cpu);
	sorted_records_json(
	    &p->section.records, KEY_on, on ? SPAN("true") : SPAN("false"));
	if (state.len > 0)
		sorted_records_str(
		    &p->section.records, KEY_state, state_of(state));
	sorted_section_end(&p->section);
}

/* ---- events ---- */

/* the event is complete, with its stack */
static void
finish_event(struct perf *p)
{
	const struct perf_event *e = &p->event;
	struct event_counts *counts = &p->section.counts;
	struct perf_switch s;

	if (!p->open)
		return;
	p->open = false;
	event_counts_begin(counts, e->name);
	if (span_ends(e->name, SPAN("sched_switch")) &&
	    perf_line_switch(e->text, &s)) {
		if (s.state.len == 0)
			s.state = SPAN("?");
		write_switched(p, &s.from, s.state);
		counts->now->events++; /* it is one for each thread */
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

/* the line may go; its values stay until the event is finished */
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

/* the comments before the events */
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
	event_counts_begin(&p->section.counts, SPAN("?"));
	event_counts_lose(&p->section.counts, EVENT_LOST_SYNTAX);
	if (p->first_bad == 0)
		p->first_bad = p->lines.number;
}

/* ---- the section ---- */

static void *
open_text(const struct source_input *in)
{
	struct perf *p = mem_alloc(sizeof(*p));
	struct span line;

	sorted_section_open(&p->section, &perf_source, in);
	p->lines.from = in->from->zio;
	while (text_lines_next(&p->lines, &line))
		take_line(p, line);
	finish_event(p);
	text_lines_warn(&p->lines, p->section.name, &p->section.cut);
	if (p->first_bad > 0)
		warnx("warning: %s:%" PRId64 ": neither an event nor a frame",
		    p->section.name, p->first_bad);
	return p;
}

static void
definitions(void *text)
{
	const struct perf *p = text;

	sorted_section_trace(
	    &p->section, &(struct trace_record){.clock = SPAN("monotonic"),
			     .host = text_span(&p->host)});
	task_names_write(&p->section.tasks, p->section.frames);
	stack_list_write(&p->stacks, p->section.frames);
}

static void
close_text(void *text)
{
	struct perf *p = text;

	text_lines_free(&p->lines);
	sorted_section_free(&p->section);
	stack_list_free(&p->stacks);
	intern_free(&p->comms);
	keyed_free(&p->threads);
	map_free(&p->pids);
	text_free(&p->host);
	text_free(&p->args);
	text_free(&p->line);
	free(p);
}

const struct source perf_source = {
    .name = "perf",
    .about = "text of perf script: samples, context switches, tracepoints",
    .detect = detect,
    .open = open_text,
    .definitions = definitions,
    .count = sorted_section_count,
    .records = sorted_section_records,
    .check = sorted_section_check,
    .close = close_text,
};
