/* counters.c - rows of values */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/draw/counters.h"

void
series_reset(struct series_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		text_free(&set->series[i].name);
		text_free(&set->series[i].unit);
	}
	free(set->series);
	map_free(&set->map);
	*set = (struct series_set){0};
}

static struct series *
add(struct series_set *set, const struct group *g)
{
	struct series *s;

	if (set->count == set->cap) {
		set->cap = set->cap * 2 + 16;
		set->series =
		    mem_resize(set->series, set->cap, sizeof(*set->series));
	}
	s = &set->series[set->count++];
	*s = (struct series){.group = g};
	return s;
}

static bool
is_taken(const struct series_set *set, const struct series *added)
{
	for (const struct series *s = set->series; s < added; s++)
		if (s->group == added->group &&
		    span_eq(text_span(&s->name), text_span(&added->name)))
			return true;
	return false;
}

struct series *
series_counter(struct series_set *set, const struct names *names,
    const struct group *g, int64_t id)
{
	uint64_t *slot = map_get(&set->map, g->number * 2, (uint64_t)id);
	struct series *s;
	struct name name;

	if (*slot != 0)
		return &set->series[*slot - 1];
	s = add(set, g);
	*slot = set->count;
	names_counter(names, id, &name);
	text_add_span(&s->unit, name.more);
	text_add_span(
	    &s->name, name.name.len > 0 ? name.name : SPAN("counter"));
	if (id != NO_ID && (name.name.len == 0 || is_taken(set, s)))
		text_printf(&s->name, " %" PRId64, id);
	return s;
}

struct series *
series_memory(struct series_set *set, const struct group *g, struct span kind)
{
	uint64_t *slot = map_get(&set->map, g->number * 2 + 1, span_hash(kind));
	struct series *s;

	if (*slot != 0)
		return &set->series[*slot - 1];
	s = add(set, g);
	*slot = set->count;
	text_add_str(&s->name, "memory");
	if (kind.len > 0) {
		text_add_char(&s->name, ' ');
		text_add_span(&s->name, kind);
	}
	text_add_str(&s->unit, "bytes");
	return s;
}
