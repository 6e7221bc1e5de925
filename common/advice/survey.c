/* survey.c - what a first pass over the stream finds out */

#include <err.h>
#include <stdlib.h>

#include "tq/base/time.h"
#include "tq/io/status.h"

#include "tq/advice/survey.h"

/* names that training loops give to their steps, of any index */
static const char steps[] = "0..";

void
survey_open(struct survey *s)
{
	size_t at;

	if (range_spec_parse_step(&s->step, steps, &at) != NULL)
		errx(TQ_FAIL, "no steps");
	for (size_t i = 0; i < s->excess.rules->count; i++)
		s->asks_runs |= s->excess.rules->all[i].asks_runs;
}

void
survey_keys(const struct survey *s, struct keyset *want)
{
	static const enum key keys[] = {
	    KEY_kind, KEY_ts, KEY_dur, KEY_open, KEY_pid, KEY_device, KEY_NONE};

	for (size_t k = 0; k <= KIND_COUNT; k++)
		keyset_add_all(&want[k], keys);
	keyset_add(&want[KIND_device], KEY_sms);
	keyset_add(&want[KIND_device], KEY_cc);
	keyset_add(&want[KIND_range], KEY_name);
	keyset_add(&want[KIND_range], KEY_domain);
	keyset_add(&want[KIND_lost], KEY_count);
	workload_keys(want);
	if (s->asks_runs)
		runs_keys(want);
	excess_keys(&s->excess, want);
}

void
survey_section(struct survey *s)
{
	s->section++;
}

/* A key of two words for (section, pid). */
static uint64_t
process_number(struct survey *s, int64_t pid)
{
	return map_number(&s->processes, s->section, (uint64_t)pid);
}

static struct survey_device *
get_device(struct survey *s, const struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t device = event_int(ev, KEY_device, 0);
	bool fresh;
	struct survey_device *d = keyed_get(
	    &s->device, process_number(s, pid), (uint64_t)device, &fresh);

	if (fresh)
		*d = (struct survey_device){.section = s->section,
		    .pid = pid,
		    .device = device,
		    .first = INT64_MAX,
		    .until = INT64_MIN};
	return d;
}

/* The number of the process's step so far; 0: none. */
static int64_t
step_of(const struct survey *s, const struct event *ev)
{
	const struct survey_steps *x =
	    survey_find_steps(s, s->section, event_int(ev, KEY_pid, NO_ID));

	return x != NULL ? x->count : 0;
}

static void
add_operation(struct survey *s, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	struct survey_device *d = get_device(s, ev);
	size_t device = (size_t)(d - s->device.all);

	workload_add(&s->workload, device, ev, step_of(s, ev));
	if (s->asks_runs)
		runs_count(&s->runs, device, ev);
	excess_count(&s->excess, device, ev);
	s->ops++;
	s->devices += d->first == INT64_MAX;
	if (end == INT64_MAX)
		end = ts;
	if (d->first > ts)
		d->first = ts;
	if (d->until < end)
		d->until = end;
}

static void
add_range(struct survey *s, const struct event *ev)
{
	struct survey_steps *steps_of;
	bool fresh;

	s->name.len = s->domain.len = 0;
	if (range_spec_match(&s->step, event_str(ev, KEY_name, &s->name),
		event_str(ev, KEY_domain, &s->domain)) != PATTERN_YES)
		return;
	steps_of = keyed_get(&s->step_list,
	    process_number(s, event_int(ev, KEY_pid, NO_ID)), 0, &fresh);
	if (fresh)
		*steps_of = (struct survey_steps){0};
	if (++steps_of->count == 2)
		steps_of->second = event_int(ev, KEY_ts, 0);
	s->steps += steps_of->count > s->steps;
}

static void
add_device(struct survey *s, const struct event *ev)
{
	struct survey_device *d = get_device(s, ev);

	s->name.len = 0;
	d->sms = event_int(ev, KEY_sms, 0);
	d->sm = occupancy_find_sm(event_str(ev, KEY_cc, &s->name));
	s->knows_cc |= d->sm != NULL;
}

void
survey_event(struct survey *s, const struct event *ev)
{
	if (ev->kind == KIND_UNKNOWN)
		return;
	s->kinds |= (uint64_t)1 << ev->kind;
	if (schema_role(ev->kind) == ROLE_WORK && event_has(ev, KEY_ts))
		add_operation(s, ev);
	else if (ev->kind == KIND_range && event_has(ev, KEY_name))
		add_range(s, ev);
	else if (ev->kind == KIND_device)
		add_device(s, ev);
	else if (ev->kind == KIND_lost)
		s->lost += event_int(ev, KEY_count, 1);
}

void
survey_finish(struct survey *s)
{
	workload_finish(&s->workload);
	runs_second_pass(&s->runs);
}

const struct survey_device *
survey_find_device(
    const struct survey *s, size_t section, int64_t pid, int64_t device)
{
	const uint64_t *n = map_find(&s->processes, section, (uint64_t)pid);

	return n != NULL ? keyed_find(&s->device, *n, (uint64_t)device) : NULL;
}

const struct survey_steps *
survey_find_steps(const struct survey *s, size_t section, int64_t pid)
{
	const uint64_t *n = map_find(&s->processes, section, (uint64_t)pid);

	return n != NULL ? keyed_find(&s->step_list, *n, 0) : NULL;
}

int64_t
survey_steady_from(const struct survey *s, size_t section, int64_t pid)
{
	const struct survey_steps *x = survey_find_steps(s, section, pid);
	int64_t first = INT64_MAX, until = INT64_MIN;

	if (x != NULL && x->count >= 2)
		return x->second;
	for (size_t i = 0; i < s->device.count; i++) {
		const struct survey_device *d = &s->device.all[i];

		if (d->section != section || d->pid != pid)
			continue;
		first = first < d->first ? first : d->first;
		until = until > d->until ? until : d->until;
	}
	return first < until ? time_end(first, time_between(first, until) / 5)
			     : INT64_MIN;
}

void
survey_free(struct survey *s)
{
	workload_free(&s->workload);
	runs_free(&s->runs);
	excess_free(&s->excess);
	range_spec_free(&s->step);
	map_free(&s->processes);
	keyed_free(&s->device);
	keyed_free(&s->step_list);
	text_free(&s->name);
	text_free(&s->domain);
}
