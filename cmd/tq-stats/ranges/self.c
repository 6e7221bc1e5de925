/*
 * self.c - exclusive time: each operation counts for its innermost range, so
 * that the rows add up to the time of all operations
 */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/array.h"
#include "tq/names/fold_name.h"
#include "tq/show/escape.h"

#include "sums/sums.h"
#include "self.h"

const struct report_settings self_settings = {.version = 2024};

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
self_append_folded(struct text *t, struct span name)
{
	size_t start = t->len;

	escape_terminal(t, name);
	for (size_t i = start; i < t->len; i++)
		if (t->p[i] == ';')
			t->p[i] = ':';
	if (t->len == start)
		text_add_str(t, "[no name]");
}

static void
add_name(struct self_ops *s, struct span name, bool first)
{
	if (!first)
		text_add_str(&s->path, s->style.separator);
	if (s->style.folded)
		self_append_folded(&s->path, name);
	else
		text_add_span(&s->path, name);
}

/* The name of a range in s->scratch, in the style. */
static struct span
styled_name(struct self_ops *s)
{
	if (s->style.short_names)
		s->scratch.len = fold_name_always(s->scratch.p, s->scratch.len);
	return text_span(&s->scratch);
}

/*
 * The key path of an operation, in the style: a number + 1, or 0.  The
 * innermost range of an operation of a graph is one of the capture, if that has
 * any.
 */
static uint32_t
given_path(struct self_ops *s, const struct event *ev)
{
	bool innermost = s->style.separator == NULL;
	int64_t launch = event_int(ev, KEY_graph_depth, INT64_MAX), count = 0;
	struct json j;
	struct span name;

	if (!event_has(ev, KEY_path) || (innermost && launch == INT64_MAX))
		return 0;
	s->path.len = 0;
	json_open_array(&j, ev->value[KEY_path]);
	while (json_next_element(&j, &name)) {
		s->scratch.len = 0;
		json_decode(&s->scratch, name);
		if (innermost)
			s->path.len = 0;
		add_name(s, styled_name(s), innermost || count == 0);
		count++;
	}
	return innermost && count <= launch
		   ? 0
		   : 1 + numbered_texts_get(&s->paths, text_span(&s->path));
}

/*
 * From the parents of a range, which stand before it; in a broken stream one
 * that does not ends the path.
 */
static void
make_path(struct self_ops *s, size_t range)
{
	bool first = true;

	for (;;) {
		int64_t parent = s->ranges[range].parent;
		const uint64_t *up = map_find(&s->ids, (uint64_t)parent, 0);

		*array_add(&s->chain, &s->chain_count, &s->chain_cap) = range;
		if (parent == NO_ID || up == NULL || *up - 1 >= range)
			break;
		range = *up - 1;
	}
	s->path.len = 0;
	while (s->chain_count > 0) {
		range = s->chain[--s->chain_count];
		add_name(s,
		    numbered_texts_text(&s->names, s->ranges[range].name),
		    first);
		first = false;
	}
}

uint32_t
self_path(struct self_ops *s, const struct self_op *op)
{
	const uint64_t *slot = NULL;
	struct self_range *r;
	struct span path;

	if (op->path != 0)
		return op->path - 1;
	if (op->range != NO_ID)
		slot = map_find(&s->ids, (uint64_t)op->range, 0);
	if (slot == NULL)
		return numbered_texts_get(&s->paths, SPAN(""));
	r = &s->ranges[*slot - 1];
	if (r->path == 0) {
		path = numbered_texts_text(&s->names, r->name);
		if (s->style.separator != NULL) {
			make_path(s, *slot - 1);
			path = text_span(&s->path);
		}
		r->path = 1 + numbered_texts_get(&s->paths, path);
	}
	return r->path - 1;
}

/* ---- the stream ---- */

void
self_add_range(struct self_ops *s, int64_t id, int64_t parent, struct span name)
{
	*array_add(&s->ranges, &s->range_count, &s->range_cap) =
	    (struct self_range){
		.parent = parent, .name = numbered_texts_get(&s->names, name)};
	*map_get(&s->ids, (uint64_t)id, 0) = s->range_count;
}

static void
add_range(struct self_ops *s, const struct event *ev)
{
	int64_t id = event_int(ev, KEY_id, NO_ID);

	if (id == NO_ID)
		return; /* nothing refers to it */
	range_name(&s->scratch, &self_settings, ev);
	self_add_range(s, id, event_int(ev, KEY_parent, NO_ID), styled_name(s));
}

struct self_op *
self_add(struct self_ops *s, const struct event *ev)
{
	struct self_op *op;

	s->correlated |= self_correlated(ev);
	if (ev->kind == KIND_range)
		add_range(s, ev);
	if (!self_is_op(ev))
		return NULL;
	op = array_add(&s->all, &s->count, &s->cap);
	*op = (struct self_op){
	    .ts = event_int(ev, KEY_ts, 0),
	    .dur = event_int(ev, KEY_dur, 0),
	    .range = event_int(ev, KEY_range, NO_ID),
	    .path = given_path(s, ev),
	};
	return op;
}

void
self_reset(struct self_ops *s)
{
	s->count = s->range_count = 0;
	map_clear(&s->ids);
}

void
self_free(struct self_ops *s)
{
	numbered_texts_free(&s->names);
	numbered_texts_free(&s->paths);
	map_free(&s->ids);
	free(s->ranges);
	free(s->all);
	free(s->chain);
	text_free(&s->scratch);
	text_free(&s->path);
}

/* ---- range_self ---- */

struct range_self {
	struct self_ops ops;
	struct groups groups;
	struct text key;
};

static void
range_self_open(struct report *r)
{
	struct range_self *s = r->state;

	s->ops.style.separator = r->arg != NULL ? " / " : NULL;
	s->ops.style.short_names = report_wants_folded(r);
	r->families.parts = report_wants_folded(r);
}

static void
range_self_event(struct report *r, const struct event *ev)
{
	struct range_self *s = r->state;

	self_add(&s->ops, ev);
}

static void
range_self_section_end(struct report *r)
{
	struct range_self *s = r->state;

	for (size_t i = 0; i < s->ops.count; i++) {
		const struct self_op *op = &s->ops.all[i];
		uint32_t path = self_path(&s->ops, op);

		r->key.len = 0;
		groups_part(&r->key, numbered_texts_text(&s->ops.paths, path));
		sums_interval(r, sums_group(r), op->ts, op->dur);
	}
	self_reset(&s->ops);
}

static void
range_self_table(struct report *r, struct table *t)
{
	struct range_self *s = r->state;

	sums_table(r, t);
	if (!s->ops.correlated && !r->correlated)
		t->row_count = 0; /* it has its columns all the same */
}

static void
range_self_close(struct report *r)
{
	struct range_self *s = r->state;

	self_free(&s->ops);
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_id, KEY_domain, KEY_open, KEY_end_tid, KEY_parent, KEY_depth,
    KEY_resolved, KEY_stack, KEY_NONE};
static const enum key work_keys[] = {KEY_api_ts, KEY_range, KEY_path,
    KEY_graph_depth, KEY_copy, KEY_graph, KEY_NONE};

const struct report_kind self_reports[] = {
    {.name = "range_self",
	.question = ASKS_RANGES,
	.rows = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.title = "Operations by their innermost Range",
	.args = "path",
	.more = "folded",
	.missing = "no operation of a device in the stream",
	.correlated = true,
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph) |
		 KINDS(end) | KINDS(range),
	.keys = keys,
	.work_keys = work_keys,
	.size = sizeof(struct range_self),
	.open = range_self_open,
	.event = range_self_event,
	.section_end = range_self_section_end,
	.table = range_self_table,
	.close = range_self_close,
	.sum = SUM(KEY_dur, "Ops", {{"Range"}})},
    {0},
};
