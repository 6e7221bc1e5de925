/* graph_resemblance.c - what a sequence of operations is most like */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/hash.h"

#include "graph_alignment.h"
#include "graph_resemblance.h"

/* ---- sources ---- */

void
graph_resemblance_source(struct graph_resemblance *r, uint64_t process)
{
	*array_add(&r->sources, &r->source_count, &r->source_cap) =
	    (struct graph_source){.process = process, .first = r->name_count};
}

void
graph_resemblance_call(
    struct graph_resemblance *r, uint64_t name, uint32_t label)
{
	struct graph_source *s = &r->sources[r->source_count - 1];

	*array_add(&r->source_names, &r->name_count, &r->name_cap) =
	    (uint32_t)map_number(&r->names, name, 0);
	*array_add(&r->source_labels, &r->label_count, &r->label_cap) = label;
	s->count++;
	s->hash = hash_mix(s->hash ^ name, (uint64_t)label << 1 | 1);
}

/* one that is like an earlier one adds nothing */
void
graph_resemblance_end(struct graph_resemblance *r)
{
	const struct graph_source *s = &r->sources[r->source_count - 1];
	bool fresh = false;

	if (s->count > 0)
		*keyed_get(&r->known, s->process, s->hash, &fresh) = true;
	if (fresh)
		return;
	r->name_count = r->label_count = s->first;
	r->source_count--;
}

/* ---- targets ---- */

void
graph_resemblance_operation(struct graph_resemblance *r, struct graph_target *t,
    int64_t place, uint64_t name)
{
	*array_add(&t->ops, &t->count, &t->cap) =
	    (struct graph_target_op){.place = place,
		.name = (uint32_t)map_number(&r->names, name, 0),
		.label = GRAPH_ALIGNMENT_NONE};
}

static int
by_place(const void *x, const void *y)
{
	const struct graph_target_op *a = x, *b = y;

	return (a->place > b->place) - (a->place < b->place);
}

/* a source that a target is compared with */
struct likely_source {
	const struct graph_source *source;
	size_t most; /* names that both have: alike they are no more */
};

static int
by_most(const void *x, const void *y)
{
	const struct likely_source *a = x, *b = y;

	if (a->most != b->most)
		return a->most > b->most ? -1 : 1;
	return (a->source->first > b->source->first) -
	       (a->source->first < b->source->first);
}

/* The names that both have; counts: of each name in the target, from 1. */
static size_t
shared_names(const struct graph_resemblance *r, const struct graph_source *s,
    const struct graph_target *t, uint32_t *counts)
{
	size_t shared = 0;

	memset(counts, 0, (r->names.count + 1) * sizeof(*counts));
	for (size_t j = 0; j < t->count; j++)
		counts[t->ops[j].name]++;
	for (size_t i = 0; i < s->count; i++) {
		uint32_t *left = &counts[r->source_names[s->first + i]];

		shared += *left > 0;
		*left -= *left > 0;
	}
	return shared;
}

static struct likely_source *
likely_sources(const struct graph_resemblance *r, const struct graph_target *t,
    size_t *count)
{
	struct likely_source *all =
	    mem_resize(NULL, r->source_count + 1, sizeof(*all));
	uint32_t *counts =
	    mem_resize(NULL, r->names.count + 1, sizeof(*counts));

	*count = 0;
	for (size_t i = 0; i < r->source_count; i++) {
		const struct graph_source *s = &r->sources[i];

		if (s->process != 0 && s->process != t->process)
			continue;
		all[(*count)++] =
		    (struct likely_source){s, shared_names(r, s, t, counts)};
	}
	free(counts);
	if (*count > 1)
		qsort(all, *count, sizeof(*all), by_most);
	return all;
}

static uint32_t
without_shapes(
    struct graph_resemblance *r, struct graph_labels *labels, uint32_t label)
{
	uint64_t *known = map_get(&r->shapeless, label, 0);

	if (*known == 0)
		*known = 1 + (uint64_t)graph_label_shapeless(labels, label);
	return (uint32_t)(*known - 1);
}

static uint32_t *
shapeless_labels(struct graph_resemblance *r, struct graph_labels *labels,
    const struct graph_source *s)
{
	uint32_t *to = mem_resize(NULL, s->count, sizeof(*to));

	for (size_t i = 0; i < s->count; i++)
		to[i] =
		    without_shapes(r, labels, r->source_labels[s->first + i]);
	return to;
}

/* Of sources that are as much alike a label counts if all have it. */
static void
take_found(struct graph_target *t, size_t alike, const uint32_t *found)
{
	bool better = alike > t->alike;

	for (size_t j = 0; j < t->count; j++) {
		uint32_t *label = &t->ops[j].label;

		if (better)
			*label = found[j];
		else if (found[j] != *label)
			*label = GRAPH_ALIGNMENT_NONE;
	}
	t->alike = alike;
}

static void
compare(struct graph_resemblance *r, struct graph_target *t,
    struct graph_labels *labels, const struct graph_source *s)
{
	uint32_t *names = mem_resize(NULL, t->count, sizeof(*names));
	uint32_t *found = mem_resize(NULL, t->count, sizeof(*found));
	uint32_t *shapeless = shapeless_labels(r, labels, s);
	const struct graph_sequence sequence = {
	    &r->source_names[s->first], shapeless, s->count};
	size_t alike;

	for (size_t j = 0; j < t->count; j++)
		names[j] = t->ops[j].name;
	alike = graph_alignment_find(&sequence, names, t->count, found);
	if (alike >= t->alike)
		take_found(t, alike, found);
	free(names);
	free(found);
	free(shapeless);
}

bool
graph_resemblance_find(struct graph_resemblance *r, struct graph_target *t,
    struct graph_labels *labels, int64_t percent)
{
	size_t count, enough = (t->count * (size_t)percent + 99) / 100;
	struct likely_source *all;

	qsort(t->ops, t->count, sizeof(*t->ops), by_place);
	all = likely_sources(r, t, &count);
	for (size_t i = 0; i < count && all[i].most > 0; i++) {
		/* none of the others is better, or good enough; the first is
		   the best there is, for a message */
		if (all[i].most < t->alike || (i > 0 && all[i].most < enough))
			break;
		if (graph_alignment_may(all[i].source->count, t->count)) {
			compare(r, t, labels, all[i].source);
		} else {
			r->long_ops = t->count;
			r->long_calls = all[i].source->count;
		}
	}
	free(all);
	return t->alike > 0 && t->alike >= enough;
}

void
graph_resemblance_free(struct graph_resemblance *r)
{
	map_free(&r->names);
	keyed_free(&r->known);
	free(r->sources);
	free(r->source_names);
	free(r->source_labels);
	map_free(&r->shapeless);
}
