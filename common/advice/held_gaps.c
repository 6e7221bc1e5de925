/* held_gaps.c - gaps of which launches to come decide */

#include <stdlib.h>

#include "tq/advice/held_gaps.h"
#include "tq/base/array.h"

static void
free_gap(struct held_gap *g)
{
	free(g->claim.cuts);
	free(g->keys);
	text_free(&g->text);
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
	text_add_span(&g->text, ev->line);
	g->line_len = ev->line.len;
	g->key_count = ev->unknown_count;
	g->keys = mem_resize(NULL, g->key_count + 1, sizeof(*g->keys));
	for (size_t i = 0; i < g->key_count; i++) {
		g->keys[i] = (struct held_key){.key = ev->unknown[i].key,
		    .at = g->text.len,
		    .len = ev->unknown[i].value.len};
		text_add_span(&g->text, ev->unknown[i].value);
	}
	text_reserve(&g->text, EVENT_PADDING);
}

bool
held_gaps_read(struct held_gap *g, struct event *ev, const struct keyset *want)
{
	if (!event_parse(ev, (struct span){g->text.p, g->line_len}, want))
		return false;
	for (size_t i = 0; i < g->key_count; i++) {
		const struct held_key *k = &g->keys[i];

		*array_add(&ev->unknown, &ev->unknown_count, &ev->unknown_cap) =
		    (struct event_member){k->key, {g->text.p + k->at, k->len}};
	}
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
