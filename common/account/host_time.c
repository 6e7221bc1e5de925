/* host_time.c - what each thread did, one thing at a time */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/lower_bound.h"
#include "tq/base/time.h"
#include "tq/evidence/overhead.h"
#include "tq/line/sched.h"
#include "tq/names/model.h"

#include "tq/account/host_time.h"

enum {
	TEXTS_MOST = 1 << 16,
	BYTES_MOST = 1 << 24,
	STRETCHES_MOST = 1 << 16,
	STRETCHES_SUMMED = STRETCHES_MOST / 2,
	THINGS_MOST = STRETCHES_SUMMED / 4,
	/* open ones of a thread that are looked at: calls do not nest deep, but
	   a damaged stream may have thousands that cross */
	RANGES_MOST = 128,
	OPEN_MOST = 256,
	WAITING_MOST = 4096
};

/* ---- texts ---- */

uint32_t
host_time_text(struct host_time *h, struct span json)
{
	uint32_t n;

	if (json.len <= 2)
		return 0;
	n = intern_find(&h->texts, json);
	if (n != INTERN_NONE)
		return n + 1;
	if (h->texts.count == TEXTS_MOST || json.len > BYTES_MOST - h->bytes)
		return 0;
	h->bytes += json.len;
	return intern_get(&h->texts, json) + 1;
}

/* number: model_symbol() of a record with that name. */
static struct host_time_symbol
get_symbol(struct host_time *h, uint32_t number)
{
	bool fresh;
	struct host_time_symbol *s = numbered_get(&h->symbols, number, &fresh);

	if (fresh) {
		const struct model_symbol *m =
		    model_symbol_at(h->model, number);

		*s = (struct host_time_symbol){idle_cause_of_os(m->name),
		    idle_cause_of_call(m->call), host_time_text(h, m->name)};
	}
	return *s;
}

uint32_t
host_time_launching(struct host_time *h, const struct event *ev)
{
	h->model = ev->model;
	return event_has(ev, KEY_api_name)
		   ? get_symbol(h, model_launching_symbol(ev)).name
		   : 0;
}

/* ---- stretches ---- */

static bool
same_thing(struct host_thing a, struct host_thing b)
{
	return a.name == b.name && a.file == b.file && a.place == b.place;
}

/* Drop the stretches that end up to then. */
static void
drop(struct host_line *l, int64_t until)
{
	size_t n;

	LOWER_BOUND(n, 0, l->count, l->all[n].end <= until);
	if (n == 0)
		return;
	l->count -= n;
	memmove(l->all, l->all + n, l->count * sizeof(*l->all));
}

/* Of equal things the last one first. */
static int
by_thing(const void *pa, const void *pb)
{
	const struct host_stretch *a = pa, *b = pb;
	const uint32_t of_a[] = {
	    a->cause, a->thing.name, a->thing.file, a->thing.place, a->range};
	const uint32_t of_b[] = {
	    b->cause, b->thing.name, b->thing.file, b->thing.place, b->range};

	for (size_t i = 0; i < sizeof(of_a) / sizeof(*of_a); i++)
		if (of_a[i] != of_b[i])
			return of_a[i] < of_b[i] ? -1 : 1;
	return (a->ts < b->ts) - (a->ts > b->ts);
}

static int
by_length(const void *pa, const void *pb)
{
	const struct host_stretch *a = pa, *b = pb;
	int64_t la = time_between(a->ts, a->end);
	int64_t lb = time_between(b->ts, b->end);

	return la != lb ? (la < lb ? 1 : -1) : by_thing(pa, pb);
}

/* Add equal things up; all but the first keep no order.  How many there are. */
static size_t
add_up(struct host_stretch *all, size_t count)
{
	size_t n = 0;

	qsort(all, count, sizeof(*all), by_thing);
	for (size_t i = 0; i < count; i++) {
		struct host_stretch *last = n > 0 ? &all[n - 1] : NULL;

		if (last != NULL && last->cause == all[i].cause &&
		    last->range == all[i].range &&
		    same_thing(last->thing, all[i].thing))
			last->end += time_between(all[i].ts, all[i].end);
		else
			all[n++] = all[i];
	}
	return n;
}

/*
 * The first stretches, as many as STRETCHES_SUMMED, become one for each thing:
 * one after the other from where the first began, with time without a record
 * behind them.  Of too many things the shortest lose their names.
 */
static void
sum_up(struct host_line *l)
{
	const size_t count = STRETCHES_SUMMED;
	int64_t now = l->all[0].ts;
	size_t n = add_up(l->all, count);

	if (n > THINGS_MOST) {
		qsort(l->all, n, sizeof(*l->all), by_length);
		for (size_t i = THINGS_MOST; i < n; i++) {
			l->all[i].thing = (struct host_thing){0};
			l->all[i].range = 0;
		}
		n = add_up(l->all, n);
	}
	for (size_t i = 0; i < n; i++) {
		int64_t time = time_between(l->all[i].ts, l->all[i].end);

		l->all[i].ts = now;
		l->all[i].end = now += time;
	}
	memmove(
	    l->all + n, l->all + count, (l->count - count) * sizeof(*l->all));
	l->count -= count - n;
}

/* Make room for one more. */
static void
make_room(struct host_line *l)
{
	drop(l, l->since);
	if (l->count >= STRETCHES_MOST)
		sum_up(l);
	if (l->count * 2 < l->cap || l->cap == STRETCHES_MOST)
		return;
	l->cap = l->cap * 2 + 8;
	if (l->cap > STRETCHES_MOST)
		l->cap = STRETCHES_MOST;
	l->all = mem_resize(l->all, l->cap, sizeof(*l->all));
}

static void
add_stretch(struct host_line *l, struct host_stretch s)
{
	struct host_stretch *last = l->count > 0 ? &l->all[l->count - 1] : NULL;

	if (l->preempted && s.cause < IDLE_PREEMPTED) /* in that thing */
		s.cause = IDLE_PREEMPTED;
	if (s.ts >= s.end || s.end <= l->since || s.cause == IDLE_HOST)
		return;
	if (last != NULL && last->end == s.ts && last->cause == s.cause &&
	    last->since == s.since && last->range == s.range &&
	    same_thing(last->thing, s.thing)) {
		last->end = s.end;
		return;
	}
	if (l->count == l->cap)
		make_room(l);
	l->all[l->count++] = s;
}

/* The line goes on to ts. */
static void
advance(struct host_line *l, int64_t ts)
{
	while (l->now < ts) {
		struct host_stretch s = {.ts = l->now, .end = ts};

		if (l->open_count > 0) {
			const struct host_open *o = &l->open[l->open_count - 1];

			s.cause = o->top;
			s.thing = o->top_thing;
			s.since = o->since;
			s.range = o->range;
			if (o->end <= ts) {
				s.end = o->end;
				l->range_count -= o->cause == IDLE_RANGE;
				l->open_count--;
			}
		}
		add_stretch(l, s);
		if (l->now < s.end)
			l->now = s.end;
	}
}

/* True if the inner record counts, and not what is around it. */
static bool
counts(enum idle_cause inner, enum idle_cause around)
{
	return inner > around || (inner == around && inner < IDLE_CALL) ||
	       (idle_cause_is_os(inner) && idle_cause_is_os(around));
}

static void
set_top(struct host_line *l, size_t i)
{
	struct host_open *o = &l->open[i];

	if (i == 0 || counts(o->cause, o[-1].top)) {
		o->top = o->cause;
		o->top_thing = o->thing;
		if (i > 0 && o->thing.name == 0)
			o->top_thing = o[-1].top_thing;
	} else {
		o->top = o[-1].top;
		o->top_thing = o[-1].top_thing;
	}
	if (o->cause == IDLE_RANGE)
		o->range = o->thing.name;
	else if (i > 0) {
		o->range = o[-1].range;
		o->since = o[-1].since;
	}
}

static void
open_record(struct host_line *l, struct host_open o)
{
	size_t at;

	if (l->open_count == OPEN_MOST ||
	    (o.cause == IDLE_RANGE && l->range_count == RANGES_MOST))
		return;
	l->range_count += o.cause == IDLE_RANGE;
	array_add(&l->open, &l->open_count, &l->open_cap);
	for (at = l->open_count - 1; at > 0 && l->open[at - 1].end < o.end;
	     at--)
		l->open[at] = l->open[at - 1];
	l->open[at] = o;
	for (; at < l->open_count; at++)
		set_top(l, at);
}

/* ---- records that wait ---- */

/* A read of a socket or pipe waits for others. */
static bool
is_file(struct span json)
{
	return !span_begins(json, SPAN("\"socket")) &&
	       !span_begins(json, SPAN("\"pipe"));
}

/* What the thread is in. */
static struct host_open
open_of(
    struct host_time *h, const struct host_line *l, const struct host_record *r)
{
	struct host_open o = {.since = r->ts,
	    .end = r->end,
	    .cause = (enum idle_cause)r->cause,
	    .thing.place = r->place};
	struct span text = {l->text.p + r->text, r->len};
	struct host_time_symbol s = {0};

	if (r->symbol > 0)
		s = get_symbol(h, r->symbol);
	o.thing.name = s.name;
	if (r->kind == KIND_range)
		o.thing.name = host_time_text(h, text);
	else if (r->kind == KIND_api)
		o.cause = s.call;
	else if (r->kind == KIND_osrt) {
		o.cause = s.os;
		o.thing.file = host_time_text(h, text);
		if (o.cause == IDLE_IO && !is_file(text))
			o.cause = IDLE_WAIT;
	}
	return o;
}

/* Look at the records that wait; no gap that is open began before since. */
static void
settle(struct host_time *h, struct host_line *l)
{
	l->since = h->since(h->of, l->pid);
	if (l->count > 0 && l->all[l->count - 1].end <= l->since)
		l->count = 0;
	for (size_t i = 0; i < l->waiting_count; i++) {
		const struct host_record *r = &l->waiting[i];

		if (r->kind == KIND_sched) {
			advance(l, r->ts);
			l->preempted = r->cause != 0;
		} else if (r->end > l->since) {
			advance(l, r->ts);
			open_record(l, open_of(h, l, r));
		}
	}
	l->waiting_count = l->text.len = 0;
}

/* Room for one more record. */
static void
wait_room(struct host_time *h, struct host_line *l)
{
	if (l->waiting_count >= WAITING_MOST)
		settle(h, l);
	else
		l->waiting = mem_more(l->waiting, l->waiting_count,
		    &l->waiting_cap, sizeof(*l->waiting));
}

static void
add_waiting(struct host_time *h, const struct event *ev, uint32_t thread,
    struct host_record r, struct span text)
{
	bool fresh;
	struct host_line *l = numbered_get(&h->lines, thread, &fresh);

	if (fresh)
		*l = (struct host_line){.now = INT64_MIN,
		    .since = INT64_MIN,
		    .pid = event_int(ev, KEY_pid, NO_ID)};
	if (l->waiting_count == l->waiting_cap)
		wait_room(h, l);
	r.kind = (unsigned char)ev->kind;
	r.text = (uint32_t)l->text.len;
	r.len = (uint32_t)text.len;
	text_add_span(&l->text, text);
	l->waiting[l->waiting_count++] = r;
}

static bool
is_wait(const struct event *ev)
{
	return event_is(ev, KEY_name, SPAN("wait"));
}

static struct span
text_of(const struct event *ev, enum key key)
{
	return event_has(ev, key) ? ev->value[key] : SPAN("");
}

static void
add_overhead(struct host_time *h, const struct event *ev, struct host_record r)
{
	enum overhead_of of = overhead_of_event(ev);

	r.cause = of == OVERHEAD_LOADING ? IDLE_LOAD : IDLE_PROFILER;
	r.symbol = model_symbol(ev);
	if (of != OVERHEAD_PROGRAM)
		add_waiting(h, ev, model_any_thread(ev), r, SPAN(""));
}

void
host_time_add(struct host_time *h, const struct event *ev, int64_t ts,
    int64_t end, uint32_t place)
{
	struct host_record r = {.ts = ts, .end = end, .place = place};
	struct span text = SPAN("");

	h->model = ev->model;
	switch (ev->kind) {
	case KIND_api:
	case KIND_osrt:
		r.symbol = model_symbol(ev);
		text = text_of(ev, KEY_file);
		break;
	case KIND_range:
		r.cause = IDLE_RANGE;
		text = text_of(ev, KEY_name);
		break;
	case KIND_gil:
		if (!is_wait(ev))
			return;
		r.cause = IDLE_PYTHON_LOCK;
		break;
	case KIND_sched:
		r.cause = !event_true(ev, KEY_on) && sched_is_preempted(ev);
		break;
	case KIND_overhead:
		add_overhead(h, ev, r);
		return;
	default:
		return;
	}
	add_waiting(h, ev, model_thread(ev), r, text);
}

/* ---- pieces ---- */

const struct host_line *
host_time_line(struct host_time *h, uint32_t thread, int64_t until)
{
	struct host_line *l = numbered_find(&h->lines, thread);

	if (l == NULL)
		return NULL;
	settle(h, l);
	advance(l, until);
	return l;
}

struct host_stretch
host_time_next(const struct host_line *l, int64_t from, int64_t to)
{
	struct host_stretch s = {.ts = from, .end = to};
	size_t i;

	if (l == NULL)
		return s;
	LOWER_BOUND(i, 0, l->count, l->all[i].end <= from);
	if (i == l->count || l->all[i].ts >= to)
		return s;
	if (l->all[i].ts > from) {
		s.end = l->all[i].ts;
		return s;
	}
	s = l->all[i];
	s.ts = from;
	s.end = s.end < to ? s.end : to;
	return s;
}

/* ---- the end ---- */

static void
free_lines(struct host_time *h)
{
	for (size_t i = 0; i < h->lines.count; i++) {
		free(h->lines.all[i].waiting);
		text_free(&h->lines.all[i].text);
		free(h->lines.all[i].all);
		free(h->lines.all[i].open);
	}
}

void
host_time_reset(struct host_time *h)
{
	free_lines(h);
	numbered_clear(&h->lines);
	numbered_clear(&h->symbols);
}

void
host_time_free(struct host_time *h)
{
	free_lines(h);
	numbered_free(&h->lines);
	numbered_free(&h->symbols);
	intern_free(&h->texts);
}
