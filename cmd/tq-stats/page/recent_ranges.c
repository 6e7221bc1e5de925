/* recent_ranges.c - the innermost range that was open on a thread */

#include "tq/base/lower_bound.h"
#include "tq/names/model.h"

#include "naming/fold_name.h"
#include "recent_ranges.h"

enum { INSIDE_RANGES = 4096 }; /* of a thread that are held */

static struct recent_ranges_thread *
find_thread(struct recent_ranges *s, const struct event *ev)
{
	bool fresh;
	struct recent_ranges_thread *t =
	    numbered_get(&s->threads, model_thread(ev), &fresh);

	if (fresh)
		*t = (struct recent_ranges_thread){0};
	return t;
}

uint32_t
recent_ranges_intern(struct recent_ranges *s, const struct event *ev, bool fold)
{
	struct text *t = &s->scratch;
	struct span name;

	t->len = 0;
	name = event_str(ev, KEY_name, t);
	if (t->len == 0)
		text_add_span(t, name);
	if (fold) {
		t->len = fold_name_always(t->p, t->len);
		t->len = fold_name_numbers(t->p, t->len);
	}
	return intern_get(&s->names, text_span(t));
}

/* The range with that number + 1, or NULL: there is none, or it was dropped. */
static const struct recent_range *
numbered(const struct recent_ranges_thread *t, uint64_t n)
{
	return n > t->first ? &t->all[n - 1 - t->first] : NULL;
}

/* The innermost one that goes on after ts, of n and those around it. */
static uint64_t
go_out(const struct recent_ranges_thread *t, uint64_t n, int64_t ts)
{
	const struct recent_range *r;

	while ((r = numbered(t, n)) != NULL && r->end <= ts)
		n = r->around;
	return r != NULL ? n : 0;
}

/* Forget the older half. */
static void
make_room(struct recent_ranges_thread *t)
{
	size_t half = t->count / 2;

	memmove(t->all, t->all + half, (t->count - half) * sizeof(*t->all));
	t->first += half;
	t->count -= half;
}

uint32_t
recent_ranges_add(struct recent_ranges *s, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct recent_ranges_thread *t;
	uint64_t around;
	uint32_t name;

	if (!event_has(ev, KEY_ts) || !event_has(ev, KEY_name))
		return INSIDE_NONE;
	name = recent_ranges_intern(s, ev, true);
	t = find_thread(s, ev);
	if (t->count == INSIDE_RANGES)
		make_room(t);
	around = go_out(t, t->first + t->count, ts);
	*array_add(&t->all, &t->count, &t->cap) = (struct recent_range){
	    .ts = ts, .end = event_end(ev, ts), .around = around, .name = name};
	return name;
}

uint32_t
recent_ranges_find(
    const struct recent_ranges *s, const struct event *ev, int64_t at)
{
	const struct recent_ranges_thread *t =
	    numbered_find(&s->threads, model_thread(ev));
	const struct recent_range *r;
	size_t n;

	if (t == NULL)
		return INSIDE_NONE;
	LOWER_BOUND(n, 0, t->count, t->all[n].ts <= at);
	r = numbered(t, go_out(t, t->first + n, at));
	return r != NULL ? r->name : INSIDE_NONE;
}

struct span
recent_ranges_name(const struct recent_ranges *s, uint32_t name)
{
	return intern_text(&s->names, name);
}

void
recent_ranges_reset(struct recent_ranges *s)
{
	for (size_t i = 0; i < s->threads.count; i++)
		free(s->threads.all[i].all);
	numbered_clear(&s->threads);
}

void
recent_ranges_free(struct recent_ranges *s)
{
	recent_ranges_reset(s);
	numbered_free(&s->threads);
	intern_free(&s->names);
	text_free(&s->scratch);
}
