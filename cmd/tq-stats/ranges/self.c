/*
 * self.c - exclusive time: each operation is charged to its innermost range,
 * so that the rows add up to the time of all operations
 */

#include <stdlib.h>

#include "self.h"

/* ---- range_self ---- */

struct range_self {
	struct self_ops ops;
	struct groups groups;
	struct text key;
};

static void
open_report(struct report *r)
{
	struct range_self *s = r->state;

	s->ops.style.separator = r->arg != NULL ? " / " : NULL;
}

static void
event(struct report *r, const struct event *ev)
{
	struct range_self *s = r->state;

	self_ops_add(&s->ops, ev);
}

static void
section_end(struct report *r)
{
	struct range_self *s = r->state;

	for (size_t i = 0; i < s->ops.count; i++) {
		const struct self_op *op = &s->ops.all[i];
		uint32_t place = self_ops_place(&s->ops, op);

		s->key.len = 0;
		groups_part(&s->key, nvtx_name_text(&s->ops.places, place));
		groups_interval(groups_get(&s->groups, text_span(&s->key)),
		    op->ts, op->dur);
	}
	self_ops_reset(&s->ops);
}

static void
table(struct report *r, struct table *t)
{
	static const char *const name[] = {"Range", NULL};
	struct range_self *s = r->state;

	if (s->ops.correlated || r->correlated)
		groups_table(&s->groups, t, "Ops", name, r);
}

static struct groups *
groups_of(const struct report *r)
{
	return &((struct range_self *)r->state)->groups;
}

static void
close_report(struct report *r)
{
	struct range_self *s = r->state;

	self_ops_free(&s->ops);
	groups_free(&s->groups);
	text_free(&s->key);
}

/* ---- the list ---- */

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_id, KEY_domain, KEY_open, KEY_end_tid, KEY_parent, KEY_depth,
    KEY_resolved, KEY_stack, KEY_NONE};
static const enum key work_keys[] = {KEY_api_ts, KEY_range, KEY_NONE};
static const enum key path_keys[] = {
    KEY_api_ts, KEY_range, KEY_path, KEY_copy, KEY_graph, KEY_NONE};

#define OPS \
	(KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph) | \
	    KINDS(end))

const struct report_kind report_self[] = {
    {.name = "range_self",
	.title = "Operations by their innermost Range",
	.args = "path",
	.missing = "no operation of a device in the stream",
	.correlated = true,
	.kinds = OPS | KINDS(range),
	.keys = keys,
	.work_keys = path_keys,
	.size = sizeof(struct range_self),
	.open = open_report,
	.event = event,
	.section_end = section_end,
	.table = table,
	.close = close_report,
	.groups = groups_of},
    {.name = "folded",
	.title = "Folded Stacks of Ranges and Operations",
	.args = "samples",
	.missing = "no operation of a device in the stream",
	.correlated = true,
	.kinds = OPS | KINDS(range) | KINDS(stack) | KINDS(sample),
	.keys = keys,
	.work_keys = path_keys,
	.size = sizeof(struct self_folded),
	.open = folded_open,
	.event = folded_event,
	.section_end = folded_section_end,
	.text = folded_text,
	.close = folded_close,
	.groups = folded_groups},
    {.name = "key_averages",
	.title = "Ranges on Host and Devices",
	.missing = "no range in the stream",
	.correlated = true,
	.kinds = REPORT_EVENTS | KINDS(trace) | KINDS(end),
	.keys = keys,
	.work_keys = work_keys,
	.size = sizeof(struct self_averages),
	.open = averages_open,
	.event = averages_event,
	.section_end = averages_section_end,
	.table = averages_table,
	.close = averages_close,
	.groups = averages_groups},
    {0},
};
