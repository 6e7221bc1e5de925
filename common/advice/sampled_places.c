/* sampled_places.c - in which functions CPU samples found threads */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/lower_bound.h"
#include "tq/base/time.h"

#include "tq/advice/sampled_places.h"

bool
sampled_places_counts(struct sampled_places *s, uint32_t thread, bool python)
{
	bool fresh;
	struct sampled_thread_places *t =
	    numbered_get(&s->threads, thread, &fresh);

	if (fresh)
		*t = (struct sampled_thread_places){0};
	if (python && !t->python)
		t->count = 0;
	t->python |= python;
	return python == t->python;
}

/* Drop the samples that are over, or else half of them. */
static void
make_room(struct sampled_thread_places *t, int64_t oldest)
{
	size_t n;

	LOWER_BOUND(n, 0, t->count,
	    time_between(t->all[n].ts, oldest) > SAMPLED_PLACES_NEAR);
	if (n == 0 && t->count >= SAMPLED_PLACES_MOST)
		n = t->count / 2;
	t->count -= n;
	memmove(t->all, t->all + n, t->count * sizeof(*t->all));
}

void
sampled_places_add(struct sampled_places *s, uint32_t thread,
    struct sampled_place sample, int64_t oldest)
{
	struct sampled_thread_places *t = numbered_find(&s->threads, thread);

	if (t == NULL || (t->count > 0 && sample.ts <= t->all[t->count - 1].ts))
		return;
	if (t->count > 0 && t->count == t->cap)
		make_room(t, oldest);
	*array_add(&t->all, &t->count, &t->cap) = sample;
}

static int64_t
middle(int64_t a, int64_t b)
{
	int64_t half = time_between(a, b) / 2;

	return a + (half < SAMPLED_PLACES_NEAR ? half : SAMPLED_PLACES_NEAR);
}

/* [*from, *to) is of the sample. */
static void
part_of(
    const struct sampled_thread_places *t, size_t i, int64_t *from, int64_t *to)
{
	const struct sampled_place *x = &t->all[i];
	int64_t before = i > 0 ? time_between(x[-1].ts, x->ts) : INT64_MAX;
	int64_t half = before - before / 2;

	if (half > SAMPLED_PLACES_NEAR)
		half = SAMPLED_PLACES_NEAR;
	if (__builtin_sub_overflow(x->ts, half, from))
		*from = INT64_MIN;
	*to = i + 1 < t->count ? middle(x->ts, x[1].ts)
			       : time_end(x->ts, SAMPLED_PLACES_NEAR);
}

bool
sampled_places_next(const struct sampled_places *s, uint32_t thread,
    int64_t from, int64_t to, int64_t *end, uint32_t *place)
{
	const struct sampled_thread_places *t =
	    numbered_find(&s->threads, thread);
	int64_t begin, until;
	size_t i;

	*end = to;
	*place = 0;
	if (t == NULL || t->count == 0)
		return false;
	LOWER_BOUND(i, 0, t->count,
	    time_between(t->all[i].ts, from) > SAMPLED_PLACES_NEAR);
	for (; i < t->count; i++) {
		part_of(t, i, &begin, &until);
		if (until <= from)
			continue;
		if (begin > from) {
			*end = begin < to ? begin : to;
			return false;
		}
		*end = until < to ? until : to;
		*place = t->all[i].place;
		return true;
	}
	return false;
}

void
sampled_places_reset(struct sampled_places *s)
{
	for (size_t i = 0; i < s->threads.count; i++)
		free(s->threads.all[i].all);
	numbered_clear(&s->threads);
}

void
sampled_places_free(struct sampled_places *s)
{
	for (size_t i = 0; i < s->threads.count; i++)
		free(s->threads.all[i].all);
	numbered_free(&s->threads);
}
