/* survey.c - what a first pass over the stream finds out */

#include <err.h>
#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/time.h"
#include "tq/io/status.h"
#include "tq/names/model.h"

#include "tq/advice/survey.h"

/* names that training loops give to their steps, of any index */
static const char standard[] = "0..";

void
survey_open(struct survey *s)
{
	size_t at;

	s->chosen = s->step.name != NULL;
	if (!s->chosen &&
	    range_spec_parse_step(&s->step, standard, &at) != NULL)
		errx(TQ_FAIL, "no steps");
	excess_open(&s->excess);
	rule_names_open(&s->names, s->excess.rules);
	for (size_t i = 0; i < s->excess.rules->matching; i++) {
		s->asks_runs |= s->excess.rules->all[i].asks_runs;
		s->asks_ranks |= s->excess.rules->all[i].asks_ranks;
		if (s->excess.rules->all[i].asks_launches)
			s->asks_launches |= (uint64_t)1 << i;
	}
}

/* True if more than the kind and the time of such a record is read. */
static bool
reads_kind(enum kind k)
{
	enum role role = schema_role(k);

	return role == ROLE_FRAME || role == ROLE_DEF || role == ROLE_WORK ||
	       k == KIND_api || k == KIND_range || k == KIND_alloc ||
	       k == KIND_counter;
}

static void
add_keys(const struct survey *s, struct keyset *want)
{
	static const enum key keys[] = {
	    KEY_kind, KEY_ts, KEY_dur, KEY_open, KEY_pid, KEY_device, KEY_NONE};

	for (size_t k = 0; k <= KIND_COUNT; k++)
		keyset_add_all(&want[k], keys);
	for (size_t k = 0; k <= KIND_COUNT; k++)
		if (schema_role((enum kind)k) == ROLE_WORK)
			keyset_add(&want[k], KEY_api_ts);
	keyset_add(&want[KIND_device], KEY_sms);
	keyset_add(&want[KIND_device], KEY_cc);
	keyset_add(&want[KIND_device], KEY_name);
	keyset_add(&want[KIND_device], KEY_vendor);
	keyset_add(&want[KIND_device], KEY_uuid);
	keyset_add(&want[KIND_device], KEY_gpu);
	keyset_add(&want[KIND_process], KEY_host);
	keyset_add(&want[KIND_range], KEY_name);
	keyset_add(&want[KIND_api], KEY_name);
	keyset_add(&want[KIND_process], KEY_name);
	keyset_add(&want[KIND_trace], KEY_source);
	keyset_add(&want[KIND_symbol], KEY_demangled);
	keyset_add(&want[KIND_range], KEY_domain);
	keyset_add(&want[KIND_range], KEY_tid);
	keyset_add(&want[KIND_api], KEY_tid);
	keyset_add(&want[KIND_trace], KEY_source);
	workload_keys(want);
	steps_keys(want);
	clocks_keys(want);
	if (s->asks_runs)
		runs_keys(want);
	excess_keys(&s->excess, want);
	if (s->asks_ranks)
		rank_waits_keys(want);
}

void
survey_keys(const struct survey *s, struct keyset *want)
{
	static const enum key times[] = {KEY_kind, KEY_ts, KEY_dur, KEY_NONE};
	struct keyset all[KIND_COUNT + 1] = {0};

	add_keys(s, all);
	for (size_t k = 0; k <= KIND_COUNT; k++)
		if (reads_kind((enum kind)k))
			keyset_add_set(&want[k], &all[k]);
		else
			keyset_add_all(&want[k], times);
}

/* Count the steps that overlap the window; one that ends where it begins does,
   as in tq-stats. */
static void
count_within(struct survey *s)
{
	int64_t from, to;

	window_place(&s->window, s->sections[s->section - 1].end, &from, &to);
	for (size_t i = 0; i < s->in_section_count; i++) {
		const struct survey_step *step = &s->in_section[i];
		struct survey_steps *of =
		    numbered_find(&s->step_list, step->process);

		of->within +=
		    step->ts < to && (step->ts >= from || step->end >= from);
	}
	s->in_section_count = 0;
}

/* The section that is being read is over. */
static void
end_section(struct survey *s)
{
	if (s->section == 0)
		return;
	wall_section_end(&s->sections[s->section - 1].wall);
	count_within(s);
}

void
survey_section(struct survey *s)
{
	end_section(s);
	names_reset(&s->defined);
	gpu_numbers_reset(&s->gpu_numbers);
	s->gpus_known = 0;
	*array_add(&s->sections, &s->section, &s->section_cap) =
	    (struct survey_section){
		.wall = {.after = INT64_MIN, .before = INT64_MAX},
		.begin = INT64_MAX,
		.end = INT64_MIN,
		.first = INT64_MAX,
		.until = INT64_MIN,
		.devices = s->device.count};
}

/* Devices of a process are a list, the last one first. */
static size_t
join_process(struct survey *s, uint32_t process)
{
	bool fresh;
	size_t *last = numbered_get(&s->devices_of, process, &fresh);
	size_t next = fresh ? 0 : *last;

	*last = s->device.count;
	return next;
}

/* The first device of a process, and the one behind another; or NULL. */
static const struct survey_device *
first_device(const struct survey *s, uint32_t process)
{
	const size_t *last = numbered_find(&s->devices_of, process);

	return last != NULL ? &s->device.all[*last - 1] : NULL;
}

static const struct survey_device *
next_device(const struct survey *s, const struct survey_device *d)
{
	return d->next > 0 ? &s->device.all[d->next - 1] : NULL;
}

static struct survey_device *
get_device(struct survey *s, const struct event *ev)
{
	bool fresh;
	struct survey_device *d =
	    numbered_get(&s->device, model_device(ev), &fresh);

	if (fresh)
		*d = (struct survey_device){.section = s->section,
		    .process = model_process(ev),
		    .next = join_process(s, model_process(ev)),
		    .pid = event_int(ev, KEY_pid, NO_ID),
		    .device = event_int(ev, KEY_device, 0),
		    .gpu = INTERN_NONE,
		    .first = INT64_MAX,
		    .until = INT64_MIN,
		    .load_until = INT64_MIN,
		    .step_first = INT64_MAX,
		    .step_until = INT64_MIN,
		    .runs_until = INT64_MIN};
	return d;
}

/* Count the GPU of a device that has its first operation. */
static void
count_gpu(struct survey *s, struct survey_device *d)
{
	int64_t number;

	d->gpu = gpu_numbers_find(
	    &s->gpu_numbers, &s->defined, d->pid, d->device, &number);
	if (d->gpu == INTERN_NONE || d->gpu >= s->gpus_known) {
		s->gpus++;
		s->gpus_known += d->gpu != INTERN_NONE;
	}
}

/* The number of the process's step so far; 0: none. */
static int64_t
step_of(const struct survey *s, const struct event *ev)
{
	const struct survey_steps *x = survey_find_steps(s, model_process(ev));

	return x != NULL ? x->seen : 0;
}

/* Work that was launched in a step, as far as these have begun. */
static void
add_step_work(const struct survey *s, struct survey_device *d,
    const struct event *ev, int64_t ts, int64_t end)
{
	const struct survey_steps *steps = survey_find_steps(s, d->process);
	int64_t launch = event_int(ev, KEY_api_ts, ts);

	if (steps == NULL || launch < steps->first || launch >= steps->until)
		return;
	if (d->step_first > ts)
		d->step_first = ts;
	if (d->step_until < end)
		d->step_until = end;
}

void
survey_run(struct survey_device *d, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (d->runs_until < end)
		d->runs_until = end;
}

/* A counter without a process is of the device of all of them. */
bool
survey_runs(const struct survey *s, size_t section, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (section > s->section) /* the file is not what it was before */
		return false;
	for (size_t i = s->sections[section - 1].devices;
	     i < s->device.count && s->device.all[i].section == section; i++) {
		const struct survey_device *d = &s->device.all[i];

		if (ts < d->runs_until &&
		    d->device == event_int(ev, KEY_device, NO_ID) &&
		    (!event_has(ev, KEY_pid) ||
			d->pid == event_int(ev, KEY_pid, 0)))
			return true;
	}
	return false;
}

bool
survey_process_runs(
    const struct survey *s, size_t section, uint32_t process, int64_t ts)
{
	if (section > s->section) /* the file is not what it was before */
		return false;
	for (size_t i = s->sections[section - 1].devices;
	     i < s->device.count && s->device.all[i].section == section; i++)
		if (s->device.all[i].process == process &&
		    ts < s->device.all[i].runs_until)
			return true;
	return false;
}

/* Copies that begin before are the first phase; INT64_MIN: there is none. */
static int64_t
find_load_until(const struct survey_device *d)
{
	size_t n;

	return load_phase_find(&d->progress, d->first, &n)
		   ? d->progress.reached[n].at
		   : INT64_MIN;
}

static void
add_operation(struct survey *s, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	struct survey_section *section = &s->sections[s->section - 1];
	struct survey_device *d = get_device(s, ev);

	workload_add(&s->workload, ev, step_of(s, ev));
	if (s->asks_runs)
		runs_count(&s->runs, ev);
	if (s->excess.with_count > 0) {
		struct rules_held held =
		    rule_names_get(&s->names, ev, &s->error);

		excess_count(&s->excess, ev, &held);
	}
	steps_add_work(&s->by_step, s->section, d->process, ev);
	survey_run(d, ev);
	load_phase_add(&d->progress, ev, ts);
	if (section->first > ts)
		section->first = ts;
	if (section->until < end)
		section->until = end;
	s->ops++;
	if (d->first == INT64_MAX)
		count_gpu(s, d);
	if (d->first > ts)
		d->first = ts;
	if (d->until < end)
		d->until = end;
	add_step_work(s, d, ev, ts, end);
}

bool
survey_is_step(struct survey *s, const struct event *ev)
{
	return range_spec_match_event(&s->step, ev, &s->name, NULL) ==
	       PATTERN_YES;
}

/* ---- ranges that launch ---- */

/* True if a rule asks whether ranges of this name launch. */
static bool
is_watched(struct survey *s, const struct event *ev)
{
	struct rules_held held = rule_names_get(&s->names, ev, &s->error);

	return ((held.always | held.maybe) & s->asks_launches) != 0;
}

static void
watch_range(struct survey *s, const struct event *ev)
{
	struct thread_watch *t;
	struct watched_name *n;
	bool fresh;

	if (!is_watched(s, ev))
		return;
	t = numbered_get(&s->watched, model_thread(ev), &fresh);
	if (fresh)
		*t = (struct thread_watch){0};
	t->ranges[t->next++ % WATCHED] = (struct watched_range){
	    model_symbol(ev), event_end(ev, event_int(ev, KEY_ts, 0))};
	n = numbered_get(&s->watched_names, model_symbol(ev), &fresh);
	if (fresh)
		*n = (struct watched_name){0};
	n->count++;
}

static void
watch_call(struct survey *s, const struct event *ev)
{
	enum api_role role = api_call_of_event(ev).role;
	struct thread_watch *t;

	if (role != API_LAUNCH && role != API_GRAPH_LAUNCH)
		return;
	t = numbered_find(&s->watched, model_thread(ev));
	for (size_t i = 0; t != NULL && i < WATCHED; i++) {
		struct watched_range *r = &t->ranges[i];
		struct watched_name *n;

		if (r->symbol == 0 || r->end <= event_int(ev, KEY_ts, 0))
			continue;
		n = numbered_find(&s->watched_names, r->symbol);
		n->launching++;
		r->symbol = 0;
	}
}

bool
survey_launches(struct survey *s, const struct event *range)
{
	const struct watched_name *n =
	    numbered_find(&s->watched_names, model_symbol(range));

	return n != NULL && n->launching > 0 && n->launching >= n->count / 2;
}

static void
add_range(struct survey *s, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	struct survey_steps *steps_of;
	uint32_t process;
	bool fresh;

	if (!survey_is_step(s, ev))
		return;
	process = model_process(ev);
	if (range_spec_is_part(&s->step_ends, process,
		(uint64_t)event_int(ev, KEY_tid, NO_ID), end))
		return;
	steps_of = numbered_get(&s->step_list, process, &fresh);
	if (fresh)
		*steps_of = (struct survey_steps){.process = process,
		    .first = INT64_MAX,
		    .until = INT64_MIN,
		    .second = NO_ID};
	if (steps_of->seen++ < s->step.first ||
	    steps_of->seen - 1 > s->step.last)
		return;
	steps_of->count++;
	if (window_given(&s->window))
		*array_add(
		    &s->in_section, &s->in_section_count, &s->in_section_cap) =
		    (struct survey_step){process, ts, end};
	else
		steps_of->within++;
	if (steps_of->first > ts)
		steps_of->first = ts;
	if (steps_of->until < end)
		steps_of->until = end;
	if (steps_of->seen >= 2 && steps_of->second == NO_ID)
		steps_of->second = ts;
	s->steps += steps_of->count > s->steps;
	steps_add(&s->by_step, process, ev, steps_of->seen - 1);
}

static void
add_device(struct survey *s, const struct event *ev)
{
	struct survey_device *d = get_device(s, ev);

	d->sms = event_int(ev, KEY_sms, 0);
	d->hardware = hardware_of(ev);
	s->knows_cc |= d->hardware.sm != NULL;
	if (s->hardware.matrix == MATRIX_UNKNOWN)
		s->hardware = d->hardware;
}

static void
add_end(struct survey *s, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	struct survey_section *x = &s->sections[s->section - 1];

	wall_add(&x->wall, ev);
	if (end == INT64_MAX)
		end = ts;
	if (x->end < end)
		x->end = end;
	if (x->begin > ts)
		x->begin = ts;
}

static void
add_trace(struct survey *s, const struct event *ev)
{
	wall_begin(&s->sections[s->section - 1].wall, ev);
	if (s->section == 1 && s->source.len == 0)
		text_add_span(&s->source, event_str(ev, KEY_source, &s->name));
}

void
survey_event(struct survey *s, const struct event *ev)
{
	if (ev->kind == KIND_UNKNOWN)
		return;
	if (ev->kind == KIND_trace)
		add_trace(s, ev);
	if (s->asks_ranks)
		rank_waits_event(&s->ranks, ev);
	s->kinds |= (uint64_t)1 << ev->kind;
	dialect_event(&s->dialect, ev);
	if (ev->kind == KIND_device || ev->kind == KIND_process)
		names_define(&s->defined, ev);
	if (event_has(ev, KEY_ts))
		add_end(s, ev);
	if (ev->kind == KIND_api && s->asks_runs)
		runs_call(&s->runs, ev);
	if (ev->kind == KIND_api && s->watched.count > 0)
		watch_call(s, ev);
	else if (ev->kind == KIND_range && s->asks_launches != 0 &&
		 event_has(ev, KEY_name))
		watch_range(s, ev);
	if (schema_role(ev->kind) == ROLE_WORK && event_has(ev, KEY_ts))
		add_operation(s, ev);
	else if (ev->kind == KIND_range && event_has(ev, KEY_name))
		add_range(s, ev);
	else if (ev->kind == KIND_alloc ||
		 (ev->kind == KIND_api && event_has(ev, KEY_ts)))
		steps_add_record(&s->by_step, model_process(ev), ev);
	else if (ev->kind == KIND_device)
		add_device(s, ev);
	else if (ev->kind == KIND_counterdef)
		clocks_define(&s->clocks, s->section, ev);
	else if (ev->kind == KIND_counter && survey_runs(s, s->section, ev))
		clocks_count(&s->clocks, s->section, ev);
}

/* ---- scope ---- */

/* True if only steps of the process count. */
static bool
of_steps(const struct survey *s, const struct survey_steps *steps)
{
	return s->chosen || (steps != NULL && steps->count >= FEW_STEPS);
}

bool
survey_has_steps(const struct survey *s, uint32_t process)
{
	return of_steps(s, survey_find_steps(s, process));
}

static void
cut_to_window(
    const struct survey *s, size_t section, int64_t *from, int64_t *to)
{
	int64_t first, until;

	if (section > s->section) { /* the file is not what it was before */
		*to = INT64_MIN;
		return;
	}
	window_place(&s->window, s->sections[section - 1].end, &first, &until);
	if (*from < first)
		*from = first;
	if (*to > until)
		*to = until;
}

void
survey_scope(const struct survey *s, size_t section, uint32_t process,
    int64_t *from, int64_t *to)
{
	const struct survey_steps *steps = survey_find_steps(s, process);

	*from = INT64_MIN;
	*to = INT64_MAX;
	if (of_steps(s, steps)) {
		*from = steps != NULL ? steps->first : INT64_MAX;
		*to = steps != NULL ? steps->until : INT64_MIN;
	}
	cut_to_window(s, section, from, to);
	for (const struct survey_device *d = first_device(s, process);
	     d != NULL; d = next_device(s, d)) {
		if (*from > d->first)
			*from = d->first;
		if (*to < d->until)
			*to = d->until;
	}
}

static bool
has_operation(const struct survey *s, uint32_t process)
{
	for (const struct survey_device *d = first_device(s, process);
	     d != NULL; d = next_device(s, d))
		if (d->first < INT64_MAX)
			return true;
	return false;
}

static void
count_steps(struct survey *s)
{
	for (size_t i = 0; i < s->step_list.count; i++) {
		const struct survey_steps *steps = &s->step_list.all[i];

		if (s->ops == 0 || has_operation(s, steps->process))
			s->all_steps += steps->within;
	}
}

void
survey_finish(struct survey *s)
{
	end_section(s);
	count_steps(s);
	for (size_t i = 0; i < s->device.count; i++) {
		struct survey_device *d = &s->device.all[i];

		if (of_steps(s, survey_find_steps(s, d->process))) {
			d->first = d->step_first;
			d->until = d->step_until;
		} else
			d->load_until = find_load_until(d);
		if (d->until == INT64_MAX) /* an operation never ended */
			d->until = s->sections[d->section - 1].end;
		cut_to_window(s, d->section, &d->first, &d->until);
		d->runs_until = INT64_MIN;
	}
	workload_finish(&s->workload);
	steps_finish(&s->by_step);
	runs_second_pass(&s->runs);
	if (s->asks_ranks)
		rank_waits_finish(&s->ranks);
}

const struct survey_device *
survey_find_device(const struct survey *s, uint32_t device)
{
	return numbered_find(&s->device, device);
}

const struct survey_steps *
survey_find_steps(const struct survey *s, uint32_t process)
{
	return numbered_find(&s->step_list, process);
}

const struct process_steps *
survey_find_by_step(const struct survey *s, uint32_t process)
{
	return steps_find(&s->by_step, process);
}

int64_t
survey_steady_from(const struct survey *s, uint32_t process)
{
	const struct survey_steps *x = survey_find_steps(s, process);
	int64_t first = INT64_MAX, until = INT64_MIN;

	if (x != NULL && x->second != NO_ID)
		return x->second;
	for (const struct survey_device *d = first_device(s, process);
	     d != NULL; d = next_device(s, d)) {
		first = first < d->first ? first : d->first;
		until = until > d->until ? until : d->until;
	}
	return first < until ? time_end(first, time_between(first, until) / 5)
			     : INT64_MIN;
}

void
survey_free(struct survey *s)
{
	dialect_free(&s->dialect);
	workload_free(&s->workload);
	steps_free(&s->by_step);
	runs_free(&s->runs);
	excess_free(&s->excess);
	rule_names_free(&s->names);
	names_free(&s->defined);
	gpu_numbers_free(&s->gpu_numbers);
	rank_waits_free(&s->ranks);
	clocks_free(&s->clocks);
	range_spec_free(&s->step);
	free(s->sections);
	free(s->in_section);
	text_free(&s->source);
	numbered_free(&s->device);
	numbered_free(&s->devices_of);
	numbered_free(&s->step_list);
	numbered_free(&s->watched);
	numbered_free(&s->watched_names);
	map_free(&s->step_ends);
	text_free(&s->name);
}
