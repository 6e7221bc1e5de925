/* host_work.c - the account of a recording without operations of a device */

#include <stdlib.h>
#include <string.h>

#include "tq/base/array.h"
#include "tq/base/ascii.h"
#include "tq/base/time.h"
#include "tq/names/model.h"

#include "host_work.h"

enum {
	SAMPLE_NS = 1000000, /* of a sample whose length is unknown */
	ACTIVE_MOST = 1024   /* threads of a process that run at once */
};

/* ---- sums ---- */

static struct account_sum *
sum_of(struct host_process *p, uint32_t name, bool first)
{
	bool fresh;
	struct item_sum *s = keyed_get(&p->sums[!first], name, 0, &fresh);

	if (fresh)
		*s = (struct item_sum){.name = name};
	return &s->sum;
}

/* The unit that is open at a time, or NULL. */
static struct host_unit *
unit_at(const struct host_process *p, int64_t ts)
{
	struct host_unit *last;

	if (p->unit_count == 0)
		return NULL;
	last = &p->units[p->unit_count - 1];
	return ts >= last->of.ts && ts < last->end ? last : NULL;
}

/* ---- time ---- */

static struct host_item *
innermost(struct item_stack *t, int64_t now)
{
	while (t->count > 0 && t->all[t->count - 1].end <= now)
		t->count--;
	return t->count > 0 ? &t->all[t->count - 1] : NULL;
}

/* Until the next end, or to: give the time to what runs. */
static void
advance_once(struct host_process *p, int64_t to)
{
	struct host_unit *u = unit_at(p, p->now);
	const struct host_item *latest = NULL;
	int64_t next = to, dur, *part;
	size_t active = 0;
	bool first;

	for (size_t i = 0; i < p->active_count; i++) {
		const struct host_item *x =
		    innermost(&p->threads.all[p->active[i]], p->now);

		if (x == NULL)
			continue;
		p->active[active++] = p->active[i];
		next = x->end < next ? x->end : next;
		if (latest == NULL || x->ts > latest->ts)
			latest = x;
	}
	p->active_count = active;
	if (u != NULL && u->end < next)
		next = u->end;
	dur = time_between(p->now, next);
	p->now = next;
	if (u == NULL)
		return;
	first = u->of.number == 0;
	u->of.wall = time_end(u->of.wall, dur);
	part = &u->of.parts[latest != NULL ? PART_COMPUTE : PART_UNKNOWN];
	*part = time_end(*part, dur);
	for (size_t i = 0; i < active; i++) {
		const struct item_stack *t = &p->threads.all[p->active[i]];
		struct account_sum *s;

		s = sum_of(p, t->all[t->count - 1].name, first);
		s->dur = time_end(s->dur, dur);
		if (&t->all[t->count - 1] == latest)
			s->exposed = time_end(s->exposed, dur);
	}
}

static void
advance(struct host_process *p, int64_t to)
{
	while (p->now < to)
		advance_once(p, to);
}

/*
 * A thread on which nothing ran runs something; false if too many do, and this
 * one does not count.
 */
static bool
activate(struct host_process *p, size_t thread)
{
	for (size_t i = 0; i < p->active_count; i++)
		if (p->active[i] == thread)
			return true;
	if (p->active_count >= ACTIVE_MOST)
		return false;
	*array_add(&p->active, &p->active_count, &p->active_cap) = thread;
	return true;
}

/* ---- records ---- */

static struct host_process *
process_of(struct host_work *w, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	bool fresh;
	struct host_process *p =
	    keyed_get(&w->processes, model_process(ev), 0, &fresh);

	if (fresh)
		*p = (struct host_process){
		    .pid = event_int(ev, KEY_pid, NO_ID),
		    .rank = NO_ID,
		    .now = ts,
		    .first = ts,
		    .last = ts,
		};
	return p;
}

static void
add_unit(struct host_process *p, int64_t ts, int64_t end, int64_t number)
{
	*array_add(&p->units, &p->unit_count, &p->unit_cap) =
	    (struct host_unit){.of = {.ts = ts, .number = number}, .end = end};
}

void
host_work_unit(struct host_work *w, const struct event *ev, int64_t number)
{
	struct host_process *p = process_of(w, ev);
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (unit_at(p, ts) != NULL)
		return; /* steps that overlap are one */
	advance(p, ts);
	add_unit(p, ts, event_end(ev, ts), number);
}

/* The name of an item: without the numbers of a unit. */
static uint32_t
name_of(struct host_work *w, enum kind kind, struct span name, bool unit)
{
	struct text *key = &w->key;
	bool digits = false;

	key->len = 0;
	text_add_char(key, (char)('a' + (int)kind));
	for (size_t i = 0; unit && i < name.len; i++) {
		bool digit = ascii_is_digit(name.p[i]);

		if (!digit || !digits)
			text_add_char(key, digit ? '*' : name.p[i]);
		digits = digit;
	}
	if (!unit)
		text_add_span(key, name);
	return intern_get(&w->names, text_span(key));
}

static void
add_item(struct host_work *w, const struct event *ev, struct span text)
{
	struct host_process *p = process_of(w, ev);
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = event_has(ev, KEY_dur) ? event_end(ev, ts) : INT64_MAX;
	struct host_unit *u;
	struct item_stack *t;
	struct host_item item = {.ts = ts, .end = end};
	bool fresh;

	advance(p, ts);
	if (!w->by_units && p->unit_count == 0)
		add_unit(p, ts, INT64_MAX, 1);
	u = unit_at(p, ts);
	item.name = name_of(w, ev->kind, text,
	    w->by_units && u != NULL && u->of.ts == ts && u->end == end);
	t = keyed_get(
	    &p->threads, (uint64_t)event_int(ev, KEY_tid, NO_ID), 0, &fresh);
	if (fresh)
		*t = (struct item_stack){0};
	if (innermost(t, ts) == NULL &&
	    !activate(p, (size_t)(t - p->threads.all)))
		return;
	*array_add(&t->all, &t->count, &t->cap) = item;
	p->items++;
	p->last = end != INT64_MAX && end > p->last ? end
		  : ts > p->last                    ? ts
						    : p->last;
	if (u == NULL)
		return;
	u->of.launches++;
	sum_of(p, item.name, u->of.number == 0)->n++;
}

/* ---- samples ---- */

/* ns of samples; where they have no length each is assumed to have one */
static int64_t
time_of(struct host_work *w, const struct cpu_sample *x)
{
	int64_t untimed = x->count - x->timed;

	w->assumed = time_end(w->assumed, untimed);
	return time_end(x->ns,
	    untimed < INT64_MAX / SAMPLE_NS ? untimed * SAMPLE_NS : INT64_MAX);
}

static void
add_samples(struct host_work *w, const struct names *names)
{
	struct cpu_samples *s = &w->section;
	const uint32_t *frames;
	struct text function = {0};

	cpu_samples_end(s);
	for (size_t i = 0; i < s->all.count; i++) {
		const struct cpu_sample *x = &s->all.all[i];
		struct item_sum *sum;
		uint32_t name;
		bool fresh;

		if (!cpu_samples_counts(s, x))
			continue;
		function.len = 0;
		cpu_samples_add_function(
		    &function, cpu_samples_frames(s, names, x, &frames) > 0
				   ? names_frame(names, frames[0])
				   : SPAN("[no stack]"));
		name = name_of(w, KIND_sample, text_span(&function), false);
		sum = keyed_get(&w->samples, name, 0, &fresh);
		if (fresh)
			*sum = (struct item_sum){.name = name};
		sum->sum.dur = time_end(sum->sum.dur, time_of(w, x));
	}
	cpu_samples_clear(s);
	text_free(&function);
}

void
host_work_event(struct host_work *w, const struct event *ev)
{
	struct text t = {0};

	switch (ev->kind) {
	case KIND_trace:
	case KIND_sample:
		cpu_samples_event(&w->section, ev);
		break;
	case KIND_range:
		if (!event_has(ev, KEY_mode) ||
		    event_is(ev, KEY_mode, SPAN("push")))
			add_item(w, ev, event_str(ev, KEY_name, &t));
		break;
	case KIND_api:
	case KIND_osrt:
		add_item(w, ev, event_str(ev, KEY_name, &t));
		break;
	default:
		break;
	}
	text_free(&t);
}

/* ---- the end ---- */

static void
forget_threads(struct host_process *p)
{
	for (size_t i = 0; i < p->threads.count; i++)
		free(p->threads.all[i].all);
	keyed_free(&p->threads);
	free(p->active);
	p->active = NULL;
	p->active_count = p->active_cap = 0;
}

void
host_work_section_end(struct host_work *w, const struct names *names)
{
	add_samples(w, names);
	for (size_t i = 0; i < w->processes.count; i++) {
		struct host_process *p = &w->processes.all[i];

		advance(p, p->last);
		forget_threads(p);
	}
}

static void
free_process(struct host_process *p)
{
	forget_threads(p);
	free(p->units);
	keyed_free(&p->sums[0]);
	keyed_free(&p->sums[1]);
}

void
host_work_restart(struct host_work *w, bool by_units)
{
	w->by_units = by_units;
	for (size_t i = 0; i < w->processes.count; i++) {
		struct host_process *p = &w->processes.all[i];

		p->unit_count = 0;
		keyed_clear(&p->sums[0]);
		keyed_clear(&p->sums[1]);
	}
}

static void
add_sum(struct host_work *w, struct account_draft *r, const struct item_sum *s,
    uint32_t device)
{
	struct span key = intern_text(&w->names, s->name);
	const struct summed_launch l = {
	    .on = account_draft_row_on(
		r, account_draft_host_row(r, key), device)};

	unit_sums_add(&r->sums, &l, s->sum);
}

static uint32_t
add_device(struct account_draft *r, struct account_device of)
{
	uint32_t index = (uint32_t)r->devices.count;
	bool fresh;

	of.sms = NO_ID;
	*numbered_get(&r->devices, index, &fresh) = of;
	return index;
}

static void
finish_process(
    struct host_work *w, struct account_draft *r, const struct host_process *p)
{
	bool others = p->unit_count > 1;
	uint32_t device = add_device(r, (struct account_device){.rank = p->rank,
					    .pid = p->pid,
					    .device = 0,
					    .first = p->first,
					    .until = p->last,
					    .ops = p->items});

	for (size_t i = 0; i < p->unit_count; i++) {
		struct account_unit u = p->units[i].of;

		u.device = device;
		if (others && u.number == 0)
			r->left_wall = time_end(r->left_wall, u.wall);
		else
			*array_add(&r->units, &r->unit_count, &r->unit_cap) = u;
	}
	for (int k = others; k < 2; k++)
		for (size_t i = 0; i < p->sums[k].count; i++)
			add_sum(w, r, &p->sums[k].all[i], device);
}

static void
finish_samples(struct host_work *w, struct account_draft *r)
{
	struct account_unit u = {.number = 1};
	struct account_device d = {
	    .rank = NO_ID, .ops = (int64_t)w->samples.count};

	for (size_t i = 0; i < w->samples.count; i++) {
		struct account_sum *s = &w->samples.all[i].sum;

		s->n = 1;
		s->exposed = s->dur;
		u.wall = time_end(u.wall, s->dur);
	}
	u.parts[PART_COMPUTE] = d.until = u.wall;
	u.device = add_device(r, d);
	*array_add(&r->units, &r->unit_count, &r->unit_cap) = u;
	for (size_t i = 0; i < w->samples.count; i++)
		add_sum(w, r, &w->samples.all[i], u.device);
}

void
host_work_finish(struct host_work *w, struct account_draft *r)
{
	for (size_t i = 0; i < w->processes.count; i++)
		finish_process(w, r, &w->processes.all[i]);
	if (w->processes.count > 0)
		account_draft_fact(r, "work", SPAN("host"));
	else if (w->samples.count > 0) {
		finish_samples(w, r);
		account_draft_fact(r, "work", SPAN("samples"));
		account_draft_fact_int(r, "samples.assumed", w->assumed);
	}
	host_work_free(w);
}

void
host_work_free(struct host_work *w)
{
	for (size_t i = 0; i < w->processes.count; i++)
		free_process(&w->processes.all[i]);
	keyed_free(&w->processes);
	keyed_free(&w->samples);
	cpu_samples_free(&w->section);
	intern_free(&w->names);
	text_free(&w->key);
	*w = (struct host_work){0};
}
