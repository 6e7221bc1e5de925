/* held_gaps.c - gaps of which launches to come decide */

#include <stdlib.h>

#include "tq/advice/held_gaps.h"
#include "tq/base/array.h"

/* Move the gaps to the front, where there is room. */
static void
close_ranks(struct held_stream *s)
{
	if (s->first == 0)
		return;
	s->count -= s->first;
	memmove(s->all, s->all + s->first, s->count * sizeof(*s->all));
	s->first = 0;
}

static void
add_bytes(struct text *t, const void *p, size_t n)
{
	text_add(t, p, n);
}

/*
 * Copy the cuts of a gap, the values of the keys that rules gave its record,
 * and then the values of its own keys, each behind its length.
 */
static void
keep(struct held_gap *g, const struct event *ev)
{
	const struct event_extra *x = ev->extra;
	struct text *t = &g->kept;

	add_bytes(
	    t, g->claim.cuts, g->claim.cut_count * sizeof(*g->claim.cuts));
	g->extra = x->has;
	g->is_bool = x->is_bool;
	for (uint64_t left = x->has; left != 0; left &= left - 1)
		add_bytes(
		    t, &x->value[__builtin_ctzll(left)], sizeof(*x->value));
	g->has = ev->has;
	for (enum key k = keyset_next(&g->has, 0); k != KEY_NONE;
	     k = keyset_next(&g->has, k + 1)) {
		add_bytes(t, &ev->value[k].len, sizeof(ev->value[k].len));
		text_add_span(t, ev->value[k]);
	}
	text_reserve(t, EVENT_PADDING);
}

/* The next of these bytes. */
static void
take_bytes(const char **kept, void *p, size_t n)
{
	memcpy(p, *kept, n);
	*kept += n;
}

void
held_gaps_read(struct held_gap *g, struct event *ev, struct event_extra *extra)
{
	const char *p = g->kept.p;

	g->claim.cuts = (struct idle_cut *)(void *)g->kept.p;
	p += g->claim.cut_count * sizeof(*g->claim.cuts);
	extra->has = g->extra;
	extra->is_bool = g->is_bool;
	for (uint64_t left = g->extra; left != 0; left &= left - 1)
		take_bytes(&p, &extra->value[__builtin_ctzll(left)],
		    sizeof(*extra->value));
	event_make(ev, KIND_gap);
	for (enum key k = keyset_next(&g->has, 0); k != KEY_NONE;
	     k = keyset_next(&g->has, k + 1)) {
		struct span value;

		take_bytes(&p, &value.len, sizeof(value.len));
		value.p = p;
		event_give(ev, k, value);
		p += value.len;
	}
	ev->extra = extra;
}

void
held_gaps_add(struct held_gaps *h, size_t stream, struct held_gap gap,
    const struct event *ev)
{
	struct held_stream *s;

	while (h->count <= stream)
		*array_add(&h->streams, &h->count, &h->cap) =
		    (struct held_stream){0};
	s = &h->streams[stream];
	if (s->count == s->cap)
		close_ranks(s);
	if (h->spare_count > 0)
		gap.kept = h->spare[--h->spare_count];
	keep(&gap, ev);
	*array_add(&s->all, &s->count, &s->cap) = gap;
}

struct held_gap *
held_gaps_first(const struct held_gaps *h, size_t stream)
{
	const struct held_stream *s;

	if (stream >= h->count)
		return NULL;
	s = &h->streams[stream];
	return s->first < s->count ? &s->all[s->first] : NULL;
}

void
held_gaps_drop(struct held_gaps *h, size_t stream)
{
	struct held_stream *s = &h->streams[stream];
	struct text kept = s->all[s->first++].kept;

	kept.len = 0;
	*array_add(&h->spare, &h->spare_count, &h->spare_cap) = kept;
	if (s->first == s->count)
		s->first = s->count = 0;
}

void
held_gaps_free(struct held_gaps *h)
{
	for (size_t i = 0; i < h->count; i++) {
		struct held_stream *s = &h->streams[i];

		while (s->first < s->count)
			text_free(&s->all[s->first++].kept);
		free(s->all);
	}
	free(h->streams);
	while (h->spare_count > 0)
		text_free(&h->spare[--h->spare_count]);
	free(h->spare);
}
