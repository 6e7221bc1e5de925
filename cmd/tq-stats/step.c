/*
 * step.c - what the devices did in each training step
 *
 * A step is a range that is called as one, of any domain; one that lies within
 * another of its thread is a part of that.  What was cut or never ended is left
 * out, since what it holds is not known.
 *
 * Time is divided as operations come: each open step has an account for each
 * device of its process, which is closed at the very end of the step.  A
 * device that is seen later did nothing until then, so that it gets a copy of
 * the account of a device that never does anything.
 */

#include <stdlib.h>

#include "tq/mem.h"
#include "tq/pattern.h"
#include "tq/window.h"

#include "device_time.h"
#include "report.h"

/* the account of a device in a step */
struct part {
	struct device_time time;
	int64_t sync; /* it was idle, and the host waited */
};

/* a device of a process, in a section */
struct device {
	int64_t id;
	size_t part; /* its place in the parts of a step */
	struct device_time time;
};

struct process {
	int64_t pid;
	int64_t steps; /* so far */
	struct device *devices;
	size_t count;
};

struct thread {
	int64_t sync_until; /* a call waits */
	int64_t step_until; /* within which all steps are parts */
};

struct step {
	size_t process, thread;
	int64_t number, ts, end;
	size_t name, name_len; /* in texts */
	struct part *parts;    /* the first: of no device */
	size_t count;
};

struct steps {
	struct pattern *names;
	struct map by_pid, by_thread; /* of the section -> index + 1 */
	struct process *processes;
	size_t process_count, process_cap;
	struct thread *threads; /* of the section */
	size_t thread_count, thread_cap;
	struct step *steps;
	size_t count, cap;
	size_t *open; /* steps that may go on */
	size_t open_count, open_cap;
	size_t first; /* of the steps of the section */
	struct text texts, scratch;
};

/* p, with room for one more than count */
static void *
room(void *p, size_t count, size_t *cap, size_t size)
{
	if (count < *cap)
		return p;
	*cap = *cap * 2 + 8;
	return mem_resize(p, *cap, size);
}

/* ---- who it was ---- */

static size_t
process_of(struct steps *s, int64_t pid)
{
	uint64_t *slot = map_get(&s->by_pid, (uint64_t)pid, 0);

	if (*slot != 0)
		return *slot - 1;
	s->processes = room(s->processes, s->process_count, &s->process_cap,
	    sizeof(*s->processes));
	s->processes[s->process_count++] = (struct process){.pid = pid};
	*slot = s->process_count;
	return *slot - 1;
}

static size_t
thread_of(struct steps *s, const struct event *ev)
{
	uint64_t *slot =
	    map_get(&s->by_thread, (uint64_t)event_int(ev, KEY_pid, NO_ID),
		(uint64_t)event_int(ev, KEY_tid, NO_ID));

	if (*slot != 0)
		return *slot - 1;
	s->threads = room(
	    s->threads, s->thread_count, &s->thread_cap, sizeof(*s->threads));
	s->threads[s->thread_count++] = (struct thread){INT64_MIN, INT64_MIN};
	*slot = s->thread_count;
	return *slot - 1;
}

/* they are kept in order of id */
static struct device *
device_of(struct process *p, int64_t id)
{
	size_t i = 0;

	while (i < p->count && p->devices[i].id < id)
		i++;
	if (i < p->count && p->devices[i].id == id)
		return &p->devices[i];
	p->devices = mem_resize(p->devices, p->count + 1, sizeof(*p->devices));
	memmove(&p->devices[i + 1], &p->devices[i],
	    (p->count++ - i) * sizeof(*p->devices));
	p->devices[i] = (struct device){.id = id, .part = p->count};
	device_time_begin(&p->devices[i].time, INT64_MIN);
	return &p->devices[i];
}

/* ---- time ---- */

/* up to ts; what the device and the thread do goes on without a gap */
static void
advance_part(struct part *p, const struct thread *t, int64_t ts)
{
	int64_t from = p->time.now, to = t->sync_until;

	for (size_t i = 0; i < DEVICE_CLASSES; i++)
		if (from < p->time.until[i])
			from = p->time.until[i];
	if (to > ts)
		to = ts;
	if (from < to)
		p->sync += to - from;
	device_time_advance(&p->time, ts);
}

static void
advance(const struct steps *s, struct step *step, int64_t ts)
{
	for (size_t i = 0; i < step->count; i++)
		advance_part(&step->parts[i], &s->threads[step->thread], ts);
}

/* each device that is known by now has an account */
static void
add_parts(struct step *step, size_t count)
{
	if (step->count >= count)
		return;
	step->parts = mem_resize(step->parts, count, sizeof(*step->parts));
	while (step->count < count)
		step->parts[step->count++] = step->parts[0];
}

/* what ends before or at ts is over */
static void
close_steps(struct steps *s, int64_t ts)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->open_count; i++) {
		struct step *step = &s->steps[s->open[i]];

		if (step->end > ts)
			s->open[kept++] = s->open[i];
		else
			advance(s, step, step->end);
	}
	s->open_count = kept;
}

static void
start_parts(struct steps *s, struct step *step)
{
	const struct process *p = &s->processes[step->process];

	step->parts = mem_alloc(sizeof(*step->parts));
	step->count = 1;
	device_time_begin(&step->parts[0].time, step->ts);
	add_parts(step, p->count + 1);
	for (size_t i = 0; i < p->count; i++)
		for (size_t c = 0; c < DEVICE_CLASSES; c++) {
			const struct device *d = &p->devices[i];
			int64_t *until = &step->parts[d->part].time.until[c];

			if (*until < d->time.until[c])
				*until = d->time.until[c];
		}
}

/* ---- records ---- */

static void
add_step(struct steps *s, const struct event *ev, int64_t ts, int64_t end,
    struct span name)
{
	struct step step = {.ts = ts, .end = end, .thread = thread_of(s, ev)};
	struct thread *t = &s->threads[step.thread];

	/* those of a thread come in order of start, the longer first */
	if (end <= t->step_until)
		return;
	t->step_until = end;
	step.process = process_of(s, event_int(ev, KEY_pid, NO_ID));
	step.number = s->processes[step.process].steps++;
	step.name = s->texts.len;
	step.name_len = name.len;
	text_add_span(&s->texts, name);
	start_parts(s, &step);
	s->steps = room(s->steps, s->count, &s->cap, sizeof(*s->steps));
	s->open = room(s->open, s->open_count, &s->open_cap, sizeof(*s->open));
	s->open[s->open_count++] = s->count;
	s->steps[s->count++] = step;
}

static void
range(struct steps *s, const struct event *ev, int64_t ts, int64_t end)
{
	struct span name;

	if (!event_has(ev, KEY_dur) || event_true(ev, KEY_open) ||
	    event_true(ev, KEY_cut))
		return;
	s->scratch.len = 0;
	name = event_str(ev, KEY_name, &s->scratch);
	if (pattern_match(s->names, name) == PATTERN_YES)
		add_step(s, ev, ts, end, name);
}

static void
call(struct steps *s, const struct event *ev, int64_t ts, int64_t end)
{
	struct span name = ev->value[KEY_name];
	size_t thread;

	if (!event_has(ev, KEY_name) ||
	    memmem(name.p, name.len, "Synchronize", 11) == NULL)
		return;
	thread = thread_of(s, ev);
	for (size_t i = 0; i < s->open_count; i++)
		if (s->steps[s->open[i]].thread == thread)
			advance(s, &s->steps[s->open[i]], ts);
	if (s->threads[thread].sync_until < end)
		s->threads[thread].sync_until = end;
}

static void
operation(struct steps *s, const struct event *ev, int64_t ts, int64_t end)
{
	size_t process = process_of(s, event_int(ev, KEY_pid, NO_ID));
	struct device *d;
	enum device_class c;

	if (!device_time_class(ev, &c))
		return;
	if (end == INT64_MAX) /* as device_time has it */
		end = ts;
	d = device_of(&s->processes[process], event_int(ev, KEY_device, 0));
	device_time_add(&d->time, c, ts, end);
	for (size_t i = 0; i < s->open_count; i++) {
		struct step *step = &s->steps[s->open[i]];

		if (step->process != process)
			continue;
		add_parts(step, d->part + 1);
		advance_part(
		    &step->parts[d->part], &s->threads[step->thread], ts);
		device_time_add(&step->parts[d->part].time, c, ts, end);
	}
}

static void
event(struct report *r, const struct event *ev)
{
	struct steps *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = end_of_event(ev, ts);

	if (!event_has(ev, KEY_ts))
		return;
	close_steps(s, ts);
	if (ev->kind == KIND_range)
		range(s, ev, ts, end);
	else if (ev->kind == KIND_api)
		call(s, ev, ts, end);
	else
		operation(s, ev, ts, end);
}

static void
section_end(struct report *r)
{
	struct steps *s = r->state;

	close_steps(s, INT64_MAX);
	for (; s->first < s->count; s->first++) {
		struct step *step = &s->steps[s->first];

		add_parts(step, s->processes[step->process].count + 1);
	}
	map_clear(&s->by_pid);
	map_clear(&s->by_thread);
	s->thread_count = 0;
}

/* ---- step ---- */

enum { DURATION, COMPUTE, COMMUNICATION, COPY, IDLE, SYNC, HOST, VALUES };

static void
values(const struct step *step, const struct device *d, int64_t v[VALUES])
{
	const struct part *p = &step->parts[d->part];

	v[DURATION] = v[IDLE] = step->end - step->ts;
	for (size_t i = 0; i < DEVICE_CLASSES; i++) {
		v[COMPUTE + i] = p->time.exposed[i];
		v[IDLE] -= p->time.exposed[i];
	}
	v[SYNC] = p->sync;
	v[HOST] = v[IDLE] - p->sync;
}

static void
percent(struct table *t, dist_wide part, dist_wide all)
{
	if (all > 0)
		table_real(t, 100 * (long double)part / (long double)all, 1);
	else
		table_empty(t);
}

static void
row(const struct steps *s, struct table *t, const struct step *step,
    const struct device *d)
{
	const struct device_time *time = &step->parts[d->part].time;
	int64_t all = time->total[DEVICE_COMMUNICATION], v[VALUES];

	values(step, d, v);
	table_int(t, step->number);
	table_text(t, (struct span){s->texts.p + step->name, step->name_len});
	table_id(t, s->processes[step->process].pid);
	table_int(t, d->id);
	table_int(t, step->ts);
	for (size_t i = DURATION; i <= IDLE; i++)
		table_int(t, v[i]);
	table_int(t, all);
	percent(t, all - v[COMMUNICATION], all);
	table_int(t, v[SYNC]);
	table_int(t, v[HOST]);
}

static void
step_table(struct report *r, struct table *t)
{
	static const char *const times[] = {"Start", "Duration", "Compute",
	    "Exposed Communication", "Exposed Copy", "Idle", "Communication"};
	const struct steps *s = r->state;

	table_column(t, "Step", UNIT_NONE);
	table_text_column(t, "Name");
	table_column(t, "PID", UNIT_NONE);
	table_column(t, "Device", UNIT_NONE);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		table_column(t, times[i], UNIT_TIME);
	table_column(t, "Overlap", UNIT_PERCENT);
	table_column(t, "Sync", UNIT_TIME);
	table_column(t, "Host", UNIT_TIME);
	for (size_t i = 0; i < s->count; i++) {
		const struct process *p = &s->processes[s->steps[i].process];

		for (size_t n = 0; n < p->count; n++)
			row(s, t, &s->steps[i], &p->devices[n]);
	}
}

/* ---- step_sum ---- */

/* a row for each part; the first step of a process is not like the others */
static void
sum_rows(const struct steps *s, struct table *t, size_t process,
    const struct device *device)
{
	static const char *const names[VALUES] = {"Duration", "Compute",
	    "Exposed Communication", "Exposed Copy", "Idle", "Sync", "Host"};
	struct dist d[VALUES] = {{0}};
	int64_t v[VALUES];

	for (size_t i = 0; i < s->count; i++)
		if (s->steps[i].process == process && s->steps[i].number > 0) {
			values(&s->steps[i], device, v);
			for (size_t n = 0; n < VALUES; n++)
				dist_add(&d[n], v[n]);
		}
	for (size_t n = 0; n < VALUES && d[n].count > 0; n++) {
		dist_sort(&d[n]);
		table_id(t, s->processes[process].pid);
		table_int(t, device->id);
		table_int(t, (int64_t)d[n].count);
		table_text(t, span_of(names[n]));
		percent(t, d[n].sum, d[DURATION].sum);
		table_real(t, (long double)dist_median2(&d[n]) / 2, 1);
		table_int(t, dist_min(&d[n]));
		table_int(t, dist_max(&d[n]));
		percent(t, dist_max(&d[n]), dist_min(&d[n]));
	}
	for (size_t n = 0; n < VALUES; n++)
		dist_free(&d[n]);
}

static void
sum_table(struct report *r, struct table *t)
{
	const struct steps *s = r->state;

	table_column(t, "PID", UNIT_NONE);
	table_column(t, "Device", UNIT_NONE);
	table_column(t, "Steps", UNIT_NONE);
	table_text_column(t, "Part");
	table_column(t, "Share", UNIT_PERCENT);
	table_column(t, "Med", UNIT_TIME);
	table_column(t, "Min", UNIT_TIME);
	table_column(t, "Max", UNIT_TIME);
	table_column(t, "Spread", UNIT_PERCENT);
	for (size_t i = 0; i < s->process_count; i++)
		for (size_t n = 0; n < s->processes[i].count; n++)
			sum_rows(s, t, i, &s->processes[i].devices[n]);
}

/* ---- both ---- */

static void
open_report(struct report *r)
{
	struct steps *s = r->state;
	const char *error;
	size_t at;

	s->names = pattern_regex(span_of(WINDOW_STEPS), false, &error, &at);
}

static void
close_report(struct report *r)
{
	struct steps *s = r->state;

	for (size_t i = 0; i < s->process_count; i++)
		free(s->processes[i].devices);
	for (size_t i = 0; i < s->count; i++)
		free(s->steps[i].parts);
	free(s->processes);
	free(s->threads);
	free(s->steps);
	free(s->open);
	map_free(&s->by_pid);
	map_free(&s->by_thread);
	text_free(&s->texts);
	text_free(&s->scratch);
	pattern_free(s->names);
}

static const enum key keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open, KEY_cut, KEY_NONE};
static const enum key work_keys[] = {KEY_device, KEY_category, KEY_NONE};

#define STEPS                                                               \
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) |            \
		 KINDS(graph) | KINDS(api) | KINDS(range),                  \
	.keys = keys, .work_keys = work_keys, .size = sizeof(struct steps), \
	.open = open_report, .event = event, .section_end = section_end,    \
	.close = close_report

const struct report_kind report_step[] = {
    {.name = "step",
     .title = "Training Steps",
     .missing = "no step with operations of its process in the stream",
     .table = step_table,
     STEPS},
    {.name = "step_sum",
     .title = "Training Steps but the First",
     .missing =
	    "no two steps with operations of their process in the stream", .table = sum_table,
     STEPS},
    {0							    },
};
