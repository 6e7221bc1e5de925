/* host_before.c - what threads do before the first operation */

#include "tq/base/array.h"
#include "tq/base/time.h"
#include "tq/names/api_call.h"
#include "tq/names/model.h"

#include "tq/account/device_time.h"
#include "tq/advice/host_before.h"

/* INTERN_NONE: one too many. */
static uint32_t
number_of(struct host_before *h, struct span name)
{
	uint32_t n = intern_find(&h->texts, name);

	if (n != INTERN_NONE || h->texts.count == HOST_BEFORE_NAMES ||
	    name.len > HOST_BEFORE_BYTES - h->bytes)
		return n;
	h->bytes += name.len;
	return intern_get(&h->texts, name);
}

/* The time of a name on a thread; NULL: it is one too many. */
static struct before_name *
get_name(struct host_before *h, const struct before_thread *t,
    const struct before_record *r)
{
	uint64_t thread = (uint64_t)t->thread << 32 | r->kind;
	struct before_name *n;
	bool fresh;

	if (r->name == INTERN_NONE)
		return NULL;
	if (h->all.count == HOST_BEFORE_NAMES)
		return keyed_find(&h->all, thread, r->name);
	n = keyed_get(&h->all, thread, r->name, &fresh);
	if (fresh)
		*n = (struct before_name){
		    .thread = t->thread, .name = r->name, .kind = r->kind};
	return n;
}

static void
add_name(struct host_before *h, struct before_thread *t,
    const struct before_record *r, int64_t ns)
{
	struct before_name *n = get_name(h, t, r);

	if (n != NULL)
		n->ns = time_end(n->ns, ns);
	if (r->kind == KIND_api || r->kind == KIND_range)
		t->named = time_end(t->named, ns);
}

/* The time of the thread until then is of its innermost records. */
static void
advance(struct host_before *h, struct before_thread *t, int64_t to)
{
	while (t->count > 0 && t->now < to) {
		const struct before_record *r = &t->open[t->count - 1];
		int64_t end = r->end < to ? r->end : to;

		if (end > t->now) {
			add_name(h, t, r, time_between(t->now, end));
			t->now = end;
		}
		if (r->end > to)
			break;
		t->count--;
	}
	if (t->now < to)
		t->now = to;
}

static void
add_open(struct before_thread *t, const struct before_record *r)
{
	bool call = t->count > 0 && t->open[t->count - 1].kind == KIND_api;

	if (t->count < HOST_BEFORE_DEPTH && !(call && r->kind == KIND_osrt))
		*array_add(&t->open, &t->count, &t->cap) = *r;
}

static struct before_thread *
thread_of(struct host_before *h, const struct event *ev, int64_t ts)
{
	bool fresh;
	struct before_thread *t =
	    numbered_get(&h->threads, model_thread(ev), &fresh);

	if (fresh)
		*t = (struct before_thread){
		    .thread = model_thread(ev), .now = ts};
	advance(h, t, ts);
	return t;
}

static bool
is_of_host(const struct event *ev)
{
	return ev->kind == KIND_api || ev->kind == KIND_osrt ||
	       ev->kind == KIND_range;
}

/* "PyTorch Profiler (0)" is as long as the recording, and on no thread. */
static bool
is_profiler(struct host_before *h, const struct event *ev)
{
	h->scratch.len = 0;
	return ev->kind == KIND_range &&
	       span_eq(event_str(ev, KEY_category, &h->scratch), SPAN("Trace"));
}

static void
add_record(struct host_before *h, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct before_record r = {.end = event_end(ev, ts), .kind = ev->kind};
	struct span name;

	if (ev->kind == KIND_api && !api_call_is_of_gpu(ev))
		return;
	h->kinds |= (uint64_t)1 << ev->kind;
	if (!event_has(ev, KEY_tid))
		return;
	if (ev->kind == KIND_sample) {
		thread_of(h, ev, ts);
		cpu_samples_event(&h->samples, ev);
	}
	if (!is_of_host(ev) || is_profiler(h, ev))
		return;
	h->scratch.len = 0;
	name = event_str(ev, KEY_name, &h->scratch);
	if (name.len == 0)
		return;
	r.name = number_of(h, name);
	add_open(thread_of(h, ev, ts), &r);
}

static void
add_samples(struct host_before *h)
{
	struct cpu_samples *s = &h->samples;
	const uint32_t *frames;

	cpu_samples_end(s);
	for (size_t i = 0; i < s->all.count; i++) {
		const struct cpu_sample *x = &s->all.all[i];
		struct before_record r = {.kind = KIND_sample};
		struct before_thread *t;
		bool fresh;

		if (!cpu_samples_counts(s, x) ||
		    cpu_samples_frames(s, &h->stacks, x, &frames) == 0)
			continue;
		h->scratch.len = 0;
		cpu_samples_add_function(
		    &h->scratch, names_frame(&h->stacks, frames[0]));
		if (h->scratch.len == 0)
			continue;
		r.name = number_of(h, text_span(&h->scratch));
		t = numbered_get(
		    &h->threads, s->threads.all[x->thread].number, &fresh);
		add_name(h, t, &r, x->count);
	}
	cpu_samples_free(s);
}

static void
end_with(struct host_before *h, const struct event *operation)
{
	const struct before_thread *first = NULL, *most = NULL;

	h->over = true;
	add_samples(h);
	for (size_t i = 0; i < h->threads.count; i++) {
		struct before_thread *t = &h->threads.all[i];

		advance(h, t, event_int(operation, KEY_ts, 0));
		t->count = 0;
		if (event_has(operation, KEY_tid) &&
		    t->thread == model_thread(operation))
			first = t;
		if (most == NULL || t->named > most->named)
			most = t;
	}
	if (first == NULL || (most != NULL && most->named / 10 > first->named))
		first = most;
	h->thread = first != NULL ? first->thread : 0;
	names_free(&h->stacks);
}

void
host_before_keys(struct keyset *want)
{
	static const enum key keys[] = {KEY_ts, KEY_dur, KEY_open, KEY_pid,
	    KEY_tid, KEY_name, KEY_api, KEY_NONE};

	keyset_add_all(&want[KIND_api], keys);
	keyset_add_all(&want[KIND_osrt], keys);
	keyset_add_all(&want[KIND_range], keys);
	keyset_add(&want[KIND_range], KEY_category);
	keyset_add_all(&want[KIND_trace], cpu_samples_keys);
	keyset_add_all(&want[KIND_sample], cpu_samples_keys);
	keyset_add(&want[KIND_stack], KEY_id);
	keyset_add(&want[KIND_stack], KEY_frames);
}

void
host_before_event(struct host_before *h, const struct event *ev)
{
	enum device_class c;

	if (is_of_host(ev) && (ev->kind != KIND_api || api_call_is_of_gpu(ev)))
		h->last[ev->kind] = event_int(ev, KEY_ts, 0);
	if (h->over)
		return;
	if (ev->kind == KIND_trace)
		cpu_samples_event(&h->samples, ev);
	else if (ev->kind == KIND_stack)
		names_define(&h->stacks, ev);
	else if (event_has(ev, KEY_ts) && device_time_class(ev, &c))
		end_with(h, ev);
	else if (event_has(ev, KEY_ts))
		add_record(h, ev);
}

void
host_before_section_end(struct host_before *h)
{
	if (h->over)
		return;
	host_before_free(h);
	*h = (struct host_before){0};
}

size_t
host_before_most(const struct host_before *h, bool samples,
    const struct before_name *most[HOST_BEFORE_MOST], int64_t *of)
{
	size_t count = 0;

	*of = 0;
	for (size_t i = 0; i < h->all.count; i++) {
		const struct before_name *n = &h->all.all[i];
		size_t at = count;

		if (n->thread != h->thread ||
		    (n->kind == KIND_sample) != samples || n->ns <= 0)
			continue;
		*of = time_end(*of, n->ns);
		while (at > 0 && most[at - 1]->ns < n->ns)
			at--;
		if (at == HOST_BEFORE_MOST)
			continue;
		count += count < HOST_BEFORE_MOST;
		memmove(
		    &most[at + 1], &most[at], (count - 1 - at) * sizeof(*most));
		most[at] = n;
	}
	return count;
}

void
host_before_free(struct host_before *h)
{
	for (size_t i = 0; i < h->threads.count; i++)
		free(h->threads.all[i].open);
	numbered_free(&h->threads);
	cpu_samples_free(&h->samples);
	names_free(&h->stacks);
	keyed_free(&h->all);
	intern_free(&h->texts);
	text_free(&h->scratch);
}
