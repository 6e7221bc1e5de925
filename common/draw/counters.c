/* counters.c - tracks of values */

#include <inttypes.h>

#include "counters.h"

void
counters_reset(struct counters *c)
{
	for (size_t i = 0; i < c->tracks.count; i++) {
		text_free(&c->tracks.all[i].name);
		text_free(&c->tracks.all[i].unit);
	}
	keyed_free(&c->tracks);
}

static bool
is_taken(const struct counters *c, const struct counter_track *added)
{
	for (const struct counter_track *t = c->tracks.all; t < added; t++)
		if (t->group == added->group &&
		    span_eq(text_span(&t->name), text_span(&added->name)))
			return true;
	return false;
}

/* percent of whatever, such as "Throughput %" */
static bool
is_percent(struct span unit)
{
	return unit.len > 0 && unit.p[unit.len - 1] == '%';
}

struct counter_track *
counters_defined(struct counters *c, const struct names *names,
    const struct track_group *g, int64_t id)
{
	struct counter_track *t;
	struct defined_name name;
	bool fresh;

	t = keyed_get(&c->tracks, g->number * 2, (uint64_t)id, &fresh);
	if (!fresh)
		return t;
	*t = (struct counter_track){.group = g};
	names_counter(names, id, &name);
	text_add_span(&t->unit, is_percent(name.more) ? SPAN("%") : name.more);
	text_add_span(
	    &t->name, name.name.len > 0 ? name.name : SPAN("counter"));
	if (id != NO_ID && (name.name.len == 0 || is_taken(c, t)))
		text_printf(&t->name, " %" PRId64, id);
	return t;
}

struct counter_track *
counters_memory(
    struct counters *c, const struct track_group *g, struct span kind)
{
	struct counter_track *t;
	bool fresh;

	t = keyed_get(&c->tracks, g->number * 2 + 1, span_hash(kind), &fresh);
	if (!fresh)
		return t;
	*t = (struct counter_track){.group = g};
	text_add_str(&t->name, "memory");
	if (kind.len > 0) {
		text_add_char(&t->name, ' ');
		text_add_span(&t->name, kind);
	}
	text_add_str(&t->unit, "bytes");
	return t;
}
