/*
 * cpu.c - cpu_sum: how long each thread had a processor, and how long it had
 * none
 *
 * A state of a thread begins with a record sched and ends with the next one of
 * the thread; time before its first record and after its last one is in no
 * state.  Of a thread that has no such record each sample is a sampling period.
 */

#include "tq/base/numbered.h"
#include "tq/line/sched.h"
#include "tq/names/model.h"

#include "sums.h"
#include "tq/show/col.h"

enum cpu_state {
	CPU_RUNNING,
	CPU_PREEMPTED,
	CPU_BLOCKED,
	CPU_OFF,     /* preempted or blocked */
	CPU_UNKNOWN, /* a record is missing */
	CPU_STATES
};

/* numbers of a group; its values are the durations of the state */
enum { SAMPLES, SAMPLED, ALL, NUMBERS };

enum { PROCESS, THREAD, STATE };

struct cpu_thread {
	int64_t pid, tid;
	enum cpu_state state;
	int64_t since; /* NO_ID: it has no record sched */
	int64_t samples[CPU_STATES];
	struct group *groups[CPU_STATES]; /* NULL: not looked for yet */
};

struct cpu_threads {
	NUMBERED(struct cpu_thread) all; /* of the section */
	int64_t period;                  /* of samples, ns; 0: unknown */
};

/* ---- the stream ---- */

/* "main (12)", or "12" without a name */
static void
add_part(struct report *r, struct span name, int64_t id)
{
	r->scratch.len = 0;
	text_add_span(&r->scratch, name);
	if (id != NO_ID)
		text_printf(&r->scratch, name.len > 0 ? " (%lld)" : "%lld",
		    (long long)id);
	groups_part(&r->key, text_span(&r->scratch));
}

static struct group *
group_of(struct report *r, struct cpu_thread *t, enum cpu_state state)
{
	static const char *const names[] = {
	    "Running", "Preempted", "Blocked", "Off CPU", "Unknown"};
	struct defined_name process, thread;

	if (t->groups[state] != NULL)
		return t->groups[state];
	names_process(r->names, t->pid, &process);
	names_thread(r->names, t->pid, t->tid, &thread);
	r->key.len = 0;
	add_part(r, process.name, t->pid);
	add_part(r, thread.name, t->tid);
	groups_part(&r->key, span_of(names[state]));
	return t->groups[state] = groups_get(&r->groups, text_span(&r->key));
}

static struct cpu_thread *
find_thread(struct cpu_threads *s, const struct event *ev)
{
	bool fresh;
	struct cpu_thread *t = numbered_get(&s->all, model_thread(ev), &fresh);

	if (fresh)
		*t = (struct cpu_thread){.pid = event_int(ev, KEY_pid, NO_ID),
		    .tid = event_int(ev, KEY_tid, NO_ID),
		    .since = NO_ID};
	return t;
}

static enum cpu_state
state_after(const struct event *ev)
{
	if (event_true(ev, KEY_on))
		return CPU_RUNNING;
	if (!sched_has_cause(ev))
		return CPU_OFF;
	return sched_is_preempted(ev) ? CPU_PREEMPTED : CPU_BLOCKED;
}

/* Two records of one kind in a row lack one between them. */
static void
add_switch(struct report *r, struct cpu_thread *t, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	enum cpu_state was = t->state, now = state_after(ev);

	if ((now == CPU_RUNNING) == (was == CPU_RUNNING))
		was = CPU_UNKNOWN;
	if (t->since != NO_ID)
		sums_interval(r, group_of(r, t, was), t->since,
		    time_between(t->since, ts));
	t->since = ts;
	t->state = now;
}

static enum cpu_state
sampled_state(const struct event *ev)
{
	if (!event_has(ev, KEY_state) || sched_is_runnable(ev))
		return CPU_RUNNING;
	return event_is(ev, KEY_state, SPAN("Interruptible")) ||
		       event_is(ev, KEY_state, SPAN("Uninterruptible"))
		   ? CPU_BLOCKED
		   : CPU_OFF;
}

static void
add_sample(struct cpu_thread *t, const struct event *ev)
{
	int64_t *samples = &t->samples[sampled_state(ev)];
	int64_t count = event_int(ev, KEY_count, 1);

	if (count > 0 && __builtin_add_overflow(*samples, count, samples))
		*samples = INT64_MAX;
}

/* the sampling period of "cuda,sample:perf@1000:dwarf", ns; 0: none */
static int64_t
period_of(struct span mode)
{
	static const char samples[] = "sample:";
	const char *p = memmem(mode.p, mode.len, samples, strlen(samples));
	const char *end = mode.p + mode.len;
	int64_t hz = 0;

	if (p == NULL || (p = memchr(p, '@', (size_t)(end - p))) == NULL)
		return 0;
	for (p++; p < end && *p >= '0' && *p <= '9' && hz < 1000000; p++)
		hz = hz * 10 + (*p - '0');
	return hz > 0 ? 1000000000 / hz : 0;
}

static void
cpu_event(struct report *r, const struct event *ev)
{
	struct cpu_threads *s = r->state;

	if (ev->kind == KIND_trace)
		s->period = period_of(event_str(ev, KEY_mode, &r->scratch));
	else if (!event_has(ev, KEY_ts))
		return;
	else if (ev->kind == KIND_sched)
		add_switch(r, find_thread(s, ev), ev);
	else if (ev->kind == KIND_sample)
		add_sample(find_thread(s, ev), ev);
}

/* The time of samples counts only where the thread has no other time. */
static void
add_samples(struct report *r, struct cpu_thread *t, int64_t period)
{
	for (int i = 0; i < CPU_STATES; i++) {
		struct group *g;
		int64_t ns;

		if (t->samples[i] == 0)
			continue;
		g = group_of(r, t, (enum cpu_state)i);
		groups_number(g, SAMPLES, t->samples[i]);
		if (t->since != NO_ID)
			continue;
		if (__builtin_mul_overflow(t->samples[i], period, &ns))
			ns = INT64_MAX;
		groups_number(g, SAMPLED, ns);
	}
}

static void
cpu_section_end(struct report *r)
{
	struct cpu_threads *s = r->state;

	for (size_t i = 0; i < s->all.count; i++)
		add_samples(r, &s->all.all[i], s->period);
	numbered_free(&s->all);
	*s = (struct cpu_threads){0};
}

/* ---- the table ---- */

static dist_wide
time_of(const struct group *g)
{
	return g->values.sum + g->numbers[SAMPLED];
}

static bool
same_thread(const struct group *a, const struct group *b)
{
	return span_eq(groups_key(a, PROCESS), groups_key(b, PROCESS)) &&
	       span_eq(groups_key(a, THREAD), groups_key(b, THREAD));
}

static void
cpu_row(struct table *t, struct report *r, struct group *g)
{
	bool known = g->values.count > 0 || g->numbers[SAMPLED] > 0;

	col_share(t, "Time", time_of(g), g->numbers[ALL]);
	col_sum_if(t, "Total Time", UNIT_TIME, known, time_of(g));
	col_int(t, "Instances", UNIT_NONE, (int64_t)g->values.count);
	groups_stats(t, groups_stat_names, UNIT_TIME, &g->values);
	if (r->pct)
		groups_more(t, &g->values);
	col_int(t, "Samples", UNIT_NONE, g->numbers[SAMPLES]);
	col_text(t, "State", groups_key(g, STATE));
	col_text(t, "Process", groups_key(g, PROCESS));
	col_text(t, "Thread", groups_key(g, THREAD));
}

/* Sorted by key, the states of a thread are neighbours. */
static void
cpu_table(struct report *r, struct table *t)
{
	struct groups *gs = &r->groups;

	groups_sort(gs, groups_by_key);
	for (size_t i = 0, from = 0; i < gs->count; i++) {
		dist_wide all = 0;

		if (i + 1 < gs->count &&
		    same_thread(gs->all[i], gs->all[i + 1]))
			continue;
		for (size_t k = from; k <= i; k++)
			all += time_of(gs->all[k]);
		for (; from <= i; from++)
			gs->all[from]->numbers[ALL] =
			    all < INT64_MAX ? (int64_t)all : INT64_MAX;
	}
	sums_rows(r, t, groups_by_key);
}

static void
cpu_close(struct report *r)
{
	struct cpu_threads *s = r->state;

	numbered_free(&s->all);
}

const struct report_kind cpu_reports[] = {
    {.name = "cpu_sum",
	.title = "Time of Threads on and off Processors",
	.missing = "no context switch and no sample in the stream",
	.kinds = KINDS(trace) | KINDS(sched) | KINDS(sample),
	.keys = KEYS(KEY_ts, KEY_pid, KEY_tid, KEY_on, KEY_state, KEY_reason,
	    KEY_count, KEY_mode),
	.sum = SUM(KEY_dur, NULL,
	    {{"Process", KEY_pid}, {"Thread", KEY_tid}, {"State", KEY_state}},
	    .row = cpu_row, .numbers = NUMBERS),
	.size = sizeof(struct cpu_threads),
	.event = cpu_event,
	.section_end = cpu_section_end,
	.table = cpu_table,
	.close = cpu_close},
    {0},
};
