/* claim_spans.c - when threads were in records that rules may claim */

#include <stdlib.h>

#include "tq/base/time.h"

#include "tq/advice/claim_spans.h"

enum { FEW_EDGES = 64 };

static void
set_until(struct thread_claims *t, size_t i)
{
	struct claim_span *s = &t->all[i];

	s->until = s->end;
	if (i > 0 && s->until < s[-1].until)
		s->until = s[-1].until;
}

/* Drop the spans that end before oldest. */
static void
drop(struct thread_claims *t, int64_t oldest)
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (t->all[i].end < oldest)
			continue;
		t->all[n] = t->all[i];
		set_until(t, n++);
	}
	t->count = n;
}

static int
by_end(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* Drop half of the spans, or of those that end together more. */
static void
drop_half(struct thread_claims *t)
{
	int64_t *ends = mem_alloc(t->count * sizeof(*ends)), half;
	size_t n = 0, most = t->count / 2;

	for (size_t i = 0; i < t->count; i++)
		ends[i] = t->all[i].end;
	qsort(ends, t->count, sizeof(*ends), by_end);
	half = ends[most];
	free(ends);
	for (size_t i = 0; i < t->count; i++) {
		if (t->all[i].end < half || n == most)
			continue;
		t->all[n] = t->all[i];
		set_until(t, n++);
	}
	t->count = n;
}

/* Make room for one more. */
static void
make_room(struct thread_claims *t, int64_t oldest)
{
	drop(t, oldest);
	if (t->count >= CLAIM_SPANS_MOST)
		drop_half(t);
	if (t->count * 2 < t->cap || t->cap == CLAIM_SPANS_MOST)
		return;
	t->cap = t->cap * 2 + 64;
	if (t->cap > CLAIM_SPANS_MOST)
		t->cap = CLAIM_SPANS_MOST;
	t->all = mem_resize(t->all, t->cap, sizeof(*t->all));
}

void
claim_spans_add(struct claim_spans *h, uint32_t thread, struct claim_span span,
    int64_t oldest)
{
	bool fresh;
	struct thread_claims *t = numbered_get(&h->threads, thread, &fresh);

	if (fresh)
		*t = (struct thread_claims){0};
	if (t->count == t->cap)
		make_room(t, oldest);
	t->all[t->count++] = span;
	set_until(t, t->count - 1);
}

static const struct thread_claims *
find_thread(const struct claim_spans *h, uint32_t thread)
{
	return numbered_find(&h->threads, thread);
}

bool
claim_spans_are_full(const struct claim_spans *h, uint32_t thread)
{
	const struct thread_claims *t = find_thread(h, thread);

	return t != NULL && t->count == t->cap;
}

bool
claim_spans_are_many(const struct claim_spans *h, uint32_t thread)
{
	const struct thread_claims *t = find_thread(h, thread);

	return t != NULL && t->count >= CLAIM_SPANS_MANY &&
	       t->count >= t->kept * 2;
}

void
claim_spans_forget(struct claim_spans *h, uint32_t thread, int64_t oldest)
{
	struct thread_claims *t = numbered_find(&h->threads, thread);

	if (t == NULL)
		return;
	drop(t, oldest);
	t->kept = t->count;
}

uint64_t
claim_spans_at(const struct claim_spans *h, uint32_t thread, int64_t ts)
{
	const struct thread_claims *t = find_thread(h, thread);
	uint64_t mask = 0;

	for (size_t i = t != NULL ? t->count : 0;
	     i-- > 0 && t->all[i].until > ts;)
		if (t->all[i].ts <= ts && ts < t->all[i].end)
			mask |= t->all[i].mask;
	return mask;
}

uint64_t
claim_spans_ended(
    const struct claim_spans *h, uint32_t thread, int64_t from, int64_t to)
{
	const struct thread_claims *t = find_thread(h, thread);
	uint64_t mask = 0;

	for (size_t i = t != NULL ? t->count : 0;
	     i-- > 0 && t->all[i].until >= from;)
		if (from <= t->all[i].end && t->all[i].end <= to)
			mask |= t->all[i].mask;
	return mask;
}

uint64_t
claim_spans_take_uncounted(
    struct claim_spans *h, uint32_t thread, int64_t from, int64_t to)
{
	struct thread_claims *t = numbered_find(&h->threads, thread);
	uint64_t mask = 0;

	for (size_t i = t != NULL ? t->count : 0;
	     mask == 0 && i-- > 0 && t->all[i].until >= from;) {
		struct claim_span *s = &t->all[i];

		if (from > s->end || s->end > to)
			continue;
		mask = s->uncounted;
		s->uncounted = 0;
	}
	return mask;
}

const struct claim_span *
claim_spans_begun(
    const struct claim_spans *h, uint32_t thread, int64_t from, int64_t to)
{
	const struct thread_claims *t = find_thread(h, thread);

	for (size_t i = 0; t != NULL && i < t->count; i++)
		if (from <= t->all[i].ts && t->all[i].ts <= to)
			return &t->all[i];
	return NULL;
}

static void
add_edges(struct claim_spans *h, const struct thread_claims *t, int64_t begin,
    int64_t stop)
{
	for (size_t i = t != NULL ? t->count : 0;
	     i-- > 0 && t->all[i].until >= begin;) {
		const struct claim_span *s = &t->all[i];
		int64_t from = s->ts > begin ? s->ts : begin;
		int64_t to = s->end < stop ? s->end : stop;

		if (from >= to)
			continue;
		*array_add(&h->edges, &h->edge_count, &h->edge_cap) =
		    (struct claim_edge){from, s, true};
		*array_add(&h->edges, &h->edge_count, &h->edge_cap) =
		    (struct claim_edge){to, s, false};
	}
}

/* Of edges at one time ends come first, then the span that begins first, or
   that ends last: the outer one. */
static int
by_time(const void *pa, const void *pb)
{
	const struct claim_edge *a = pa, *b = pb;

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
sort_edges(struct claim_edge *all, size_t count)
{
	if (count > FEW_EDGES) {
		qsort(all, count, sizeof(*all), by_time);
		return;
	}
	for (size_t i = 0; i < count / 2; i++) {
		struct claim_edge e = all[i];

		all[i] = all[count - 1 - i];
		all[count - 1 - i] = e;
	}
	for (size_t i = 1; i < count; i++) {
		struct claim_edge e = all[i];
		size_t at = i;

		for (; at > 0 && by_time(&all[at - 1], &e) > 0; at--)
			all[at] = all[at - 1];
		all[at] = e;
	}
}

enum span_sort
claim_spans_sort(enum idle_cause cause)
{
	return cause == IDLE_RANGE         ? SPAN_RANGE
	       : cause == IDLE_OS          ? SPAN_OS
	       : idle_cause_is_call(cause) ? SPAN_CALL
					   : SPAN_ANY;
}

static void
count_edge(struct claims_open *o, const struct claim_edge *e)
{
	enum span_sort sort = e->span->sort;

	for (uint64_t left = e->span->mask; left != 0; left &= left - 1) {
		uint32_t *n = &o->claims[sort][__builtin_ctzll(left)];

		*n += e->begins ? 1 : UINT32_MAX;
		if (*n == 0)
			o->mask[sort] &= ~(left & -left);
		else
			o->mask[sort] |= left & -left;
	}
}

/* The place behind the edge: of the innermost open span that has one. */
static void
set_place(struct claim_spans *h, const struct claim_edge *e,
    struct claim_piece *piece)
{
	if (e->begins && e->span->place == HOST_NOWHERE)
		h->nowhere =
		    h->nowhere > e->span->end ? h->nowhere : e->span->end;
	else if (e->begins && e->span->place != 0)
		*array_add(&h->open, &h->open_count, &h->open_cap) = e->span;
	/* others that have ended are below, and are dropped in their turn */
	while (h->open_count > 0 && h->open[h->open_count - 1]->end <= e->at)
		h->open_count--;
	piece->claimed = h->open_count > 0;
	piece->place = h->nowhere > e->at ? HOST_NOWHERE
		       : piece->claimed   ? h->open[h->open_count - 1]->place
					  : 0;
}

void
claim_spans_cut(struct claim_spans *h, uint32_t thread, uint32_t any,
    int64_t from, int64_t to,
    void (*take)(void *arg, const struct claim_piece *piece), void *arg)
{
	struct claim_piece piece = {.ts = from, .mask = h->now.mask};

	/* after the last edge no span is open: h->now is empty again */
	h->edge_count = h->open_count = 0;
	h->nowhere = INT64_MIN;
	add_edges(h, find_thread(h, thread), from, to);
	add_edges(h, find_thread(h, any), from, to);
	sort_edges(h->edges, h->edge_count);
	for (size_t i = 0; i < h->edge_count; i++) {
		piece.end = h->edges[i].at;
		if (piece.ts < piece.end)
			take(arg, &piece);
		piece.ts = piece.end;
		count_edge(&h->now, &h->edges[i]);
		set_place(h, &h->edges[i], &piece);
	}
	piece.end = to;
	if (piece.ts < piece.end)
		take(arg, &piece);
}

static void
free_threads(struct claim_spans *h)
{
	for (size_t i = 0; i < h->threads.count; i++)
		free(h->threads.all[i].all);
}

void
claim_spans_reset(struct claim_spans *h)
{
	free_threads(h);
	numbered_clear(&h->threads);
}

void
claim_spans_free(struct claim_spans *h)
{
	free_threads(h);
	numbered_free(&h->threads);
	free(h->edges);
	free(h->open);
}
