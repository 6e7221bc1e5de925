/*
 * folded.c - stacks as flamegraph.pl and speedscope read them: a line for each,
 * "outer;inner NUMBER"; of ranges and operations, and of frames and the
 * operations that they launched, in nanoseconds; of threads and frames in
 * samples, and in nanoseconds of waits; of functions of Python in nanoseconds
 * of their own
 *
 * PyTorch's profiler numbers calls of functions and has the caller of each.
 * Times do not show it: the profiler takes unknown threads for one.
 */

#include <stdlib.h>

#include "tq/account/cpu_samples.h"
#include "tq/line/json.h"
#include "tq/base/array.h"
#include "tq/base/numbered.h"
#include "tq/line/record_args.h"
#include "tq/names/model.h"

#include "pprof/pprof.h"
#include "sums/cuda.h"
#include "sums/sums.h"
#include "self.h"

/* a thread without a processor, and where it waits */
struct folded_wait {
	int64_t since;  /* NO_ID: it has one */
	uint32_t stack; /* number + 1; 0: nobody looked */
	uint32_t thread;
	bool ran;           /* it was seen with a processor */
	uint32_t open;      /* as stack, of the call that never returned */
	int64_t open_since; /* the start of that */
};

struct folded {
	struct self_ops ops;
	struct numbered_texts threads; /* of samples */
	struct numbered_texts inner;   /* operations, or frames of a stack */
	struct map stacks;             /* ids of the section -> number + 1 */
	struct map lines;              /* (outer, inner) -> group */
	struct map calls; /* (pid, Python id) of the section: a number */
	struct cpu_samples samples;
	NUMBERED(struct folded_wait) waits; /* of the section, by thread */
	int64_t last;                       /* ts of the section */
	struct pprof *profile;              /* instead of groups, or NULL */
	bool has_stack;                     /* an operation has one */
	int64_t untimed, period;            /* of samples: without a time; ns */
	struct groups *groups; /* key: a line; its number, no values */
	struct text scratch;
};

/* The group of a line, which is made in scratch; that is empty before. */
static struct group *
find_line(struct folded *s, const struct numbered_texts *names, uint32_t outer,
    uint32_t inner)
{
	struct span in = numbered_texts_text(&s->inner, inner);
	struct group *g;
	struct text key = {0};

	text_add_span(&s->scratch, numbered_texts_text(names, outer));
	if (s->scratch.len > 0 && in.len > 0)
		text_add_char(&s->scratch, ';');
	text_add_span(&s->scratch, in);
	groups_part(&key, text_span(&s->scratch));
	g = groups_get(s->groups, text_span(&key));
	text_free(&key);
	return g;
}

/* The same in a profile, where threads are labels. */
static void
add_to_profile(struct folded *s, const struct numbered_texts *names,
    uint32_t outer, uint32_t inner, int64_t n)
{
	struct pprof_labels of = {.pid = NO_ID, .tid = NO_ID};
	struct span out = numbered_texts_text(names, outer);
	struct text stack = {0};

	if (names == &s->threads)
		of.thread = out;
	else
		text_add_span(&stack, out);
	if (stack.len > 0 && numbered_texts_text(&s->inner, inner).len > 0)
		text_add_char(&stack, ';');
	text_add_span(&stack, numbered_texts_text(&s->inner, inner));
	pprof_add(s->profile, text_span(&stack), &of,
	    (const int64_t[PPROF_VALUES]){n});
	text_free(&stack);
}

/* Add n to the line of (outer, inner); names: of outer. */
static void
add_line(struct folded *s, const struct numbered_texts *names, uint32_t outer,
    uint32_t inner, int64_t n)
{
	uint64_t *slot;

	if (s->profile != NULL) {
		add_to_profile(s, names, outer, inner, n);
		return;
	}
	slot = map_get(&s->lines, outer, inner);
	s->scratch.len = 0;
	if (*slot == 0)
		*slot = (uint64_t)(uintptr_t)find_line(s, names, outer, inner);
	groups_number((struct group *)(uintptr_t)*slot, 0, n);
}

/* ---- operations ---- */

static uint32_t
operation_name(struct folded *s, const struct event *ev)
{
	struct text name = {0};
	struct span raw;
	uint32_t number;

	s->scratch.len = 0;
	raw = ev->kind == KIND_kernel || event_has(ev, KEY_name)
		  ? event_str(ev, KEY_name, &s->scratch)
		  : cuda_operation_name(ev, &s->scratch);
	self_append_folded(&name, raw);
	number = numbered_texts_get(&s->inner, text_span(&name));
	text_free(&name);
	return number;
}

static void
folded_event(struct report *r, const struct event *ev)
{
	struct folded *s = r->state;
	struct self_op *op = self_add(&s->ops, ev);

	if (op != NULL)
		op->name = operation_name(s, ev);
}

static void
folded_section_end(struct report *r)
{
	struct folded *s = r->state;

	for (size_t i = 0; i < s->ops.count; i++) {
		const struct self_op *op = &s->ops.all[i];

		add_line(s, &s->ops.paths, self_path(&s->ops, op), op->name,
		    op->dur);
	}
	self_reset(&s->ops);
}

/* ---- stacks ---- */

/* The frames of a stack, outermost first; a record has them innermost first. */
static void
define_stack(struct folded *s, const struct event *ev)
{
	struct text names = {0}, path = {0};
	size_t *ends = NULL, n = 0, cap = 0;
	struct json j;
	struct span name;

	if (!event_has(ev, KEY_frames))
		return;
	json_open_array(&j, ev->value[KEY_frames]);
	while (json_next_element(&j, &name)) {
		s->scratch.len = 0;
		json_decode(&s->scratch, name);
		self_append_folded(&names, text_span(&s->scratch));
		*array_add(&ends, &n, &cap) = names.len;
	}
	for (size_t i = n; i > 0; i--) {
		size_t start = i > 1 ? ends[i - 2] : 0;

		text_add_str(&path, i < n ? ";" : "");
		text_add(&path, names.p + start, ends[i - 1] - start);
	}
	*map_get(&s->stacks, (uint64_t)event_int(ev, KEY_id, NO_ID), 0) =
	    1 + (uint64_t)numbered_texts_get(&s->inner, text_span(&path));
	free(ends);
	text_free(&names);
	text_free(&path);
}

/* The number of the stack of a record + 1; 0: it has none. */
static uint32_t
stack_of(const struct folded *s, const struct event *ev)
{
	const uint64_t *stack =
	    map_find(&s->stacks, (uint64_t)event_int(ev, KEY_stack, NO_ID), 0);

	return stack != NULL ? (uint32_t)*stack : 0;
}

/* The number of the thread of a record; without a name its id. */
static uint32_t
thread_of(
    const struct report *r, int64_t pid, int64_t tid, const char *otherwise)
{
	struct folded *s = r->state;
	struct defined_name name;

	names_thread(r->names, pid, tid, &name);
	s->scratch.len = 0;
	if (name.name.len > 0)
		self_append_folded(&s->scratch, name.name);
	else if (tid != NO_ID)
		text_printf(&s->scratch, "thread %lld", (long long)tid);
	else
		text_add_str(&s->scratch, otherwise);
	return numbered_texts_get(&s->threads, text_span(&s->scratch));
}

static void
forget_stacks(struct report *r)
{
	struct folded *s = r->state;

	map_clear(&s->stacks);
}

/* ---- samples ---- */

static void
samples_event(struct report *r, const struct event *ev)
{
	struct folded *s = r->state;
	struct text path = {0}, build = {0};

	if (ev->kind == KIND_sample) /* which has its name at that time */
		s->samples.label = thread_of(r, event_int(ev, KEY_pid, NO_ID),
		    event_int(ev, KEY_tid, NO_ID), "");
	cpu_samples_event(&s->samples, ev);
	if (ev->kind == KIND_module && s->profile != NULL)
		pprof_module(s->profile, event_str(ev, KEY_name, &path),
		    event_str(ev, KEY_build, &build));
	text_free(&path);
	text_free(&build);
}

/* frames: innermost first */
static struct span
path_of(
    const struct report *r, const uint32_t *frames, size_t n, struct text *t)
{
	for (size_t i = n; i > 0; i--) {
		text_add_str(t, i < n ? ";" : "");
		self_append_folded(t, names_frame(r->names, frames[i - 1]));
	}
	return text_span(t);
}

static void
profile_sample(struct report *r, const struct cpu_sample *x, struct span path)
{
	struct folded *s = r->state;
	const struct sampled_thread *of = &s->samples.threads.all[x->thread];
	struct defined_name process;

	names_process(r->names, of->pid, &process);
	s->untimed = time_end(s->untimed, x->count - x->timed);
	pprof_add(s->profile, path,
	    &(struct pprof_labels){process.name,
		numbered_texts_text(&s->threads, of->label), of->pid, of->tid},
	    (const int64_t[PPROF_VALUES]){x->count, x->ns});
}

static void
add_sample(struct report *r, const struct cpu_sample *x)
{
	struct folded *s = r->state;
	uint32_t thread = s->samples.threads.all[x->thread].label;
	const uint32_t *frames;
	size_t n = cpu_samples_frames(&s->samples, r->names, x, &frames);
	struct text t = {0};
	struct span path = path_of(r, frames, n, &t);

	if (n == 0 && numbered_texts_text(&s->threads, thread).len == 0)
		thread = numbered_texts_get(&s->threads, SPAN("[no thread]"));
	if (s->profile != NULL)
		profile_sample(r, x, path);
	else
		add_line(s, &s->threads, thread,
		    numbered_texts_get(&s->inner, path), x->count);
	text_free(&t);
}

static void
samples_section_end(struct report *r)
{
	struct folded *s = r->state;

	cpu_samples_end(&s->samples);
	if (s->period == 0)
		s->period = s->samples.which == CPU_SAMPLES_PYTHON ||
				    s->samples.native_period == 0
				? s->samples.python_period
				: s->samples.native_period;
	for (size_t i = 0; i < s->samples.all.count; i++)
		if (cpu_samples_counts(&s->samples, &s->samples.all.all[i]))
			add_sample(r, &s->samples.all.all[i]);
	cpu_samples_clear(&s->samples);
}

/* ---- waits ---- */

static void
add_wait(struct folded *s, const struct folded_wait *w, uint32_t stack,
    int64_t since, int64_t now)
{
	add_line(
	    s, &s->threads, w->thread, stack - 1, time_between(since, now));
}

/* The thread goes on. */
static void
end_wait(struct folded *s, struct folded_wait *w, int64_t now)
{
	if (w->since != NO_ID && w->stack > 0)
		add_wait(s, w, w->stack, w->since, now);
	w->since = NO_ID;
	w->stack = 0;
}

/*
 * A look at a thread.  One that was never seen to run waits since then at
 * least: it hung before the recording began.
 */
static void
add_look(struct report *r, struct folded_wait *w, const struct event *ev)
{
	struct folded *s = r->state;

	if (event_int(ev, KEY_count, 1) > 0) {
		/* Python is sampled in threads that sleep, too */
		if (event_has(ev, KEY_state) &&
		    !event_is(ev, KEY_state, SPAN("Running")))
			return;
		w->ran = true;
		end_wait(s, w, event_int(ev, KEY_ts, 0));
	} else if (stack_of(s, ev) > 0) {
		if (w->since == NO_ID && !w->ran)
			w->since = event_int(ev, KEY_ts, 0);
		w->stack = stack_of(s, ev);
		w->thread = thread_of(r, event_int(ev, KEY_pid, NO_ID),
		    event_int(ev, KEY_tid, NO_ID), "[no thread]");
	}
}

/* Drop the innermost frames that are of a library of the system and have no
   name: what is inside of pthread_join, where libc has no symbol for it. */
static struct span
drop_nameless(struct span path)
{
	for (;;) {
		const char *last =
		    path.len > 0 ? memrchr(path.p, ';', path.len) : NULL;
		size_t at = last != NULL ? (size_t)(last + 1 - path.p) : 0;
		struct span frame = {path.p + at, path.len - at};

		if (!span_begins(frame, SPAN("0x")) ||
		    !names_is_of_system(frame))
			return path;
		path.len = at > 0 ? at - 1 : 0;
	}
}

/* A call that never returned: its name is where it waits, if its stack does not
   say. */
static void
add_open(struct report *r, struct folded_wait *w, const struct event *ev)
{
	struct folded *s = r->state;
	struct span path = SPAN(""), named;
	struct text text = {0};

	w->thread = thread_of(r, event_int(ev, KEY_pid, NO_ID),
	    event_int(ev, KEY_tid, NO_ID), "[no thread]");
	w->open_since = event_int(ev, KEY_ts, 0);
	w->open = stack_of(s, ev);
	if (w->open > 0)
		path = numbered_texts_text(&s->inner, w->open - 1);
	named = drop_nameless(path);
	if (w->open > 0 && named.len == path.len)
		return;
	s->scratch.len = 0;
	text_add_span(&text, named);
	text_add_str(&text, named.len > 0 ? ";" : "");
	text_add_span(&text, event_str(ev, KEY_name, &s->scratch));
	w->open = 1 + numbered_texts_get(&s->inner, text_span(&text));
	text_free(&text);
}

static void
waits_event(struct report *r, const struct event *ev)
{
	struct folded *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct folded_wait *w;
	bool fresh;

	if (ev->kind == KIND_stack) {
		define_stack(s, ev);
		return;
	}
	if (s->last < ts)
		s->last = ts;
	/* overhead is written when a process has ended */
	if (ev->kind == KIND_overhead ||
	    ((ev->kind == KIND_osrt || ev->kind == KIND_api) &&
		!event_true(ev, KEY_open)))
		return;
	w = numbered_get(&s->waits, model_thread(ev), &fresh);
	if (fresh)
		*w = (struct folded_wait){.since = NO_ID};
	switch (ev->kind) {
	case KIND_api:
	case KIND_osrt:
		add_open(r, w, ev);
		break;
	case KIND_sample:
		add_look(r, w, ev);
		break;
	default:
		end_wait(s, w, ts);
		if (event_true(ev, KEY_on))
			w->ran = true;
		else
			w->since = ts;
		break;
	}
}

static void
waits_section_end(struct report *r)
{
	struct folded *s = r->state;
	int64_t last = s->last;

	if (r->wall->any && last < r->wall->to)
		last = r->wall->to;
	for (size_t i = 0; i < s->waits.count; i++) {
		struct folded_wait *w = &s->waits.all[i];

		/* what was sampled in it is part of the same wait */
		if (w->since != NO_ID && w->stack > 0)
			end_wait(s, w, last);
		else if (w->open > 0)
			add_wait(s, w, w->open, w->open_since, last);
	}
	numbered_clear(&s->waits);
	map_clear(&s->stacks);
	s->last = INT64_MIN;
}

/* ---- operations, by the stack of their call ---- */

static const char no_stack[] = "[no stack]";

static void
launches_event(struct report *r, const struct event *ev)
{
	struct folded *s = r->state;
	uint32_t stack;

	if (ev->kind == KIND_stack) {
		define_stack(s, ev);
		return;
	}
	stack = stack_of(s, ev);
	s->has_stack |= stack > 0;
	add_line(s, &s->inner,
	    stack > 0 ? stack - 1
		      : numbered_texts_get(&s->inner, span_of(no_stack)),
	    operation_name(s, ev), time_between(0, event_int(ev, KEY_dur, 0)));
}

/* ---- functions of Python ---- */

/* A call is a range, and an operation within that has its time. */
static void
python_event(struct report *r, const struct event *ev)
{
	static const char *const names[] = {"Python id", "Python parent id"};
	struct folded *s = r->state;
	uint64_t pid = (uint64_t)event_int(ev, KEY_pid, NO_ID);
	int64_t number[2] = {NO_ID, NO_ID}, id;
	struct span values[2];

	s->scratch.len = 0;
	if (!event_has(ev, KEY_dur) ||
	    !span_eq(event_str(ev, KEY_category, &s->scratch),
		SPAN("python_function")))
		return;
	record_args_find(ev, names, 2, values, &s->scratch);
	for (size_t i = 0; i < 2; i++)
		if (record_args_int(values[i], &id))
			number[i] =
			    (int64_t)map_number(&s->calls, pid, (uint64_t)id);
	if (number[0] == NO_ID) /* nobody's parent */
		number[0] = -1 - (int64_t)s->ops.count;
	s->scratch.len = 0;
	self_add_range(&s->ops, number[0], number[1],
	    event_str(ev, KEY_name, &s->scratch));
	*array_add(&s->ops.all, &s->ops.count, &s->ops.cap) = (struct self_op){
	    .dur = event_int(ev, KEY_dur, 0), .range = number[0]};
}

/* The time of a call without the calls in it, which have an operation each. */
static void
subtract_callees(struct self_ops *ops)
{
	for (size_t i = ops->count; i-- > 0;) {
		const uint64_t *up =
		    map_find(&ops->ids, (uint64_t)ops->ranges[i].parent, 0);

		if (up != NULL && *up - 1 < i)
			ops->all[*up - 1].ts =
			    time_end(ops->all[*up - 1].ts, ops->all[i].dur);
	}
	for (size_t i = 0; i < ops->count; i++)
		ops->all[i].dur -= ops->all[i].ts < ops->all[i].dur
				       ? ops->all[i].ts
				       : ops->all[i].dur;
}

static void
python_section_end(struct report *r)
{
	struct folded *s = r->state;
	uint32_t none = numbered_texts_get(&s->inner, SPAN(""));

	subtract_callees(&s->ops);
	for (size_t i = 0; i < s->ops.count; i++) {
		const struct self_op *op = &s->ops.all[i];

		if (op->dur > 0)
			add_line(s, &s->ops.paths, self_path(&s->ops, op), none,
			    op->dur);
	}
	self_reset(&s->ops);
	map_clear(&s->calls);
}

/* ---- lines ---- */

static bool
write_lines(struct folded *s, struct output *o)
{
	groups_sort(s->groups, groups_by_sum);
	for (size_t i = 0; i < s->groups->count; i++) {
		const struct group *g = s->groups->all[i];

		text_add_span(&o->buf, groups_key(g, 0));
		text_add_char(&o->buf, ' ');
		text_add_int(&o->buf, g->numbers[0]);
		text_add_char(&o->buf, '\n');
		output_check(o);
	}
	return s->groups->count > 0;
}

static bool
folded_text(struct report *r, struct output *o)
{
	struct folded *s = r->state;

	return (s->ops.correlated || r->correlated) && write_lines(s, o);
}

/* False if all operations are without a stack. */
static bool
has_stacks(const struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		if (!span_begins(
			groups_key(groups->all[i], 0), span_of(no_stack)))
			return true;
	return false;
}

static bool
other_text(struct report *r, struct output *o)
{
	struct folded *s = r->state;

	return has_stacks(s->groups) && write_lines(s, o);
}

/* ---- profiles ---- */

/* One value of this type, in ns. */
static bool
write_profile(struct report *r, struct text *to, const char *type)
{
	struct folded *s = r->state;

	if (s->profile->samples.count == 0)
		return false;
	pprof_write(to, s->profile,
	    &(struct pprof_about){.types = {{type, "nanoseconds"}},
		.origin = r->settings->origin,
		.ns = r->wall->ns});
	return true;
}

static bool
folded_profile(struct report *r, struct text *to)
{
	struct folded *s = r->state;

	return (s->ops.correlated || r->correlated) &&
	       write_profile(r, to, "gpu");
}

static bool
launches_profile(struct report *r, struct text *to)
{
	struct folded *s = r->state;

	return s->has_stack && write_profile(r, to, "gpu");
}

static bool
waits_profile(struct report *r, struct text *to)
{
	return write_profile(r, to, "wait");
}

static bool
python_profile(struct report *r, struct text *to)
{
	return write_profile(r, to, "wall");
}

static bool
samples_profile(struct report *r, struct text *to)
{
	struct folded *s = r->state;
	struct pprof_about about = {.types = {{"samples", "count"}},
	    .origin = r->settings->origin,
	    .ns = r->wall->ns};

	if (s->untimed == 0) {
		about.types[1] = (struct pprof_type){"cpu", "nanoseconds"};
		about.period = s->period;
	}
	if (s->profile->samples.count > 0)
		pprof_write(to, s->profile, &about);
	return s->profile->samples.count > 0;
}

/* ---- the report ---- */

static void
folded_close(struct report *r)
{
	struct folded *s = r->state;

	self_free(&s->ops);
	numbered_texts_free(&s->threads);
	numbered_texts_free(&s->inner);
	map_free(&s->stacks);
	map_free(&s->lines);
	map_free(&s->calls);
	if (s->profile != NULL)
		pprof_free(s->profile);
	free(s->profile);
	cpu_samples_free(&s->samples);
	numbered_free(&s->waits);
	text_free(&s->scratch);
}

/* members of all of them, but folded itself */
#define OTHER \
	.name = "folded", .question = ASKS_RANGES, \
	.size = sizeof(struct folded), .text = other_text, \
	.close = folded_close, .sum = SUM(KEY_dur, .numbers = 1)

/* These need nothing of tq-correlate, but for launches. */
static const struct report_kind other_kinds[] = {
    {OTHER, .args = "samples", .title = "Folded Stacks of Samples",
	.missing = "no sample of a running thread in the stream",
	.stacks = true, .kinds = KINDS(trace) | KINDS(module) | KINDS(sample),
	.keys = cpu_samples_keys, .profile = samples_profile,
	.event = samples_event, .section_end = samples_section_end},
    {OTHER, .args = "waits", .title = "Folded Stacks of Waits",
	.missing = "no wait in the stream has a stack and context switches",
	.wall = true,
	.kinds = KINDS(stack) | KINDS(sample) | KINDS(sched) | KINDS(osrt) |
		 KINDS(api) | KINDS(overhead),
	.keys = KEYS(KEY_ts, KEY_pid, KEY_tid, KEY_stack, KEY_count, KEY_on,
	    KEY_name, KEY_open, KEY_state),
	.profile = waits_profile, .event = waits_event,
	.section_end = waits_section_end},
    {OTHER, .args = "launches", .title = "Folded Stacks of Launches",
	.missing = "no operation in the stream has the stack of its call",
	.correlated = true,
	.kinds = KINDS(stack) | KINDS(kernel) | KINDS(memcpy) | KINDS(memset) |
		 KINDS(graph),
	.keys = KEYS(KEY_dur, KEY_name, KEY_copy, KEY_graph, KEY_stack),
	.profile = launches_profile, .event = launches_event,
	.section_end = forget_stacks},
    {OTHER, .args = "python", .title = "Folded Stacks of Python",
	.missing = "no function of Python in the stream", .kinds = KINDS(range),
	.keys =
	    KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_name, KEY_category, KEY_args),
	.profile = python_profile, .event = python_event,
	.section_end = python_section_end},
};

enum { OTHER_KINDS = sizeof(other_kinds) / sizeof(other_kinds[0]) };

static void
folded_open(struct report *r)
{
	struct folded *s = r->state;

	s->ops.style = (struct self_style){.separator = ";", .folded = true};
	s->groups = &r->groups;
	s->last = INT64_MIN;
	if (r->settings->profile)
		s->profile = mem_alloc(sizeof(*s->profile));
	s->samples.which = cpu_samples_word(r->more);
	for (size_t i = 0; r->arg != NULL && i < OTHER_KINDS; i++)
		if (strcmp(r->arg, other_kinds[i].args) == 0)
			r->kind = &other_kinds[i];
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_id, KEY_domain, KEY_open, KEY_end_tid, KEY_parent, KEY_depth,
    KEY_resolved, KEY_stack, KEY_NONE};
static const enum key work_keys[] = {
    KEY_api_ts, KEY_range, KEY_path, KEY_copy, KEY_graph, KEY_NONE};

const struct report_kind folded_reports[] = {
    {.name = "folded",
	.question = ASKS_RANGES,
	.title = "Folded Stacks of Ranges and Operations",
	.args = "samples|waits|launches|python",
	.more = "native|python|all",
	.more_of = "samples",
	.missing = "no operation of a device in the stream",
	.correlated = true,
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph) |
		 KINDS(end) | KINDS(range) | KINDS(stack) | KINDS(sample),
	.keys = keys,
	.work_keys = work_keys,
	.size = sizeof(struct folded),
	.open = folded_open,
	.event = folded_event,
	.section_end = folded_section_end,
	.text = folded_text,
	.profile = folded_profile,
	.close = folded_close,
	.sum = SUM(KEY_dur, .numbers = 1)},
    {0},
};
