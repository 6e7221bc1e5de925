/* cpu_samples.c - samples by thread and stack, and which of them count */

#include <stdlib.h>
#include <string.h>

#include "tq/account/cpu_samples.h"
#include "tq/base/array.h"
#include "tq/base/ascii.h"
#include "tq/base/time.h"
#include "tq/line/json.h"
#include "tq/line/record_args.h"
#include "tq/line/sched.h"
#include "tq/names/model.h"

enum {
	PYTHON,           /* the kind of samples of Python */
	PERIOD = 1000000, /* ns, of samples of Python whose period is unknown */
	NEAR = 2          /* periods between samples of one moment */
};

const enum key cpu_samples_keys[] = {KEY_ts, KEY_pid, KEY_tid, KEY_state,
    KEY_stack, KEY_what, KEY_count, KEY_args, KEY_mode, KEY_NONE};

/* ---- a record ---- */

enum cpu_samples_state
cpu_samples_state_of(const struct event *ev)
{
	if (!event_has(ev, KEY_state) || sched_is_runnable(ev))
		return CPU_SAMPLES_RUNNING;
	return event_is(ev, KEY_state, SPAN("Interruptible")) ||
		       event_is(ev, KEY_state, SPAN("Uninterruptible"))
		   ? CPU_SAMPLES_BLOCKED
		   : CPU_SAMPLES_OFF;
}

bool
cpu_samples_is_python(const struct event *ev)
{
	return event_is(ev, KEY_what, SPAN("python"));
}

/* the period of "cuda,sample:perf@1000:dwarf", ns; 0: no such word */
static int64_t
period_of(struct span mode, struct span word)
{
	const char *p = memmem(mode.p, mode.len, word.p, word.len);
	const char *end = mode.p + mode.len;
	int64_t hz = 0;

	if (p == NULL || (p = memchr(p, '@', (size_t)(end - p))) == NULL)
		return 0;
	for (p++; p < end && ascii_is_digit(*p) && hz < 1000000000; p++)
		hz = hz * 10 + (*p - '0');
	return hz > 0 ? 1000000000 / hz : 0;
}

static void
take_mode(struct cpu_samples *s, const struct event *ev)
{
	struct span mode;

	s->scratch.len = 0;
	mode = event_str(ev, KEY_mode, &s->scratch);
	s->native_period = period_of(mode, SPAN("sample:"));
	s->of_kernel = memmem(mode.p, mode.len, "sample:perf", 11) != NULL;
	s->python_period = period_of(mode, SPAN("python:"));
}

/* The weight of a sample, in ns or in units of its event, 0 if it has none. */
struct sample_weight {
	int64_t ns, events;
	struct span event; /* JSON */
};

/* The integer; 0 if it is none above that. */
static int64_t
above_0(struct span value)
{
	int64_t n;

	return value.len > 0 && json_int(value, &n) && n > 0 ? n : 0;
}

static struct sample_weight
weight_of(struct cpu_samples *s, const struct event *ev)
{
	static const char *const names[] = {
	    "event", "weight_ns", "period", "weight"};
	struct span values[4];
	struct sample_weight w;

	record_args_find(ev, names, 4, values, &s->scratch);
	w.event = values[0];
	w.ns = above_0(values[1]);
	w.events = above_0(values[2]);
	if (w.events == 0)
		w.events = above_0(values[3]);
	if (w.ns == 0 && (span_begins(w.event, SPAN("\"cpu-clock")) ||
			     span_begins(w.event, SPAN("\"task-clock"))))
		w.ns = w.events;
	return w;
}

static int64_t
times(int64_t n, int64_t count)
{
	int64_t product;

	return __builtin_mul_overflow(n, count, &product) ? INT64_MAX : product;
}

/* ---- sums ---- */

static void
add(struct cpu_samples *s, const struct cpu_sample *x)
{
	uint64_t stack = (uint64_t)x->stack;
	struct cpu_sample *to;
	bool fresh;

	/* with the first bit it is no id: numbers begin with 1 */
	if (x->python != NO_ID || (x->stack < 0 && x->stack != NO_ID))
		stack = (uint64_t)1 << 63 |
			map_number(&s->pairs, stack, (uint64_t)x->python);
	to = keyed_get(&s->all,
	    (uint64_t)x->thread << 32 | (uint64_t)x->kind << 2 |
		(uint64_t)x->state,
	    stack, &fresh);
	if (fresh) {
		*to = *x;
		return;
	}
	to->count = time_end(to->count, x->count);
	to->ns = time_end(to->ns, x->ns);
	to->timed = time_end(to->timed, x->timed);
	to->events = time_end(to->events, x->events);
	to->metered = time_end(to->metered, x->metered);
}

/* ---- native samples and those of Python ---- */

static int64_t
near(const struct cpu_samples *s)
{
	return NEAR * (s->python_period > 0 ? s->python_period : PERIOD);
}

/*
 * All that wait of a thread get the frames of the last sample of Python, or of
 * the next one, whichever is nearer and near enough.
 */
static void
end_waiting(struct cpu_samples *s, struct sampled_thread *t, int64_t next_ts,
    int64_t next)
{
	for (size_t i = 0; i < t->count; i++) {
		struct waiting_sample *w = &t->waiting[i];
		int64_t before = t->python != NO_ID
				     ? time_between(t->python_ts, w->ts)
				     : INT64_MAX;
		int64_t after =
		    next != NO_ID ? time_between(w->ts, next_ts) : INT64_MAX;

		if (before <= after && before <= near(s))
			w->of.python = t->python;
		else if (after <= near(s))
			w->of.python = next;
		add(s, &w->of);
	}
	t->count = 0;
}

static void
add_python(struct cpu_samples *s, struct sampled_thread *t,
    const struct cpu_sample *x, int64_t ts)
{
	s->any_python = true;
	end_waiting(s, t, ts, x->stack);
	t->python_ts = ts;
	t->python = x->stack;
	add(s, x);
}

static void
add_native(struct cpu_samples *s, struct sampled_thread *t,
    const struct cpu_sample *x, int64_t ts)
{
	bool python = s->any_python || s->python_period > 0;

	if (!python || s->apart || s->which != CPU_SAMPLES_ONE) {
		add(s, x);
		return;
	}
	if (t->count > 0 && time_between(t->waiting[0].ts, ts) > near(s))
		end_waiting(s, t, 0, NO_ID);
	*array_add(&t->waiting, &t->count, &t->cap) =
	    (struct waiting_sample){.ts = ts, .of = *x};
}

static struct sampled_thread *
thread_of(struct cpu_samples *s, const struct event *ev)
{
	bool fresh;
	struct sampled_thread *t =
	    keyed_get(&s->threads, model_thread(ev), s->label, &fresh);

	if (fresh)
		*t = (struct sampled_thread){.number = model_thread(ev),
		    .label = s->label,
		    .pid = event_int(ev, KEY_pid, NO_ID),
		    .tid = event_int(ev, KEY_tid, NO_ID),
		    .python = NO_ID};
	return t;
}

static uint32_t
kind_of(struct cpu_samples *s, const struct event *ev, struct span event)
{
	if (s->kinds.count == 0) /* no event has that name */
		intern_get(&s->kinds, SPAN("python"));
	return cpu_samples_is_python(ev) ? PYTHON
					 : intern_get(&s->kinds, event);
}

/* The first kind of the section, Python last. */
static void
note_kind(struct sampled_thread *t, const struct cpu_sample *x)
{
	uint32_t *best = &t->best[x->state];

	if (*best == 0 || *best == PYTHON + 1 ||
	    (x->kind != PYTHON && x->kind + 1 < *best))
		*best = x->kind + 1;
}

static void
add_sample(struct cpu_samples *s, const struct event *ev)
{
	struct sample_weight w = weight_of(s, ev);
	struct sampled_thread *t = thread_of(s, ev);
	struct cpu_sample x = {.thread = (uint32_t)(t - s->threads.all),
	    .kind = kind_of(s, ev, w.event),
	    .state = cpu_samples_state_of(ev),
	    .stack = s->apart ? NO_ID : event_int(ev, KEY_stack, NO_ID),
	    .python = NO_ID,
	    .count = event_int(ev, KEY_count, 1)};

	if (w.ns == 0 && w.events == 0)
		w.ns = x.kind == PYTHON ? s->python_period : s->native_period;
	x.ns = times(w.ns, x.count);
	x.timed = w.ns > 0 ? x.count : 0;
	x.events = times(w.events, x.count);
	x.metered = w.events > 0 ? x.count : 0;
	note_kind(t, &x);
	if (x.kind != PYTHON)
		*map_get(&s->native, (uint64_t)t->pid, 0) = 1;
	if (x.kind == PYTHON)
		add_python(s, t, &x, event_int(ev, KEY_ts, 0));
	else
		add_native(s, t, &x, event_int(ev, KEY_ts, 0));
}

void
cpu_samples_event(struct cpu_samples *s, const struct event *ev)
{
	if (ev->kind == KIND_trace)
		take_mode(s, ev);
	/* where a thread waits stands for no time */
	else if (ev->kind == KIND_sample && event_int(ev, KEY_count, 1) > 0)
		add_sample(s, ev);
}

void
cpu_samples_end(struct cpu_samples *s)
{
	for (size_t i = 0; i < s->threads.count; i++)
		end_waiting(s, &s->threads.all[i], 0, NO_ID);
	for (size_t i = 0; s->of_kernel && i < s->threads.count; i++) {
		struct sampled_thread *t = &s->threads.all[i];

		if (t->best[CPU_SAMPLES_RUNNING] == PYTHON + 1 &&
		    map_find(&s->native, (uint64_t)t->pid, 0) != NULL)
			t->best[CPU_SAMPLES_RUNNING] = 0;
	}
}

/* ---- which count ---- */

enum cpu_samples_which
cpu_samples_word(const char *word)
{
	if (word == NULL)
		return CPU_SAMPLES_ONE;
	return strcmp(word, "native") == 0   ? CPU_SAMPLES_NATIVE
	       : strcmp(word, "python") == 0 ? CPU_SAMPLES_PYTHON
					     : CPU_SAMPLES_ALL;
}

bool
cpu_samples_are_best(const struct cpu_samples *s, const struct cpu_sample *x)
{
	return s->threads.all[x->thread].best[x->state] == x->kind + 1;
}

bool
cpu_samples_counts(const struct cpu_samples *s, const struct cpu_sample *x)
{
	if (s->which == CPU_SAMPLES_ALL)
		return true;
	if (x->state != CPU_SAMPLES_RUNNING)
		return false;
	switch (s->which) {
	case CPU_SAMPLES_NATIVE:
		return x->kind != PYTHON;
	case CPU_SAMPLES_PYTHON:
		return x->kind == PYTHON;
	case CPU_SAMPLES_ONE:
	case CPU_SAMPLES_ALL:
	default:
		return cpu_samples_are_best(s, x);
	}
}

/* ---- frames ---- */

/* A frame of the interpreter that runs functions of Python. */
static bool
is_interpreter(struct span frame)
{
	return span_begins(frame, SPAN("_PyEval_EvalFrameDefault")) ||
	       span_begins(frame, SPAN("PyEval_EvalFrameEx")) ||
	       span_begins(frame, SPAN("_TAIL_CALL_"));
}

size_t
cpu_samples_frames(struct cpu_samples *s, const struct names *names,
    const struct cpu_sample *x, const uint32_t **frames)
{
	const uint32_t *outer;
	size_t n = x->stack != NO_ID ? names_stack(names, x->stack, frames) : 0;
	size_t inner = 0, more;

	if (x->python == NO_ID)
		return n;
	while (
	    inner < n && !is_interpreter(names_frame(names, (*frames)[inner])))
		inner++;
	if (inner == n || (more = names_stack(names, x->python, &outer)) == 0)
		return n;
	if (inner + more > s->frame_cap) {
		s->frame_cap = 2 * (inner + more);
		s->frames =
		    mem_resize(s->frames, s->frame_cap, sizeof(*s->frames));
	}
	memcpy(s->frames, *frames, inner * sizeof(*s->frames));
	memcpy(s->frames + inner, outer, more * sizeof(*s->frames));
	*frames = s->frames;
	return inner + more;
}

void
cpu_samples_add_function(struct text *t, struct span frame)
{
	size_t n = frame.len;

	if (n > 0 && frame.p[n - 1] == ')')
		n--;
	while (n > 0 && ascii_is_digit(frame.p[n - 1]))
		n--;
	if (n <= 1 || n + 1 >= frame.len || frame.p[n - 1] != ':' ||
	    frame.p[frame.len - 1] != ')') {
		text_add_span(t, frame);
		return;
	}
	text_add(t, frame.p, n - 1);
	text_add_char(t, ')');
}

/* ---- the life of it ---- */

static void
forget_threads(struct cpu_samples *s)
{
	for (size_t i = 0; i < s->threads.count; i++)
		free(s->threads.all[i].waiting);
}

void
cpu_samples_clear(struct cpu_samples *s)
{
	forget_threads(s);
	keyed_clear(&s->threads);
	keyed_clear(&s->all);
	map_clear(&s->pairs);
	map_clear(&s->native);
	intern_clear(&s->kinds);
	s->native_period = s->python_period = 0;
	s->any_python = s->of_kernel = false;
}

void
cpu_samples_free(struct cpu_samples *s)
{
	forget_threads(s);
	keyed_free(&s->threads);
	keyed_free(&s->all);
	map_free(&s->pairs);
	map_free(&s->native);
	intern_free(&s->kinds);
	text_free(&s->scratch);
	free(s->frames);
	*s = (struct cpu_samples){.which = s->which, .apart = s->apart};
}
