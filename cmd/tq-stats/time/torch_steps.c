/*
 * torch_steps.c - the steps of PyTorch's profiler, ranges ProfilerStep#N
 *
 * An operation belongs to the step in which its API call started, on whatever
 * thread of the process and whenever it ran, but before the step.  A step is
 * held, about 200 bytes, and no operation.
 */

#include <ctype.h>
#include <stdlib.h>

#include "tq/account/device_time.h"
#include "tq/base/lower_bound.h"
#include "tq/base/numbered.h"
#include "tq/names/model.h"

#include "ranges/self.h"
#include "tq/show/col.h"
#include "report.h"

struct torch_step {
	int64_t number, pid, tid, ts, end;
	int64_t latest;          /* end of it and of all before it */
	size_t before;           /* one of its process: index + 1, or 0 */
	struct device_time time; /* of any device, all of it compute */
};

/* a process of the section; its steps in order of start */
struct torch_process {
	size_t *steps; /* indices */
	size_t count, cap;
};

struct torch_steps {
	struct torch_step *all;
	size_t count, cap;
	size_t first; /* of the section */
	NUMBERED(struct torch_process) processes;
	bool correlated;
};

/* ---- records ---- */

/* The number of ProfilerStep#N, the beginning of a name; false for others. */
static bool
step_number(struct span name, int64_t *n)
{
	static const char start[] = "ProfilerStep#";
	size_t i = sizeof(start) - 1;

	*n = 0;
	if (!span_begins(name, span_of(start)) || i == name.len ||
	    !isdigit((unsigned char)name.p[i]))
		return false;
	for (; i < name.len && isdigit((unsigned char)name.p[i]); i++)
		if (__builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, name.p[i] - '0', n))
			return false;
	return true;
}

static struct torch_process *
find_process(struct torch_steps *s, const struct event *ev)
{
	bool fresh;
	struct torch_process *p =
	    numbered_get(&s->processes, model_process(ev), &fresh);

	if (fresh)
		*p = (struct torch_process){0};
	return p;
}

static void
add_step(struct report *r, const struct event *ev)
{
	struct torch_steps *s = r->state;
	struct torch_step step = {.pid = event_int(ev, KEY_pid, NO_ID),
	    .tid = event_int(ev, KEY_tid, NO_ID),
	    .ts = event_int(ev, KEY_ts, 0)};
	struct torch_process *p;

	r->scratch.len = 0;
	if (!event_has(ev, KEY_dur) ||
	    !step_number(event_str(ev, KEY_name, &r->scratch), &step.number))
		return;
	step.end = step.latest = event_end(ev, step.ts);
	p = find_process(s, ev);
	if (p->count > 0 && s->all[p->steps[p->count - 1]].latest > step.end)
		step.latest = s->all[p->steps[p->count - 1]].latest;
	device_time_begin(&step.time, INT64_MIN);
	*array_add(&p->steps, &p->count, &p->cap) = s->count;
	*array_add(&s->all, &s->count, &s->cap) = step;
}

/* The steps that were open when the call started, which are a few. */
static void
add_operation(struct torch_steps *s, const struct event *ev)
{
	const struct torch_process *p =
	    numbered_find(&s->processes, model_process(ev));
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	int64_t call = event_int(ev, KEY_api_ts, 0);
	size_t i;

	if (!event_has(ev, KEY_api_ts) || p == NULL)
		return;
	LOWER_BOUND(i, 0, p->count, s->all[p->steps[i]].ts <= call);
	for (; i > 0 && s->all[p->steps[i - 1]].latest > call; i--) {
		struct torch_step *step = &s->all[p->steps[i - 1]];

		if (call < step->end)
			device_time_add(&step->time, DEVICE_COMPUTE, ts, end);
	}
}

static void
torch_event(struct report *r, const struct event *ev)
{
	struct torch_steps *s = r->state;

	s->correlated |= self_correlated(ev);
	if (ev->kind == KIND_range)
		add_step(r, ev);
	else if (event_has(ev, KEY_ts))
		add_operation(s, ev);
}

static void
torch_section_end(struct report *r)
{
	struct torch_steps *s = r->state;

	for (; s->first < s->count; s->first++)
		device_time_end(&s->all[s->first].time, r->wall->to);
	for (size_t i = 0; i < s->processes.count; i++)
		free(s->processes.all[i].steps);
	numbered_clear(&s->processes);
}

/* ---- the table ---- */

static void
torch_row(struct table *t, const struct torch_step *step)
{
	const struct device_time *time = &step->time;

	col_int(t, "Step", UNIT_NONE, step->number);
	col_id(t, "PID", step->pid);
	col_id(t, "TID", step->tid);
	col_int(t, "Start", UNIT_TIME, step->ts);
	col_int(t, "Duration", UNIT_TIME, time_between(step->ts, step->end));
	col_int(t, "GPU Ops", UNIT_NONE, time->ops);
	col_int(t, "GPU Busy", UNIT_TIME, time->total[DEVICE_COMPUTE]);
}

static void
torch_table(struct report *r, struct table *t)
{
	const struct torch_steps *s = r->state;

	col_heading(t, torch_row, &(struct torch_step){0});
	for (size_t i = 0; i < s->count && s->correlated; i++)
		torch_row(t, &s->all[i]);
}

static void
torch_close(struct report *r)
{
	struct torch_steps *s = r->state;

	for (size_t i = 0; i < s->processes.count; i++)
		free(s->processes.all[i].steps);
	numbered_free(&s->processes);
	free(s->all);
}

static const enum key work_keys[] = {KEY_api_ts, KEY_NONE};

const struct report_kind torch_steps[] = {
    {.name = "torch_steps",
	.question = ASKS_STEPS,
	.row_parts = true,
	.title = "Steps of PyTorch's Profiler",
	.missing = "no range ProfilerStep# in the stream",
	.correlated = true,
	.wall = true,
	.kinds = KINDS(range) | KINDS(kernel) | KINDS(memcpy) | KINDS(memset) |
		 KINDS(graph),
	.keys = KEYS(
	    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_depth, KEY_open),
	.work_keys = work_keys,
	.size = sizeof(struct torch_steps),
	.event = torch_event,
	.section_end = torch_section_end,
	.table = torch_table,
	.close = torch_close},
    {0},
};
