/* counters.c - rows of values */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/base/mem.h"
#include "counters.h"

void
counters_reset(struct counters *c)
{
	for (size_t i = 0; i < c->count; i++) {
		text_free(&c->all[i].name);
		text_free(&c->all[i].unit);
	}
	free(c->all);
	map_free(&c->map);
	*c = (struct counters){0};
}

static struct counter_track *
add(struct counters *c, const struct track_group *g)
{
	struct counter_track *s;

	if (c->count == c->cap) {
		c->cap = c->cap * 2 + 16;
		c->all = mem_resize(c->all, c->cap, sizeof(*c->all));
	}
	s = &c->all[c->count++];
	*s = (struct counter_track){.group = g};
	return s;
}

static bool
is_taken(const struct counters *c, const struct counter_track *added)
{
	for (const struct counter_track *s = c->all; s < added; s++)
		if (s->group == added->group &&
		    span_eq(text_span(&s->name), text_span(&added->name)))
			return true;
	return false;
}

struct counter_track *
counters_defined(struct counters *c, const struct names *names,
    const struct track_group *g, int64_t id)
{
	uint64_t *slot = map_get(&c->map, g->number * 2, (uint64_t)id);
	struct counter_track *s;
	struct defined_name name;

	if (*slot != 0)
		return &c->all[*slot - 1];
	s = add(c, g);
	*slot = c->count;
	names_counter(names, id, &name);
	text_add_span(&s->unit, name.more);
	text_add_span(
	    &s->name, name.name.len > 0 ? name.name : SPAN("counter"));
	if (id != NO_ID && (name.name.len == 0 || is_taken(c, s)))
		text_printf(&s->name, " %" PRId64, id);
	return s;
}

struct counter_track *
counters_memory(
    struct counters *c, const struct track_group *g, struct span kind)
{
	uint64_t *slot = map_get(&c->map, g->number * 2 + 1, span_hash(kind));
	struct counter_track *s;

	if (*slot != 0)
		return &c->all[*slot - 1];
	s = add(c, g);
	*slot = c->count;
	text_add_str(&s->name, "memory");
	if (kind.len > 0) {
		text_add_char(&s->name, ' ');
		text_add_span(&s->name, kind);
	}
	text_add_str(&s->unit, "bytes");
	return s;
}
