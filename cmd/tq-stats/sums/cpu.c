/*
 * cpu.c - cpu_sum: how long each thread had a processor, and how long it had
 * none
 *
 * A state of a thread begins with a record sched and ends with the next one of
 * the thread; time before its first record and after its last one is in no
 * state.  Of a thread that has no such record each sample is a sampling period,
 * of one kind of samples for each state.
 */

#include "tq/account/cpu_samples.h"
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
	int64_t since;                    /* NO_ID: it has no record sched */
	struct group *groups[CPU_STATES]; /* NULL: not looked for yet */
};

struct cpu_threads {
	NUMBERED(struct cpu_thread) all; /* of the section */
	struct cpu_samples samples;
};

/* ---- the stream ---- */

static struct group *
group_of(struct report *r, struct cpu_thread *t, enum cpu_state state)
{
	static const char *const names[] = {
	    "Running", "Preempted", "Blocked", "Off CPU", "Unknown"};

	if (t->groups[state] != NULL)
		return t->groups[state];
	r->key.len = 0;
	sums_process_part(r, t->pid);
	sums_thread_part(r, t->pid, t->tid);
	groups_part(&r->key, span_of(names[state]));
	return t->groups[state] = groups_get(&r->groups, text_span(&r->key));
}

static struct cpu_thread *
find_thread(struct cpu_threads *s, uint32_t number, int64_t pid, int64_t tid)
{
	bool fresh;
	struct cpu_thread *t = numbered_get(&s->all, number, &fresh);

	if (fresh)
		*t =
		    (struct cpu_thread){.pid = pid, .tid = tid, .since = NO_ID};
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

static void
cpu_event(struct report *r, const struct event *ev)
{
	struct cpu_threads *s = r->state;

	if (ev->kind != KIND_trace && !event_has(ev, KEY_ts))
		return;
	if (ev->kind == KIND_sched)
		add_switch(r,
		    find_thread(s, model_thread(ev),
			event_int(ev, KEY_pid, NO_ID),
			event_int(ev, KEY_tid, NO_ID)),
		    ev);
	else
		cpu_samples_event(&s->samples, ev);
}

/* The time of samples counts only where the thread has no other time. */
static void
add_samples(struct report *r, const struct cpu_sample *x)
{
	static const enum cpu_state states[CPU_SAMPLES_STATES] = {
	    CPU_RUNNING, CPU_BLOCKED, CPU_OFF};
	struct cpu_threads *s = r->state;
	const struct sampled_thread *of = &s->samples.threads.all[x->thread];
	struct cpu_thread *t = find_thread(s, of->number, of->pid, of->tid);
	struct group *g = group_of(r, t, states[x->state]);

	groups_number(g, SAMPLES, x->count);
	if (t->since == NO_ID)
		groups_number(g, SAMPLED, x->ns);
}

static void
cpu_section_end(struct report *r)
{
	struct cpu_threads *s = r->state;

	cpu_samples_end(&s->samples);
	for (size_t i = 0; i < s->samples.all.count; i++)
		if (cpu_samples_are_best(&s->samples, &s->samples.all.all[i]))
			add_samples(r, &s->samples.all.all[i]);
	cpu_samples_clear(&s->samples);
	numbered_free(&s->all);
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
	cpu_samples_free(&s->samples);
}

/* Samples have more keys than context switches. */
static void
cpu_wanted(struct keyset *want)
{
	keyset_add_all(&want[KIND_sample], cpu_samples_keys);
}

static void
cpu_open(struct report *r)
{
	struct cpu_threads *s = r->state;

	s->samples.apart = true;
}

const struct report_kind cpu_reports[] = {
    {.name = "cpu_sum",
	.question = ASKS_HOST,
	.rows = KINDS(sched) | KINDS(sample),
	.title = "Time of Threads on and off Processors",
	.missing = "no context switch and no sample in the stream",
	.kinds = KINDS(trace) | KINDS(sched) | KINDS(sample),
	.keys = KEYS(
	    KEY_ts, KEY_pid, KEY_tid, KEY_on, KEY_state, KEY_reason, KEY_mode),
	.wanted = cpu_wanted,
	.sum = SUM(KEY_dur, NULL,
	    {{"Process", KEY_pid}, {"Thread", KEY_tid}, {"State", KEY_state}},
	    .row = cpu_row, .numbers = NUMBERS),
	.size = sizeof(struct cpu_threads),
	.open = cpu_open,
	.event = cpu_event,
	.section_end = cpu_section_end,
	.table = cpu_table,
	.close = cpu_close},
    {0},
};
