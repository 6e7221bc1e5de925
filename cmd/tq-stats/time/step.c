/*
 * step.c - what the devices did in each training step
 *
 * A step is a range that is called as one, of any domain, or what --step
 * names; one that lies within another of its thread is a part of that.  What
 * was cut or never ended is left out, since what it holds is not known.
 *
 * Time is divided as operations come: each open step has an account for each
 * device of its process, which is closed at the very end of the step.  A
 * device that is seen later did nothing until then, so that it gets a copy of
 * the account of a device that never does anything.
 *
 * Idle time counts as if nothing was launched until an operation ends it, and
 * tells when its call began: from then on the device stalled, also in steps
 * that are over.  So of each thread the calls that wait are kept where they
 * are in a step, 24 bytes each.
 */

#include <err.h>
#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/io/status.h"

#include "step.h"

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
	s->processes[s->process_count++] = (struct step_process){.pid = pid};
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
	s->threads[s->thread_count++] =
	    (struct step_thread){.step_until = INT64_MIN};
	*slot = s->thread_count;
	return *slot - 1;
}

/* they are kept in order of id */
static struct step_device *
device_of(struct step_process *p, int64_t id)
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

/* how far a device is busy without a gap */
static int64_t
busy_until(const struct device_time *d)
{
	int64_t until = d->until[0];

	for (size_t i = 1; i < DEVICE_CLASSES; i++)
		if (until < d->until[i])
			until = d->until[i];
	return until;
}

/* up to ts; what the device does goes on without a gap */
static void
advance_part(struct step_part *p, const struct step_thread *t, int64_t ts)
{
	int64_t from = busy_until(&p->time);

	if (from < p->time.now)
		from = p->time.now;
	p->sync += step_waits_time(&t->waits, from, ts);
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

/*
 * The device had nothing to do from one time to the other, where something was
 * launched already: in all steps that know of this time.
 */
static void
stall(struct steps *s, size_t process, size_t part, int64_t from, int64_t to)
{
	size_t i = s->processes[process].last;

	for (; i > 0 && s->steps[i - 1].until > from;
	     i = s->steps[i - 1].before) {
		struct step *step = &s->steps[i - 1];
		int64_t since = step->ts > from ? step->ts : from;
		int64_t until = step->end < to ? step->end : to;

		if (since >= until)
			continue;
		add_parts(step, part + 1);
		step->parts[part].stalled += until - since;
		step->parts[part].sync -= step_waits_time(
		    &s->threads[step->thread].waits, since, until);
	}
}

static void
start_parts(struct steps *s, struct step *step)
{
	const struct step_process *p = &s->processes[step->process];

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
add_step(struct steps *s, const struct event *ev, int64_t ts, int64_t end,
    struct span name)
{
	struct step step = {
	    .ts = ts, .end = end, .until = end, .thread = thread_of(s, ev)};
	struct step_thread *t = &s->threads[step.thread];
	struct step_process *p;

	/* those of a thread come in order of start, the longer first */
	if (end <= t->step_until)
		return;
	t->step_until = end;
	step.process = process_of(s, event_int(ev, KEY_pid, NO_ID));
	p = &s->processes[step.process];
	step.number = p->steps++;
	if (step.number < s->spec->first || step.number > s->spec->last)
		return;
	step.before = p->last;
	if (p->last > 0 && step.until < s->steps[p->last - 1].until)
		step.until = s->steps[p->last - 1].until;
	step.name = s->texts.len;
	step.name_len = name.len;
	text_add_span(&s->texts, name);
	start_parts(s, &step);
	s->steps = room(s->steps, s->count, &s->cap, sizeof(*s->steps));
	s->open = room(s->open, s->open_count, &s->open_cap, sizeof(*s->open));
	s->open[s->open_count++] = s->count;
	s->steps[s->count++] = step;
	p->last = s->count;
}

static void
range(struct report *r, const struct event *ev, int64_t ts, int64_t end)
{
	struct steps *s = r->state;
	struct span name, domain;

	if (!event_has(ev, KEY_dur) || event_true(ev, KEY_open) ||
	    event_true(ev, KEY_cut))
		return;
	/* both may be decoded to scratch, where the first must not move */
	s->scratch.len = 0;
	text_reserve(
	    &s->scratch, ev->value[KEY_name].len + ev->value[KEY_domain].len);
	name = event_str(ev, KEY_name, &s->scratch);
	domain = event_str(ev, KEY_domain, &s->scratch);
	switch (range_spec_match(s->spec, name, domain)) {
	case PATTERN_YES:
		s->any = true;
		add_step(s, ev, ts, end, name);
		break;
	case PATTERN_NO:
		break;
	case PATTERN_GAVE_UP:
		errx(TQ_FAIL, "%s: a regular expression took too many steps",
		    r->kind->name);
	}
}

static void
call(struct steps *s, const struct event *ev, int64_t ts, int64_t end)
{
	struct span name = ev->value[KEY_name];
	struct step_thread *t;
	size_t thread;

	if (!event_has(ev, KEY_name) ||
	    memmem(name.p, name.len, "Synchronize", 11) == NULL)
		return;
	thread = thread_of(s, ev); /* may move them */
	t = &s->threads[thread];
	step_waits_add(&t->waits, ts, end, t->step_until);
}

/* the next operation of a device comes: since when was it launched? */
static void
end_gap(struct steps *s, size_t process, const struct step_device *d,
    const struct event *ev, int64_t ts)
{
	int64_t from = busy_until(&d->time), call;

	if (!event_has(ev, KEY_api_ts))
		return;
	call = event_int(ev, KEY_api_ts, 0);
	if (from < call)
		from = call;
	if (from < ts)
		stall(s, process, d->part, from, ts);
}

static void
operation(struct steps *s, const struct event *ev, int64_t ts, int64_t end)
{
	size_t process = process_of(s, event_int(ev, KEY_pid, NO_ID));
	struct step_device *d;
	enum device_class c;

	if (!device_time_class(ev, &c))
		return;
	if (end == INT64_MAX) /* as device_time has it */
		end = ts;
	d = device_of(&s->processes[process], event_int(ev, KEY_device, 0));
	end_gap(s, process, d, ev, ts);
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
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (!event_has(ev, KEY_ts))
		return;
	close_steps(s, ts);
	if (ev->kind == KIND_range)
		range(r, ev, ts, end);
	else if (ev->kind == KIND_api)
		call(s, ev, ts, end);
	else
		operation(s, ev, ts, end);
}

/* ---- the end of a section ---- */

static void
section_end(struct report *r)
{
	struct steps *s = r->state;

	close_steps(s, INT64_MAX);
	for (; s->first < s->count; s->first++) {
		struct step *step = &s->steps[s->first];

		add_parts(step, s->processes[step->process].count + 1);
	}
	for (; s->first_process < s->process_count; s->first_process++)
		if (s->spec->median)
			step_choose_median(s, &s->processes[s->first_process]);
	for (size_t i = 0; i < s->thread_count; i++)
		step_waits_free(&s->threads[i].waits);
	map_clear(&s->by_pid);
	map_clear(&s->by_thread);
	s->thread_count = 0;
}

/* ---- reports ---- */

static void
open_report(struct report *r)
{
	struct steps *s = r->state;
	size_t at;

	s->spec = &r->ask->step;
	if (s->spec->name == NULL) {
		range_spec_parse_step(&s->standard, "0..", &at);
		s->spec = &s->standard;
	}
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
	range_spec_free(&s->standard);
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_domain, KEY_open, KEY_cut, KEY_NONE};
static const enum key work_keys[] = {
    KEY_device, KEY_category, KEY_api_ts, KEY_NONE};

#define STEPS \
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | \
		 KINDS(graph) | KINDS(api) | KINDS(range), \
	.keys = keys, .work_keys = work_keys, .size = sizeof(struct steps), \
	.open = open_report, .event = event, .section_end = section_end, \
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
	    "no two steps with operations of their process in the stream",
	.table = step_sum_table,
	STEPS},
    {0},
};
