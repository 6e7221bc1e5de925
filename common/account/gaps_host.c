/* gaps_host.c - recent calls and ranges of host threads */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/lower_bound.h"
#include "tq/line/cuda_words.h"
#include "tq/line/json.h"
#include "tq/names/api_call.h"
#include "tq/names/model.h"

#include "tq/account/gaps_host.h"

enum { LONGEST = 64, MOST = 1024, RANGES = 16384 };

/* calls of a name */
struct host_name {
	uint64_t question; /* to which the rest belongs */
	int64_t time, until;
};

void
gaps_host_open(struct gaps_host *h)
{
	numbered_texts_get(&h->names, SPAN("")); /* becomes number 0 */
}

static uint32_t
get_name(struct gaps_host *h, struct span text)
{
	uint32_t name = numbered_texts_get(&h->names, text);

	if (name >= h->uses_cap) {
		size_t cap = (size_t)name * 2 + 64;

		h->uses = mem_resize(h->uses, cap, sizeof(*h->uses));
		memset(h->uses + h->uses_cap, 0,
		    (cap - h->uses_cap) * sizeof(*h->uses));
		h->uses_cap = cap;
	}
	return name;
}

static uint32_t
call_name(struct gaps_host *h, const struct event *ev)
{
	h->scratch.len = 0;
	return get_name(h, event_str(ev, KEY_name, &h->scratch));
}

struct span
gaps_host_call_name(const struct gaps_host *h, uint32_t name)
{
	return numbered_texts_text(&h->names, name);
}

/* ---- threads ---- */

static struct host_thread *
add_thread(struct gaps_host *h, const struct event *ev)
{
	struct host_thread *t;
	bool fresh;
	size_t i =
	    numbered_index(&h->slots, &h->used, model_thread(ev), &fresh);

	if (i == h->count)
		*array_add(&h->threads, &h->count, &h->cap) =
		    (struct host_thread){0};
	t = &h->threads[i];
	if (fresh) {
		t->pid = event_int(ev, KEY_pid, NO_ID);
		t->calls.dropped = INT64_MIN;
	}
	return t;
}

static struct host_thread *
find_thread(const struct gaps_host *h, uint32_t thread)
{
	return numbered_element(
	    &h->slots, h->threads, sizeof(*h->threads), thread);
}

/* ---- calls that are held ---- */

/* the durations of the longest calls so far, ascending */
struct host_longest {
	int64_t all[LONGEST];
	size_t count;
};

/* True if it is one of them. */
static bool
is_long(struct host_longest *l, int64_t dur)
{
	size_t i = 0;

	if (l->count == LONGEST) {
		if (dur <= l->all[0])
			return false;
		for (; i + 1 < LONGEST && l->all[i + 1] < dur; i++)
			l->all[i] = l->all[i + 1];
	} else {
		for (i = l->count++; i > 0 && l->all[i - 1] > dur; i--)
			l->all[i] = l->all[i - 1];
	}
	l->all[i] = dur;
	return true;
}

static void
set_until(struct host_calls *c, size_t i)
{
	struct host_call *call = &c->all[i];

	call->until = call->end;
	if (i > 0 && call->until < call[-1].until)
		call->until = call[-1].until;
}

/* The calls before the one returned are over at ts. */
static size_t
first_call(const struct host_calls *c, int64_t ts)
{
	size_t i;

	LOWER_BOUND(i, 0, c->count, c->all[i].until <= ts);
	return i;
}

/*
 * Drop calls, from the last to the first: the others move to the end of the
 * array, and then to its beginning.
 */
static void
forget_calls(
    const struct gaps_host *h, int64_t pid, struct host_calls *c, int64_t now)
{
	struct host_longest longest = {{0}, 0};
	size_t at = c->count, most = MOST;

	for (size_t i = c->count; i-- > 0;) {
		const struct host_call *call = &c->all[i];
		bool stays = false;

		if (most > 0 &&
		    is_long(&longest, time_between(call->ts, call->end))) {
			most--;
			stays = true;
		}
		if (stays || call->end >= now ||
		    h->begins(h->lanes, pid, call->ts, call->end))
			c->all[--at] = *call;
		else if (c->dropped < call->end)
			c->dropped = call->end;
	}
	c->count -= at;
	memmove(c->all, c->all + at, c->count * sizeof(*c->all));
	for (size_t i = 0; i < c->count; i++)
		set_until(c, i);
}

static void
hold_call(const struct gaps_host *h, int64_t pid, struct host_calls *c,
    struct host_call call)
{
	if (c->count == c->cap) {
		if (c->count > 0)
			forget_calls(h, pid, c, call.ts);
		if (c->count * 2 >= c->cap) {
			c->cap = c->cap * 2 + 64;
			c->all = mem_resize(c->all, c->cap, sizeof(*c->all));
		}
	}
	c->all[c->count++] = call;
	set_until(c, c->count - 1);
}

static void
hold_wait(const struct gaps_host *h, struct host_thread *t, int64_t now,
    int64_t from, int64_t to)
{
	int64_t since = now;

	if (t->waits.count == t->waits.cap)
		since = h->since(h->lanes, t->pid);
	waits_make_room(&t->waits, since < now ? since : now);
	waits_add(&t->waits, from, to);
}

/* ---- records ---- */

static struct host_symbol
get_symbol(struct gaps_host *h, const struct event *ev)
{
	uint32_t symbol = model_symbol(ev);
	bool fresh;
	struct host_symbol *s = numbered_get(&h->symbols, symbol, &fresh);

	if (fresh)
		*s = (struct host_symbol){call_name(h, ev),
		    api_call_waits(model_symbol_at(ev->model, symbol)->call)};
	return *s;
}

void
gaps_host_add_call(
    struct gaps_host *h, const struct event *ev, int64_t ts, int64_t end)
{
	struct host_symbol symbol;
	struct host_thread *t;
	bool wait;

	if (!event_has(ev, KEY_name) || (!h->all && ev->kind != KIND_api))
		return;
	symbol = get_symbol(h, ev);
	wait = ev->kind == KIND_api && symbol.waits;
	if (!h->all && !wait)
		return;
	t = add_thread(h, ev);
	if (wait)
		hold_wait(h, t, ts, ts, end);
	if (h->all)
		hold_call(h, t->pid, &t->calls,
		    (struct host_call){
			.ts = ts, .end = end, .name = symbol.name});
}

/* "[CUDA memcpy HtoD]" */
static void
add_copy_name(struct text *t, const struct event *ev)
{
	size_t start;
	const char *word;

	text_add_str(t, "[CUDA memcpy");
	if (event_has(ev, KEY_copy)) {
		text_add_char(t, ' ');
		start = t->len;
		json_decode(t, ev->value[KEY_copy]);
		word = cuda_words_copy(
		    (struct span){t->p + start, t->len - start});
		if (word != NULL) {
			t->len = start;
			text_add_str(t, word);
		}
	}
	text_add_char(t, ']');
}

uint32_t
gaps_host_operation(struct gaps_host *h, const struct event *ev)
{
	struct text *t = &h->scratch;

	if (ev->kind == KIND_kernel)
		return get_symbol(h, ev).name;
	t->len = 0;
	if (ev->kind == KIND_memset)
		text_add_str(t, "[CUDA memset]");
	else if (ev->kind == KIND_graph)
		text_printf(t, "[CUDA graph %lld]",
		    (long long)event_int(ev, KEY_graph, 0));
	else
		add_copy_name(t, ev);
	return get_name(h, text_span(t));
}

void
gaps_host_add_copy(struct gaps_host *h, const struct event *ev)
{
	int64_t from = event_int(ev, KEY_api_ts, 0);

	if (waits_for_copy(ev))
		hold_wait(h, add_thread(h, ev), event_int(ev, KEY_ts, 0), from,
		    time_end(from, event_int(ev, KEY_api_dur, 0)));
}

const struct device_waits *
gaps_host_waits(const struct gaps_host *h, uint32_t thread)
{
	const struct host_thread *t = find_thread(h, thread);

	return t != NULL ? &t->waits : NULL;
}

int64_t
gaps_host_waited(
    const struct gaps_host *h, uint32_t thread, int64_t from, int64_t to)
{
	const struct host_thread *t = find_thread(h, thread);

	return t != NULL ? waits_time(&t->waits, from, to) : 0;
}

/* Add the part of [from, to) that the call has, and none of its name before. */
static void
add_share(
    struct gaps_host *h, const struct host_call *c, int64_t from, int64_t to)
{
	struct host_name *n = &h->uses[c->name];

	if (n->question != h->questions) {
		n->question = h->questions;
		n->time = 0;
		n->until = from;
	}
	if (from < c->ts)
		from = c->ts;
	if (from < n->until)
		from = n->until;
	if (to > c->end)
		to = c->end;
	if (from < to) {
		n->time += time_between(from, to);
		n->until = to;
	}
}

struct host_share
gaps_host_most(struct gaps_host *h, uint32_t thread, int64_t from, int64_t to)
{
	const struct host_thread *t = find_thread(h, thread);
	struct host_share most = {0};
	size_t first;

	if (t == NULL)
		return most;
	first = first_call(&t->calls, from);
	h->questions++;
	for (size_t i = first; i < t->calls.count; i++)
		add_share(h, &t->calls.all[i], from, to);
	for (size_t i = first; i < t->calls.count; i++) {
		const struct host_call *c = &t->calls.all[i];

		if (c->end > from && h->uses[c->name].time > most.time)
			most = (struct host_share){
			    .name = c->name, .time = h->uses[c->name].time};
	}
	most.bound = most.name != 0 && t->calls.dropped > from;
	return most;
}

bool
gaps_host_at(const struct gaps_host *h, uint32_t thread, int64_t ts,
    struct host_call *call)
{
	const struct host_thread *t = find_thread(h, thread);

	for (size_t i = t != NULL ? t->calls.count : 0; i-- > 0;) {
		const struct host_call *c = &t->calls.all[i];

		if (c->until <= ts) /* and all before it */
			return false;
		if (c->ts <= ts && ts < c->end) {
			*call = *c;
			return true;
		}
	}
	return false;
}

bool
gaps_host_wait(
    const struct gaps_host *h, uint32_t thread, int64_t *from, int64_t *to)
{
	const struct host_thread *t = find_thread(h, thread);

	return t != NULL && waits_next(&t->waits, from, to);
}

/* ---- ranges ---- */

bool
gaps_host_ranges_full(const struct gaps_host *h)
{
	return h->range_count == h->range_cap;
}

/* Drop all but the ranges that are open and the last ones, and their names. */
static void
forget_ranges(struct gaps_host *h, int64_t now)
{
	struct text names = {0};
	size_t held = 0, all = h->range_count;

	for (size_t i = 0; i < all; i++) {
		struct host_range r = h->ranges[i];
		struct span name = {h->range_names.p + r.name, r.len};

		if (all - i > RANGES && r.end < now)
			continue;
		r.name = names.len;
		text_add_span(&names, name);
		h->ranges[held++] = r;
	}
	h->range_count = held;
	text_free(&h->range_names);
	h->range_names = names;
}

void
gaps_host_add_range(
    struct gaps_host *h, const struct event *ev, int64_t ts, int64_t end)
{
	struct host_range r = {event_int(ev, KEY_id, NO_ID), end, 0, 0};
	struct span name;

	h->scratch.len = 0;
	name = event_str(ev, KEY_name, &h->scratch);
	if (r.id == NO_ID || name.len == 0)
		return;
	if (gaps_host_ranges_full(h)) {
		if (h->range_count > 0)
			forget_ranges(h, ts);
		if (h->range_count * 2 >= h->range_cap) {
			h->range_cap = h->range_cap * 2 + 64;
			h->ranges = mem_resize(
			    h->ranges, h->range_cap, sizeof(*h->ranges));
		}
	}
	r.name = h->range_names.len;
	r.len = name.len;
	text_add_span(&h->range_names, name);
	h->ranges[h->range_count++] = r;
}

/* the last of that id, as ids may be used again */
struct span
gaps_host_range_name(const struct gaps_host *h, int64_t id)
{
	for (size_t i = h->range_count; i-- > 0;) {
		const struct host_range *r = &h->ranges[i];

		if (r->id == id)
			return (struct span){
			    h->range_names.p + r->name, r->len};
	}
	return (struct span){"", 0};
}

/* ---- the end ---- */

/* Free the calls and ranges, too: their capacity decides how many are held, and
   each section has to hold as many. */
void
gaps_host_reset(struct gaps_host *h)
{
	for (size_t i = 0; i < h->used; i++) {
		free(h->threads[i].calls.all);
		h->threads[i].calls = (struct host_calls){0};
		h->threads[i].waits.count = 0;
	}
	free(h->ranges);
	h->ranges = NULL;
	h->range_cap = 0;
	numbered_forget(&h->slots);
	numbered_clear(&h->symbols);
	h->used = h->range_count = h->range_names.len = 0;
}

void
gaps_host_free(struct gaps_host *h)
{
	for (size_t i = 0; i < h->count; i++) {
		free(h->threads[i].calls.all);
		free(h->threads[i].waits.all);
	}
	free(h->threads);
	free(h->ranges);
	free(h->uses);
	free(h->slots.index);
	numbered_free(&h->symbols);
	numbered_texts_free(&h->names);
	text_free(&h->range_names);
	text_free(&h->scratch);
}
