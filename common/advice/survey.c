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
}

void
survey_keys(struct keyset *want)
{
	static const enum key keys[] = {
	    KEY_kind, KEY_ts, KEY_dur, KEY_open, KEY_pid, KEY_device, KEY_NONE};

	for (size_t k = 0; k <= KIND_COUNT; k++)
		keyset_add_all(&want[k], keys);
	keyset_add(&want[KIND_device], KEY_sms);
	keyset_add(&want[KIND_range], KEY_name);
	keyset_add(&want[KIND_range], KEY_domain);
	keyset_add(&want[KIND_lost], KEY_count);
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

static void
add_operation(struct survey *s, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	struct survey_device *d = get_device(s, ev);

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
		get_device(s, ev)->sms = event_int(ev, KEY_sms, 0);
	else if (ev->kind == KIND_lost)
		s->lost += event_int(ev, KEY_count, 1);
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

void
survey_free(struct survey *s)
{
	range_spec_free(&s->step);
	map_free(&s->processes);
	keyed_free(&s->device);
	keyed_free(&s->step_list);
	text_free(&s->name);
	text_free(&s->domain);
}
