/* self_ops.c - the ranges that operations were launched in */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"

#include "self.h"

const struct ask self_ask = {.version = 2024};

bool
self_correlated(const struct event *ev)
{
	return event_has(ev, KEY_api_ts) || event_has(ev, KEY_resolved) ||
	       (ev->kind == KIND_range && event_has(ev, KEY_depth));
}

bool
self_is_op(const struct event *ev)
{
	return schema_role(ev->kind) == ROLE_WORK && event_has(ev, KEY_dur);
}

/* ---- paths ---- */

void
self_add_folded(struct text *t, struct span name)
{
	size_t start = t->len;

	text_add_span(t, name);
	for (size_t i = start; i < t->len; i++)
		if (t->p[i] == ';')
			t->p[i] = ':';
		else if (t->p[i] == '\n' || t->p[i] == '\r')
			t->p[i] = ' ';
	if (t->len == start)
		text_add_str(t, "[no name]");
}

static void
add_name(struct self_ops *s, struct span name, bool first)
{
	if (!first)
		text_add_str(&s->path, s->style.separator);
	if (s->style.folded)
		self_add_folded(&s->path, name);
	else
		text_add_span(&s->path, name);
}

/* The key path of the operation at hand: a number + 1, or 0. */
static uint32_t
path_of(struct self_ops *s, const struct event *ev)
{
	struct json j;
	struct span name;
	bool first = true;

	if (s->style.separator == NULL || !event_has(ev, KEY_path))
		return 0;
	s->path.len = 0;
	json_open_array(&j, ev->value[KEY_path]);
	while (json_next_element(&j, &name)) {
		s->scratch.len = 0;
		json_decode(&s->scratch, name);
		add_name(s, text_span(&s->scratch), first);
		first = false;
	}
	return 1 + nvtx_name(&s->places, text_span(&s->path));
}

/*
 * From the parents of a range, which stand before it: if one does not, the
 * stream is not to be trusted.
 */
static void
make_path(struct self_ops *s, size_t range)
{
	bool first = true;

	for (;;) {
		const uint64_t *up =
		    map_find(&s->ids, (uint64_t)s->ranges[range].parent, 0);

		nvtx_stack_add(&s->chain, (int64_t)range);
		if (s->ranges[range].parent == NO_ID || up == NULL ||
		    *up - 1 >= range)
			break;
		range = *up - 1;
	}
	s->path.len = 0;
	while (s->chain.count > 0) {
		range = (size_t)s->chain.ids[--s->chain.count];
		add_name(
		    s, nvtx_name_text(&s->names, s->ranges[range].name), first);
		first = false;
	}
}

uint32_t
self_ops_place(struct self_ops *s, const struct self_op *op)
{
	const uint64_t *slot = NULL;
	struct self_range *r;

	if (op->path != 0)
		return op->path - 1;
	if (op->range != NO_ID)
		slot = map_find(&s->ids, (uint64_t)op->range, 0);
	if (slot == NULL)
		return nvtx_name(&s->places, SPAN(""));
	r = &s->ranges[*slot - 1];
	if (r->place != 0)
		return r->place - 1;
	if (s->style.separator != NULL) {
		make_path(s, *slot - 1);
		r->place = 1 + nvtx_name(&s->places, text_span(&s->path));
	} else {
		r->place = 1 + nvtx_name(&s->places,
				   nvtx_name_text(&s->names, r->name));
	}
	return r->place - 1;
}

/* ---- the stream ---- */

static void
add_range(struct self_ops *s, const struct event *ev)
{
	int64_t id = event_int(ev, KEY_id, NO_ID);

	if (id == NO_ID)
		return; /* nobody refers to it */
	if (s->range_count == s->range_cap) {
		s->range_cap = s->range_cap * 2 + 256;
		s->ranges =
		    mem_resize(s->ranges, s->range_cap, sizeof(*s->ranges));
	}
	nvtx_event_name(&s->scratch, &self_ask, ev);
	s->ranges[s->range_count++] =
	    (struct self_range){.parent = event_int(ev, KEY_parent, NO_ID),
		.name = nvtx_name(&s->names, text_span(&s->scratch))};
	*map_get(&s->ids, (uint64_t)id, 0) = s->range_count;
}

struct self_op *
self_ops_add(struct self_ops *s, const struct event *ev)
{
	s->correlated |= self_correlated(ev);
	if (ev->kind == KIND_range)
		add_range(s, ev);
	if (!self_is_op(ev))
		return NULL;
	if (s->count == s->cap) {
		s->cap = s->cap * 2 + 256;
		s->all = mem_resize(s->all, s->cap, sizeof(*s->all));
	}
	s->all[s->count] = (struct self_op){
	    .ts = event_int(ev, KEY_ts, 0),
	    .dur = event_int(ev, KEY_dur, 0),
	    .range = event_int(ev, KEY_range, NO_ID),
	    .path = path_of(s, ev),
	};
	return &s->all[s->count++];
}

void
self_ops_reset(struct self_ops *s)
{
	s->count = s->range_count = 0;
	map_clear(&s->ids);
}

void
self_ops_free(struct self_ops *s)
{
	nvtx_names_free(&s->names);
	nvtx_names_free(&s->places);
	map_free(&s->ids);
	free(s->ranges);
	free(s->all);
	nvtx_stack_free(&s->chain);
	text_free(&s->scratch);
	text_free(&s->path);
}
