/* merge_runs.c - piles and runs, which are each in order, as one */

#include <errno.h>

#include "merge_runs.h"

static inline bool
before(const struct sort_head *a, const struct sort_head *b)
{
	if (sort_key_before(a->key, b->key))
		return true;
	return a->order < b->order && !sort_key_before(b->key, a->key);
}

/* does a head that goes on with key still come before the other? */
static inline bool
still_before(
    struct sort_key key, const struct sort_head *h, const struct sort_head *b)
{
	return h->order < b->order ? !sort_key_before(b->key, key)
				   : sort_key_before(key, b->key);
}

/* move the head at i down to where the heap is in order again */
static void
sift(struct merge_runs *w, size_t i)
{
	struct sort_head moving = w->heap[i];
	size_t child;

	while ((child = 2 * i + 1) < w->count) {
		if (child + 1 < w->count &&
		    before(&w->heap[child + 1], &w->heap[child]))
			child++;
		if (!before(&w->heap[child], &moving))
			break;
		w->heap[i] = w->heap[child];
		i = child;
	}
	w->heap[i] = moving;
}

const struct sort_head merge_runs_last = {
    .key = {INT64_MAX, INT64_MIN}, .order = SIZE_MAX};

void
merge_runs_open(struct merge_runs *w, struct piles *piles, struct run *runs,
    size_t run_buffer)
{
	w->piles = piles;
	w->runs = runs;
	w->run_buffer = run_buffer;
	w->count = 0;
	w->until = merge_runs_last;
	w->forget = false;
	w->error = 0;
}

static void
walk_add(struct merge_runs *w, struct sort_head h)
{
	if (before(&h, &w->until))
		w->heap[w->count++] = h;
}

void
merge_runs_piles(struct merge_runs *w, size_t i, size_t n)
{
	for (struct pile *q; n > 0; i++, n--) {
		q = &w->piles->pile[i];
		walk_add(w, (struct sort_head){.key = q->entry[q->from].key,
				.order = RUNS + i,
				.pile = q,
				.at = q->from});
	}
}

void
merge_runs_runs(struct merge_runs *w, size_t i, size_t n)
{
	for (struct run *r; n > 0; i++, n--) {
		r = &w->runs[i];
		walk_add(w, (struct sort_head){.key = {r->line.ts, r->line.dur},
				.order = i,
				.run = r});
	}
}

/* the lines of a pile that come before the next head; false to stop */
static bool
take_pile(struct merge_runs *w, struct sort_head *h,
    const struct sort_head *next, bool *more)
{
	struct pile *q = h->pile;
	const struct sort_entry *e = &q->entry[h->at];
	const struct sort_entry *end = &q->entry[q->count];

	do {
		struct sorter_line line = {
		    e->key.ts, e->key.dur, {e->text, e->len}, e->tag};

		if (!w->put(w->arg, &line))
			return false;
		if (w->forget)
			pile_drop(w->piles, e);
	} while (++e < end && still_before(e->key, h, next));
	h->at = (size_t)(e - q->entry);
	if (w->forget)
		q->from = h->at;
	if ((*more = e < end))
		h->key = e->key;
	return true;
}

/* the same of a run; one that cannot be read has no more */
static bool
take_run(struct merge_runs *w, struct sort_head *h,
    const struct sort_head *next, bool *more)
{
	struct run *r = h->run;

	if ((*more = run_load(r, w->run_buffer)))
		do {
			if (!w->put(w->arg, &r->line))
				return false;
			*more = run_next(r);
			h->key = (struct sort_key){r->line.ts, r->line.dur};
		} while (*more && still_before(h->key, h, next));
	if (r->broken)
		w->error = errno;
	if (w->forget)
		run_release(r);
	return true;
}

bool
merge_runs_all(struct merge_runs *w)
{
	for (size_t i = w->count / 2; i-- > 0;)
		sift(w, i);
	while (w->count > 0) {
		struct sort_head *h = w->heap;
		const struct sort_head *next = &w->until;
		bool more;

		for (size_t i = 1; i < 3 && i < w->count; i++)
			if (before(&w->heap[i], next))
				next = &w->heap[i];
		if (h->run != NULL ? !take_run(w, h, next, &more)
				   : !take_pile(w, h, next, &more))
			return false;
		if (!more || !before(h, &w->until))
			*h = w->heap[--w->count];
		if (w->count > 0)
			sift(w, 0);
	}
	errno = w->error;
	return w->error == 0;
}
