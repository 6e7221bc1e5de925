/* operators.c - the operators, annotations and calls of PyTorch with the most
 * time of their own, as torch_ops of tq-stats has it */

#include "tq/base/mem.h"
#include "tq/base/time.h"
#include "tq/names/model.h"

#include "operators.h"

enum { LEAST = 100 }; /* 1 % of all is worth a name */

void
operators_keys(struct keyset *want)
{
	static const enum key keys[] = {
	    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_domain, KEY_NONE};

	keyset_add_all(&want[KIND_range], keys);
	keyset_add_all(&want[KIND_api], keys);
}

static uint32_t
name_of(struct operators *o, const struct event *ev)
{
	uint32_t name;

	o->scratch.len = 0;
	name = intern_get(&o->names, event_str(ev, KEY_name, &o->scratch));
	while (o->count < o->names.count)
		*array_add(&o->own, &o->count, &o->cap) = 0;
	return name;
}

static void
close_last(struct operators *o, struct operators_thread *t)
{
	const struct operators_open *last = &t->open[--t->count];

	o->all = time_end(o->all, last->own);
	o->own[last->name] = time_end(o->own[last->name], last->own);
}

/* What lies within the innermost range around it is no time of that range. */
static void
cover(struct operators_thread *t, int64_t ts, int64_t end)
{
	for (size_t i = t->count; i-- > 0;) {
		struct operators_open *r = &t->open[i];

		if (r->end < end)
			continue; /* they cross */
		if (end > r->cover) {
			r->own -=
			    time_between(ts > r->cover ? ts : r->cover, end);
			r->cover = end;
		}
		return;
	}
}

static bool
is_torch(struct operators *o, const struct event *ev)
{
	if (ev->kind == KIND_api)
		return true;
	o->scratch.len = 0;
	return ev->kind == KIND_range &&
	       span_eq(event_str(ev, KEY_domain, &o->scratch), SPAN("torch"));
}

void
operators_event(struct operators *o, const struct event *ev)
{
	struct operators_thread *t;
	int64_t ts, dur;
	bool fresh;

	if (ev->kind == KIND_trace)
		operators_end(o);
	if (!is_torch(o, ev) || !event_has(ev, KEY_dur))
		return;
	ts = event_int(ev, KEY_ts, 0);
	dur = event_int(ev, KEY_dur, 0);
	dur = dur > 0 ? dur : 0;
	t = numbered_get(&o->threads, model_thread(ev), &fresh);
	if (fresh)
		*t = (struct operators_thread){0};
	while (t->count > 0 && t->open[t->count - 1].end <= ts)
		close_last(o, t);
	cover(t, ts, time_end(ts, dur));
	*array_add(&t->open, &t->count, &t->cap) =
	    (struct operators_open){time_end(ts, dur), dur, ts, name_of(o, ev)};
}

void
operators_end(struct operators *o)
{
	for (size_t i = 0; i < o->threads.count; i++) {
		struct operators_thread *t = &o->threads.all[i];

		while (t->count > 0)
			close_last(o, t);
		free(t->open);
	}
	numbered_clear(&o->threads);
}

static bool
is_before(const struct operators *o, uint32_t a, uint32_t b)
{
	if (o->own[a] != o->own[b])
		return o->own[a] > o->own[b];
	return span_cmp(intern_text(&o->names, a), intern_text(&o->names, b)) <
	       0;
}

uint32_t
operators_nth(const struct operators *o, size_t nth)
{
	uint32_t last = INTERN_NONE;

	for (size_t n = 0; n <= nth; n++) {
		uint32_t next = INTERN_NONE;

		for (uint32_t i = 0; i < o->names.count; i++)
			if ((last == INTERN_NONE || is_before(o, last, i)) &&
			    (next == INTERN_NONE || is_before(o, i, next)) &&
			    i != last)
				next = i;
		if (next == INTERN_NONE)
			return INTERN_NONE;
		last = next;
	}
	return o->own[last] > o->all / LEAST ? last : INTERN_NONE;
}

void
operators_free(struct operators *o)
{
	operators_end(o);
	numbered_free(&o->threads);
	intern_free(&o->names);
	free(o->own);
	text_free(&o->scratch);
}
