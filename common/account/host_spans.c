/* host_spans.c - when threads were in which records */

#include <stdlib.h>

#include "tq/base/time.h"

#include "tq/account/host_spans.h"

enum { FEW_EDGES = 64, CAUSES_MOST = 1 << 16 };

/* A range without claims is a cause of gaps only that it begins in. */
static int64_t
matters_until(const struct host_span *s)
{
	return s->cause == IDLE_RANGE && s->mask == 0 ? s->ts : s->end;
}

static void
set_until(struct thread_spans *t, size_t i)
{
	struct host_span *s = &t->all[i];

	s->until = matters_until(s);
	if (i > 0 && s->until < s[-1].until)
		s->until = s[-1].until;
}

/* Drop the spans that end before oldest, or all that have no claims. */
static void
drop(struct thread_spans *t, int64_t oldest, bool unclaimed)
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++) {
		const struct host_span *s = &t->all[i];

		if (matters_until(s) < oldest || (unclaimed && s->mask == 0))
			continue;
		t->all[n] = *s;
		set_until(t, n++);
	}
	t->count = n;
}

/* Make room for one more; of too many, spans without claims are dropped. */
static void
make_room(struct thread_spans *t, int64_t oldest)
{
	drop(t, oldest, false);
	if (t->count >= CAUSES_MOST)
		drop(t, oldest, true);
	if (t->count * 2 >= t->cap)
		t->all = mem_resize(
		    t->all, t->cap = t->cap * 2 + 64, sizeof(*t->all));
}

void
host_spans_add(struct host_spans *h, uint32_t thread, struct host_span span,
    int64_t oldest)
{
	bool fresh;
	struct thread_spans *t = numbered_get(&h->threads, thread, &fresh);

	if (fresh)
		*t = (struct thread_spans){0};
	if (t->count == t->cap)
		make_room(t, oldest);
	t->all[t->count++] = span;
	set_until(t, t->count - 1);
}

static const struct thread_spans *
find_thread(const struct host_spans *h, uint32_t thread)
{
	return numbered_find(&h->threads, thread);
}

bool
host_spans_are_full(const struct host_spans *h, uint32_t thread)
{
	const struct thread_spans *t = find_thread(h, thread);

	return t != NULL && t->count == t->cap;
}

bool
host_spans_are_many(const struct host_spans *h, uint32_t thread)
{
	const struct thread_spans *t = find_thread(h, thread);

	return t != NULL && t->count >= HOST_SPANS_MANY &&
	       t->count >= t->kept * 2;
}

void
host_spans_forget(struct host_spans *h, uint32_t thread, int64_t oldest)
{
	struct thread_spans *t = numbered_find(&h->threads, thread);

	if (t == NULL)
		return;
	drop(t, oldest, false);
	t->kept = t->count;
}

uint64_t
host_spans_at(const struct host_spans *h, uint32_t thread, int64_t ts)
{
	const struct thread_spans *t = find_thread(h, thread);
	uint64_t mask = 0;

	for (size_t i = t != NULL ? t->count : 0;
	     i-- > 0 && t->all[i].until > ts;)
		if (t->all[i].ts <= ts && ts < t->all[i].end)
			mask |= t->all[i].mask;
	return mask;
}

uint64_t
host_spans_ended(
    const struct host_spans *h, uint32_t thread, int64_t from, int64_t to)
{
	const struct thread_spans *t = find_thread(h, thread);
	uint64_t mask = 0;

	for (size_t i = t != NULL ? t->count : 0;
	     i-- > 0 && t->all[i].until >= from;)
		if (from <= t->all[i].end && t->all[i].end <= to)
			mask |= t->all[i].mask;
	return mask;
}

const struct host_span *
host_spans_begun(
    const struct host_spans *h, uint32_t thread, int64_t from, int64_t to)
{
	const struct thread_spans *t = find_thread(h, thread);

	for (size_t i = 0; t != NULL && i < t->count; i++)
		if (from <= t->all[i].ts && t->all[i].ts <= to)
			return &t->all[i];
	return NULL;
}

static void
add_edges(struct host_spans *h, const struct thread_spans *t,
    const struct host_span *whole, int64_t since)
{
	for (size_t i = t != NULL ? t->count : 0;
	     i-- > 0 && t->all[i].until >= since;) {
		const struct host_span *s = &t->all[i];
		int64_t from = s->ts > whole->ts ? s->ts : whole->ts;
		int64_t to = s->end < whole->end ? s->end : whole->end;

		if (from >= to)
			continue;
		*array_add(&h->edges, &h->edge_count, &h->edge_cap) =
		    (struct span_edge){from, s, true};
		*array_add(&h->edges, &h->edge_count, &h->edge_cap) =
		    (struct span_edge){to, s, false};
	}
}

/* Of edges at one time ends come first, then the span that begins first, or
   that ends last: the outer one. */
static int
by_time(const void *pa, const void *pb)
{
	const struct span_edge *a = pa, *b = pb;

	if (a->at != b->at)
		return a->at > b->at ? 1 : -1;
	if (a->begins != b->begins)
		return a->begins ? 1 : -1;
	if (a->span->ts != b->span->ts)
		return a->span->ts > b->span->ts ? 1 : -1;
	return (a->span->end < b->span->end) - (a->span->end > b->span->end);
}

/* Most pieces have few edges, the last of them first. */
static void
sort_edges(struct span_edge *all, size_t count)
{
	if (count > FEW_EDGES) {
		qsort(all, count, sizeof(*all), by_time);
		return;
	}
	for (size_t i = 0; i < count / 2; i++) {
		struct span_edge e = all[i];

		all[i] = all[count - 1 - i];
		all[count - 1 - i] = e;
	}
	for (size_t i = 1; i < count; i++) {
		struct span_edge e = all[i];
		size_t at = i;

		for (; at > 0 && by_time(&all[at - 1], &e) > 0; at--)
			all[at] = all[at - 1];
		all[at] = e;
	}
}

static enum span_sort
sort_of(enum idle_cause cause)
{
	return cause == IDLE_RANGE         ? SPAN_RANGE
	       : cause == IDLE_OS          ? SPAN_OS
	       : idle_cause_is_call(cause) ? SPAN_CALL
					   : SPAN_ANY;
}

static void
count_claims(struct spans_open *o, const struct span_edge *e)
{
	enum span_sort sort = sort_of(e->span->cause);

	for (uint64_t left = e->span->mask; left != 0; left &= left - 1) {
		uint32_t *n = &o->claims[sort][__builtin_ctzll(left)];

		*n += e->begins ? 1 : UINT32_MAX;
		if (*n == 0)
			o->mask[sort] &= ~(left & -left);
		else
			o->mask[sort] |= left & -left;
	}
}

static void
count_edge(struct spans_open *o, const struct span_edge *e, int64_t since)
{
	enum idle_cause cause = e->span->cause;

	count_claims(o, e);
	if (cause == IDLE_RANGE && e->span->ts < since)
		return;
	o->causes[cause] += e->begins ? 1 : UINT32_MAX;
	if (o->causes[cause] == 0)
		o->cause_mask &= ~(1u << cause);
	else
		o->cause_mask |= 1u << cause;
}

/* The cause and the claims of the time behind the last edge. */
static void
set_claims(
    const struct spans_open *o, enum idle_cause whole, struct host_span *piece)
{
	bool decides = idle_cause_is_host(whole) || whole == IDLE_SYNC;

	piece->cause = whole;
	if (whole == IDLE_HOST && o->cause_mask != 0)
		piece->cause =
		    (enum idle_cause)(31 - __builtin_clz(o->cause_mask));
	piece->mask = o->mask[SPAN_ANY];
	if (decides)
		piece->mask |= o->mask[SPAN_CALL];
	if (decides && !idle_cause_is_call(piece->cause))
		piece->mask |= o->mask[SPAN_OS];
	if (decides && piece->cause != IDLE_SYNC)
		piece->mask |= o->mask[SPAN_RANGE];
}

/* The place of the innermost open span with claims, else of the innermost. */
static void
set_innermost(const struct host_spans *h, struct host_span *piece)
{
	size_t i = h->open_count;

	while (i > 0 && h->open[i - 1]->mask == 0)
		i--;
	piece->claimed = i > 0;
	if (i == 0)
		i = h->open_count;
	piece->place = i > 0 ? h->open[i - 1]->place : 0;
}

/* The place behind the edge. */
static void
set_place(
    struct host_spans *h, const struct span_edge *e, struct host_span *piece)
{
	if (e->begins && e->span->place == HOST_NOWHERE)
		h->nowhere =
		    h->nowhere > e->span->end ? h->nowhere : e->span->end;
	else if (e->begins && e->span->place != 0)
		*array_add(&h->open, &h->open_count, &h->open_cap) = e->span;
	/* others that have ended are below, and are dropped in their turn */
	while (h->open_count > 0 && h->open[h->open_count - 1]->end <= e->at)
		h->open_count--;
	set_innermost(h, piece);
	if (h->nowhere > e->at)
		piece->place = HOST_NOWHERE;
}

void
host_spans_cut(struct host_spans *h, uint32_t thread, uint32_t any,
    struct host_span whole, int64_t since,
    void (*take)(void *arg, struct host_span piece), void *arg)
{
	struct host_span piece = {.ts = whole.ts, .cause = whole.cause};

	/* after the last edge no span is open: h->now is empty again */
	h->edge_count = h->open_count = 0;
	h->nowhere = INT64_MIN;
	add_edges(h, find_thread(h, thread), &whole, since);
	add_edges(h, find_thread(h, any), &whole, since);
	sort_edges(h->edges, h->edge_count);
	for (size_t i = 0; i < h->edge_count; i++) {
		piece.end = h->edges[i].at;
		if (piece.ts < piece.end)
			take(arg, piece);
		piece.ts = piece.end;
		count_edge(&h->now, &h->edges[i], since);
		set_claims(&h->now, whole.cause, &piece);
		set_place(h, &h->edges[i], &piece);
	}
	piece.end = whole.end;
	if (piece.ts < piece.end)
		take(arg, piece);
}

static void
free_threads(struct host_spans *h)
{
	for (size_t i = 0; i < h->threads.count; i++)
		free(h->threads.all[i].all);
}

void
host_spans_reset(struct host_spans *h)
{
	free_threads(h);
	numbered_clear(&h->threads);
}

void
host_spans_free(struct host_spans *h)
{
	free_threads(h);
	numbered_free(&h->threads);
	free(h->edges);
	free(h->open);
}
