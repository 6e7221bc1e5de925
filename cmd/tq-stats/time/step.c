/*
 * step.c - the time of the devices in each training step
 *
 * A step is a range with the name of one, of any domain, or a range of --step;
 * a step within another of its thread is a part of that.  Ranges that were cut
 * or never ended are left out, since their contents are unknown.
 *
 * Time is divided as operations come: each open step has an account for each
 * device of its process, which is closed at the very end of the step.  A
 * device that appears later did nothing until then, so that it gets a copy of
 * the account of a device that never does anything.
 *
 * Idle time is divided when an operation ends it, and gives the thread and the
 * start of its call, as in gaps: up to then that thread waited or the device
 * starved, from then on it stalled; also in steps that are over.  So the waits
 * of all threads of a process within its steps are held, 24 bytes each.
 */

#include <err.h>
#include <stdlib.h>

#include "tq/account/waits.h"
#include "tq/ask/expr.h"
#include "tq/ask/window.h"
#include "tq/base/map.h"
#include "tq/base/numbered.h"
#include "tq/base/time.h"
#include "tq/io/status.h"
#include "tq/names/api_call.h"
#include "tq/names/model.h"

#include "tq/show/col.h"
#include "step.h"

/* ---- steps ---- */

/* the account of a device in a step */
struct step_part {
	struct device_time time;
	int64_t sync;    /* it was idle, and the thread waited */
	int64_t stalled; /* it was idle, and the next operation was launched */
};

/* a device of a process, in a section */
struct step_device {
	int64_t id;
	size_t part; /* index in the parts of a step */
	struct device_time time;
};

struct step_process {
	int64_t pid;
	int64_t steps; /* so far */
	size_t last;   /* the last that counts: index + 1 */
	size_t over;   /* the one that ended last: index + 1 */
	int64_t until; /* the last end of all */
	struct step_device *devices;
	size_t count;
};

struct step_thread {
	struct device_waits waits;
};

struct training_step {
	size_t process, thread;
	int64_t number, ts, end;
	size_t before; /* one of its process: index + 1, or 0 */
	size_t older;  /* index + 1 of the previous step to end, or 0 */
	struct span name;
	struct step_part *parts; /* the first: of no device */
	size_t count;
	bool left_out; /* another one is the median */
};

struct steps {
	const struct range_spec *spec; /* of the command line, or standard */
	struct range_spec standard;
	bool any;     /* a range of that name was seen */
	bool dropped; /* a filter dropped a step */
	NUMBERED(struct step_process) processes;
	size_t first_process;                 /* of the section */
	NUMBERED(struct step_thread) threads; /* of the section */
	struct map ends; /* of the section: see range_spec_is_part() */
	struct training_step *steps;
	size_t count, cap;
	size_t *open; /* steps that may go on */
	size_t open_count, open_cap;
	size_t *ended; /* steps that end together, for a moment */
	size_t ended_cap;
	size_t first;      /* of the steps of the section */
	step_watch *watch; /* or NULL */
	void *watcher;
};

/* ---- processes, threads, devices ---- */

static size_t
find_process(struct steps *s, const struct event *ev)
{
	bool fresh;
	struct step_process *p =
	    numbered_get(&s->processes, model_process(ev), &fresh);

	if (fresh)
		*p =
		    (struct step_process){.pid = event_int(ev, KEY_pid, NO_ID)};
	return (size_t)(p - s->processes.all);
}

static size_t
find_thread(struct steps *s, const struct event *ev)
{
	bool fresh;
	struct step_thread *t =
	    numbered_get(&s->threads, model_thread(ev), &fresh);

	if (fresh)
		*t = (struct step_thread){0};
	return (size_t)(t - s->threads.all);
}

/* The devices of a process are in order of id. */
static struct step_device *
find_device(struct step_process *p, int64_t id)
{
	size_t i = 0;

	while (i < p->count && p->devices[i].id < id)
		i++;
	if (i < p->count && p->devices[i].id == id)
		return &p->devices[i];
	p->devices = mem_resize(p->devices, p->count + 1, sizeof(*p->devices));
	memmove(&p->devices[i + 1], &p->devices[i],
	    (p->count++ - i) * sizeof(*p->devices));
	p->devices[i] = (struct step_device){.id = id, .part = p->count};
	device_time_begin(&p->devices[i].time, INT64_MIN);
	return &p->devices[i];
}

/* ---- time ---- */

static void
advance_step(struct training_step *step, int64_t ts)
{
	for (size_t i = 0; i < step->count; i++)
		device_time_advance(&step->parts[i].time, ts);
}

/* Each device known by now gets an account. */
static void
add_parts(struct training_step *step, size_t count)
{
	if (step->count >= count)
		return;
	step->parts = mem_resize(step->parts, count, sizeof(*step->parts));
	while (step->count < count)
		step->parts[step->count++] = step->parts[0];
}

static int
by_end(const void *pa, const void *pb, void *steps)
{
	const struct steps *s = steps;
	int64_t a = s->steps[*(const size_t *)pa].end;
	int64_t b = s->steps[*(const size_t *)pb].end;

	return (a > b) - (a < b);
}

static void
close_step(struct steps *s, size_t n)
{
	struct training_step *step = &s->steps[n];
	struct step_process *p = &s->processes.all[step->process];

	advance_step(step, step->end);
	step->older = p->over;
	p->over = n + 1;
}

/* Steps that end before or at ts are over, in order of their ends. */
static void
close_steps(struct steps *s, int64_t ts)
{
	size_t open = 0, ended = 0;

	for (size_t i = 0; i < s->open_count; i++)
		if (s->steps[s->open[i]].end > ts)
			s->open[open++] = s->open[i];
		else
			*array_add(&s->ended, &ended, &s->ended_cap) =
			    s->open[i];
	s->open_count = open;
	if (ended > 1)
		qsort_r(s->ended, ended, sizeof(*s->ended), by_end, s);
	for (size_t i = 0; i < ended; i++)
		close_step(s, s->ended[i]);
}

#define NO_THREAD SIZE_MAX

/* idle time of a device */
struct step_gap {
	size_t process, part;
	int64_t from, call, to; /* call: when the next operation was launched */
	size_t thread;          /* by this, or NO_THREAD */
};

/* The part of a gap that lies in a step. */
static void
divide_in_step(
    struct steps *s, const struct step_gap *g, struct training_step *step)
{
	int64_t since = step->ts > g->from ? step->ts : g->from;
	int64_t until = step->end < g->to ? step->end : g->to;
	int64_t call = g->call < until ? g->call : until;
	size_t thread = g->thread != NO_THREAD ? g->thread : step->thread;
	struct step_part *part;

	if (since >= until)
		return;
	if (call < since)
		call = since;
	add_parts(step, g->part + 1);
	part = &step->parts[g->part];
	part->stalled = time_end(part->stalled, time_between(call, until));
	part->sync = time_end(
	    part->sync, waits_time(&s->threads.all[thread].waits, since, call));
}

/*
 * Divide it, in all steps that have a part of this time: open ones, and the
 * last ones that ended.
 */
static void
divide_gap(struct steps *s, const struct step_gap *g)
{
	size_t i = s->processes.all[g->process].over;

	for (size_t n = 0; n < s->open_count; n++) {
		struct training_step *step = &s->steps[s->open[n]];

		if (step->process == g->process)
			divide_in_step(s, g, step);
	}
	for (; i > 0 && s->steps[i - 1].end > g->from;
	     i = s->steps[i - 1].older)
		divide_in_step(s, g, &s->steps[i - 1]);
}

static void
start_parts(struct steps *s, struct training_step *step)
{
	const struct step_process *p = &s->processes.all[step->process];

	step->parts = mem_alloc(sizeof(*step->parts));
	step->count = 1;
	device_time_begin(&step->parts[0].time, step->ts);
	add_parts(step, p->count + 1);
	for (size_t i = 0; i < p->count; i++)
		for (size_t c = 0; c < DEVICE_CLASSES; c++) {
			const struct step_device *d = &p->devices[i];
			int64_t *until = &step->parts[d->part].time.until[c];

			if (*until < d->time.until[c])
				*until = d->time.until[c];
		}
}

/* ---- records ---- */

static void
add_step(struct report *r, const struct event *ev, int64_t ts, int64_t end,
    struct span name)
{
	struct steps *s = r->state;
	struct training_step step = {
	    .ts = ts, .end = end, .thread = find_thread(s, ev)};
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	struct step_process *p;

	if (range_spec_is_part(&s->ends, (uint64_t)pid,
		(uint64_t)event_int(ev, KEY_tid, NO_ID), end))
		return;
	step.process = find_process(s, ev);
	p = &s->processes.all[step.process];
	step.number = p->steps++;
	if (step.number < s->spec->first || step.number > s->spec->last)
		return;
	s->dropped |= *r->dropped;
	if (*r->dropped)
		return;
	step.before = p->last;
	if (p->last == 0 || end > p->until)
		p->until = end;
	step.name = region_copy(&r->life, name);
	start_parts(s, &step);
	*array_add(&s->open, &s->open_count, &s->open_cap) = s->count;
	*array_add(&s->steps, &s->count, &s->cap) = step;
	p->last = s->count;
	if (s->watch != NULL)
		s->watch(s->watcher, ev, ts, end);
}

static void
add_range(struct report *r, const struct event *ev, int64_t ts, int64_t end)
{
	struct steps *s = r->state;
	struct span name;

	if (!event_has(ev, KEY_dur) || event_true(ev, KEY_open) ||
	    event_true(ev, KEY_cut))
		return;
	switch (range_spec_match_event(s->spec, ev, &r->scratch, &name)) {
	case PATTERN_YES:
		s->any = true;
		add_step(r, ev, ts, end, name);
		break;
	case PATTERN_NO:
		break;
	case PATTERN_GAVE_UP:
		errx(TQ_FAIL, "%s: a regular expression took too many steps",
		    r->kind->name);
	}
}

/*
 * The thread waits in [from, to]; drop its last wait if that is over and was in
 * no step.
 */
static void
add_wait(struct steps *s, const struct event *ev, int64_t from, int64_t to)
{
	size_t thread = find_thread(s, ev), process;
	struct device_waits *w = &s->threads.all[thread].waits;
	const struct step_process *p;
	int64_t needed = INT64_MIN;

	process = find_process(s, ev);
	p = &s->processes.all[process];
	if (p->last > 0)
		needed = p->until;
	if (w->count > 0 && w->all[w->count - 1].to < from &&
	    w->all[w->count - 1].from >= needed)
		w->count--;
	waits_add(w, from, to);
}

static void
add_call(struct steps *s, const struct event *ev, int64_t ts, int64_t end)
{
	if (api_call_waits(api_call_of_event(ev)))
		add_wait(s, ev, ts, end);
}

/* A device ends its idle time. */
static void
end_gap(struct steps *s, size_t process, const struct step_device *d,
    const struct event *ev, int64_t ts)
{
	struct step_gap g = {.process = process,
	    .part = d->part,
	    .from = device_time_busy(&d->time),
	    .call = ts,
	    .to = ts,
	    .thread = NO_THREAD};

	if (g.from >= ts)
		return;
	if (event_has(ev, KEY_api_ts)) {
		g.call = event_int(ev, KEY_api_ts, 0);
		if (event_has(ev, KEY_tid))
			g.thread = find_thread(s, ev);
	}
	divide_gap(s, &g);
}

static void
add_operation(struct steps *s, const struct event *ev, int64_t ts, int64_t end)
{
	size_t process = find_process(s, ev);
	struct step_device *d;
	enum device_class c;

	if (!device_time_class(ev, &c))
		return;
	if (waits_for_copy(ev)) {
		int64_t call = event_int(ev, KEY_api_ts, 0);

		add_wait(
		    s, ev, call, time_end(call, event_int(ev, KEY_api_dur, 0)));
	}
	d = find_device(
	    &s->processes.all[process], event_int(ev, KEY_device, 0));
	end_gap(s, process, d, ev, ts);
	device_time_add(&d->time, c, ts, end);
	for (size_t i = 0; i < s->open_count; i++) {
		struct training_step *step = &s->steps[s->open[i]];

		if (step->process != process)
			continue;
		add_parts(step, d->part + 1);
		device_time_add(&step->parts[d->part].time, c, ts, end);
	}
}

static void
steps_event(struct report *r, const struct event *ev)
{
	struct steps *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (!event_has(ev, KEY_ts))
		return;
	close_steps(s, ts);
	if (ev->kind == KIND_range)
		add_range(r, ev, ts, end);
	else if (ev->kind == KIND_api)
		add_call(s, ev, ts, end);
	else
		add_operation(s, ev, ts, end);
}

/* ---- the end of a section ---- */

/* a step of a process */
struct step_length {
	int64_t dur, number;
	size_t step; /* index */
};

static int
by_length(const void *pa, const void *pb)
{
	const struct step_length *a = pa, *b = pb;

	if (a->dur != b->dur)
		return a->dur < b->dur ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/*
 * Leave out all steps of a process but the median, as tq-filter does: without
 * the first if there are others, and of an even number the shorter of the
 * middle two.
 */
static void
choose_median(struct steps *s, const struct step_process *p)
{
	struct step_length *all = NULL;
	size_t n = 0, cap = 0, median = p->last;

	for (size_t i = p->last; i > 0; i = s->steps[i - 1].before) {
		struct training_step *step = &s->steps[i - 1];

		step->left_out = true;
		if (step->number == 0)
			continue;
		*array_add(&all, &n, &cap) = (struct step_length){
		    time_between(step->ts, step->end), step->number, i};
	}
	if (n > 0) {
		qsort(all, n, sizeof(*all), by_length);
		median = all[(n - 1) / 2].step;
	}
	if (median > 0)
		s->steps[median - 1].left_out = false;
	free(all);
}

/* Idle time that no operation ended. */
static void
divide_last_gaps(struct steps *s)
{
	for (size_t i = s->first_process; i < s->processes.count; i++) {
		const struct step_process *p = &s->processes.all[i];

		for (size_t n = 0; n < p->count; n++)
			divide_gap(s,
			    &(struct step_gap){.process = i,
				.part = p->devices[n].part,
				.from = device_time_busy(&p->devices[n].time),
				.call = INT64_MAX,
				.to = INT64_MAX,
				.thread = NO_THREAD});
	}
}

static void
steps_section_end(struct report *r)
{
	struct steps *s = r->state;

	close_steps(s, INT64_MAX);
	divide_last_gaps(s);
	for (; s->first < s->count; s->first++) {
		struct training_step *step = &s->steps[s->first];

		add_parts(step, s->processes.all[step->process].count + 1);
	}
	for (; s->first_process < s->processes.count; s->first_process++)
		if (s->spec->median)
			choose_median(s, &s->processes.all[s->first_process]);
	for (size_t i = 0; i < s->threads.count; i++)
		free(s->threads.all[i].waits.all);
	numbered_close(&s->processes);
	map_clear(&s->ends);
	numbered_clear(&s->threads);
}

/* ---- tables ---- */

/* the time of a step by part; the last two are parts of others */
enum {
	DURATION,
	COMPUTE,
	COMMUNICATION,
	COPY,
	IDLE,
	STARVED,
	SYNC,
	STALLED,
	ALL_COMMUNICATION,
	OVERLAPPED,
	VALUES
};

static const char *const names[VALUES] = {"Duration", "Compute",
    "Exposed Communication", "Exposed Copy", "Idle", "Starved", "Sync",
    "Stalled", "Communication", "Overlapped Communication"};

/* a - b; 0 where that does not fit */
static int64_t
less(int64_t a, int64_t b)
{
	return __builtin_sub_overflow(a, b, &a) ? 0 : a;
}

static void
list_values(const struct training_step *step, const struct step_device *d,
    int64_t v[VALUES])
{
	const struct step_part *p = &step->parts[d->part];

	v[DURATION] = v[IDLE] = time_between(step->ts, step->end);
	for (size_t i = 0; i < DEVICE_CLASSES; i++) {
		v[COMPUTE + i] = p->time.exposed[i];
		v[IDLE] = less(v[IDLE], p->time.exposed[i]);
	}
	v[SYNC] = p->sync;
	v[STALLED] = p->stalled;
	v[STARVED] = less(less(v[IDLE], p->sync), p->stalled);
	v[ALL_COMMUNICATION] = p->time.total[DEVICE_COMMUNICATION];
	v[OVERLAPPED] = less(v[ALL_COMMUNICATION], v[COMMUNICATION]);
}

/* If the command line names steps, the message for no step has the reason. */
static void
explain_missing(struct report *r)
{
	const struct steps *s = r->state;

	if (s->dropped && s->count == 0)
		r->missing = "no step overlaps the window, or is in the range";
	else if (r->settings->step.name != NULL && s->count == 0)
		r->missing = s->any ? "the stream has no step of that number"
				    : "no range in the stream is such a step";
}

static void
step_row(struct table *t, const struct training_step *step, int64_t pid,
    int64_t device, const int64_t v[VALUES])
{
	col_int(t, "Step", UNIT_NONE, step->number);
	col_text(t, "Name", step->name);
	col_id(t, "PID", pid);
	col_int(t, "Device", UNIT_NONE, device);
	col_int(t, "Start", UNIT_TIME, step->ts);
	for (size_t i = 0; i < VALUES; i++)
		col_int(t, names[i], UNIT_TIME, v[i]);
	col_share(t, "Overlap", v[OVERLAPPED], v[ALL_COMMUNICATION]);
}

static void
step_table(struct report *r, struct table *t)
{
	const struct steps *s = r->state;
	int64_t v[VALUES] = {0};

	explain_missing(r);
	col_heading(t, step_row, &(struct training_step){0}, 0, 0, v);
	for (size_t i = 0; i < s->count; i++) {
		const struct training_step *step = &s->steps[i];
		const struct step_process *p = &s->processes.all[step->process];

		for (size_t n = 0; n < p->count && !step->left_out; n++) {
			list_values(step, &p->devices[n], v);
			step_row(t, step, p->pid, p->devices[n].id, v);
		}
	}
}

static void
sum_row(struct table *t, int64_t pid, int64_t device, const char *part,
    struct dist *d, dist_wide all)
{
	int64_t min = 0, max = 0;
	long double median = 0, deviation = 0;

	if (!t->heading) {
		dist_sort(d);
		min = dist_min(d);
		max = dist_max(d);
		median = (long double)dist_median2(d) / 2;
		deviation = dist_stddev(d);
	}
	col_id(t, "PID", pid);
	col_int(t, "Device", UNIT_NONE, device);
	col_int(t, "Steps", UNIT_NONE, (int64_t)d->count);
	col_text(t, "Part", span_of(part));
	col_share(t, "Share", d->sum, all);
	col_real(t, "Med", UNIT_TIME, median, 1);
	col_int(t, "Min", UNIT_TIME, min);
	col_int(t, "Max", UNIT_TIME, max);
	col_real(t, "StdDev", UNIT_TIME, deviation, 1);
	col_share(t, "Spread", max, min);
}

/* A row for each part; the first step of a process is not like the others. */
static void
sum_rows(const struct steps *s, struct table *t, size_t process,
    const struct step_device *device)
{
	int64_t pid = s->processes.all[process].pid;
	struct dist d[VALUES] = {{0}};
	int64_t v[VALUES];

	for (size_t i = 0; i < s->count; i++) {
		const struct training_step *step = &s->steps[i];

		if (step->process != process || step->number == 0 ||
		    step->left_out)
			continue;
		list_values(step, device, v);
		for (size_t n = 0; n < VALUES; n++)
			dist_add(&d[n], v[n]);
	}
	for (size_t n = 0; n < VALUES && d[n].count > 0; n++)
		sum_row(t, pid, device->id, names[n], &d[n], d[DURATION].sum);
	for (size_t n = 0; n < VALUES; n++)
		dist_free(&d[n]);
}

static void
sum_table(struct report *r, struct table *t)
{
	const struct steps *s = r->state;

	explain_missing(r);
	col_heading(t, sum_row, 0, 0, "", &(struct dist){0}, 0);
	for (size_t i = 0; i < s->processes.count; i++)
		for (size_t n = 0; n < s->processes.all[i].count; n++)
			sum_rows(s, t, i, &s->processes.all[i].devices[n]);
}

/* ---- for the page ---- */

static struct step_account
account_of(const struct steps *s, const struct training_step *step)
{
	const struct step_process *p = &s->processes.all[step->process];
	struct step_account a = {.number = step->number,
	    .dur = time_between(step->ts, step->end),
	    .devices = (int64_t)p->count,
	    .name = step->name};
	int64_t v[VALUES];

	for (size_t n = 0; n < p->count; n++) {
		list_values(step, &p->devices[n], v);
		for (size_t c = 0; c < DEVICE_CLASSES; c++)
			a.time[c] = time_end(a.time[c], v[COMPUTE + c]);
		a.starved = time_end(a.starved, v[STARVED]);
		a.sync = time_end(a.sync, v[SYNC]);
		a.stalled = time_end(a.stalled, v[STALLED]);
	}
	return a;
}

void
step_set_watch(struct report *r, step_watch *watch, void *watcher)
{
	struct steps *s = r->state;

	s->watch = watch;
	s->watcher = watcher;
}

struct step_account *
step_accounts(const struct report *r, size_t *count)
{
	const struct steps *s = r->state;
	struct step_account *all = NULL;
	size_t cap = 0;

	*count = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct training_step *step = &s->steps[i];
		const struct step_process *p = &s->processes.all[step->process];

		if (p->count > 0 && !step->left_out &&
		    (step->number > 0 || p->last == i + 1))
			*array_add(&all, count, &cap) = account_of(s, step);
	}
	return all;
}

/* ---- reports ---- */

void
step_choose(struct report_settings *settings, const char *text)
{
	const char *bad;
	size_t at;

	settings->step_text = text;
	range_spec_free(&settings->step);
	if (range_spec_parse_step(&settings->step, text, &at) == NULL)
		return;
	bad = range_spec_parse(&settings->step, text, &at); /* all of a name */
	if (bad != NULL) {
		expr_complain_at(span_of(text), at, bad);
		exit(TQ_USAGE);
	}
}

static void
steps_open(struct report *r)
{
	struct steps *s = r->state;
	size_t at;

	s->spec = &r->settings->step;
	if (s->spec->name == NULL) {
		range_spec_parse_step(&s->standard, "0..", &at);
		s->spec = &s->standard;
	}
}

static void
steps_close(struct report *r)
{
	struct steps *s = r->state;

	for (size_t i = 0; i < s->processes.count; i++)
		free(s->processes.all[i].devices);
	for (size_t i = 0; i < s->count; i++)
		free(s->steps[i].parts);
	numbered_free(&s->processes);
	map_free(&s->ends);
	numbered_free(&s->threads);
	free(s->steps);
	free(s->open);
	free(s->ended);
	range_spec_free(&s->standard);
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_domain, KEY_open, KEY_cut, KEY_NONE};
static const enum key work_keys[] = {KEY_device, KEY_category, KEY_src, KEY_dst,
    KEY_api_ts, KEY_api_dur, KEY_NONE};

#define STEPS \
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | \
		 KINDS(graph) | KINDS(api) | KINDS(range), \
	.whole = true, .keys = keys, .work_keys = work_keys, \
	.size = sizeof(struct steps), .open = steps_open, \
	.event = steps_event, .section_end = steps_section_end, \
	.close = steps_close

const struct report_kind step_reports[] = {
    {.name = "step",
	.title = "Training Steps",
	.missing = "no step with operations of its process in the stream",
	.table = step_table,
	STEPS},
    {.name = "step_sum",
	.title = "Training Steps without the First",
	.missing =
	    "no two steps with operations of their process in the stream",
	.table = sum_table,
	STEPS},
    {0},
};
