/* held_gaps.c - gaps of which launches to come decide */

#include <stdlib.h>

#include "tq/advice/held_gaps.h"
#include "tq/base/array.h"

static void
free_gap(struct held_gap *g)
{
	free(g->claim.cuts);
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

void
held_gaps_add(
    struct held_gaps *h, size_t stream, struct held_gap gap, struct text *line)
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
	gap.line = *line;
	*line = (struct text){0};
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
