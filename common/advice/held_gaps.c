/* held_gaps.c - gaps of which launches to come decide */

#include <stdlib.h>

#include "tq/advice/held_gaps.h"
#include "tq/base/array.h"

static void
free_gap(struct held_gap *g)
{
	free(g->claim.cuts);
	free(g->values);
	text_free(&g->line);
}

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

/* Keep the record, and the keys that it has got. */
static void
keep_event(struct held_gap *g, const struct event *ev)
{
	const struct event_extra *x = ev->extra;
	size_t n = 0;

	text_add_span(&g->line, ev->line);
	text_reserve(&g->line, EVENT_PADDING);
	g->extra = x->has;
	g->is_bool = x->is_bool;
	g->values = mem_resize(
	    NULL, (size_t)__builtin_popcountll(x->has) + 1, sizeof(*g->values));
	for (uint64_t left = x->has; left != 0; left &= left - 1)
		g->values[n++] = x->value[__builtin_ctzll(left)];
}

bool
held_gaps_read(struct held_gap *g, struct event *ev, const struct keyset *want,
    struct event_extra *extra)
{
	size_t n = 0;

	if (!event_parse(ev, text_span(&g->line), want))
		return false;
	extra->has = g->extra;
	extra->is_bool = g->is_bool;
	for (uint64_t left = g->extra; left != 0; left &= left - 1)
		extra->value[__builtin_ctzll(left)] = g->values[n++];
	ev->extra = extra;
	return true;
}

void
held_gaps_add(struct held_gaps *h, size_t stream, struct held_gap gap,
    const struct event *ev)
{
	size_t size = gap.claim.cut_count * sizeof(*gap.claim.cuts);
	const struct idle_cut *cuts = gap.claim.cuts;
	struct held_stream *s;

	while (h->count <= stream)
		*array_add(&h->streams, &h->count, &h->cap) =
		    (struct held_stream){0};
	s = &h->streams[stream];
	if (s->count == s->cap)
		close_ranks(s);
	keep_event(&gap, ev);
	gap.claim.cuts = mem_alloc(size);
	if (size > 0)
		memcpy(gap.claim.cuts, cuts, size);
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

	free_gap(&s->all[s->first++]);
	if (s->first == s->count)
		s->first = s->count = 0;
}

void
held_gaps_free(struct held_gaps *h)
{
	for (size_t i = 0; i < h->count; i++) {
		struct held_stream *s = &h->streams[i];

		while (s->first < s->count)
			free_gap(&s->all[s->first++]);
		free(s->all);
	}
	free(h->streams);
}
