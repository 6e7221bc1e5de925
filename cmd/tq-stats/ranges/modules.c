/*
 * modules.c - module: each operation for the innermost module of the model
 *
 * An operation of a graph has the module that tq-correlate gives it, or else,
 * as any other one, the innermost range around its call that is one, of any
 * domain.  Operations are held to the end of the section, 48 bytes each, and
 * ranges that are modules.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/names/fold_name.h"
#include "tq/names/module_name.h"

#include "sums/sums.h"
#include "self.h"
#include "tree.h"

struct module_op {
	int64_t ts, dur, pid, tid;
	int64_t call;    /* its start, or NO_ID */
	uint32_t module; /* of its graph: number + 1, or 0 */
};

struct module_sums {
	struct tree ranges; /* modules; their names are names of modules */
	struct module_op *ops;
	size_t count, cap;
	bool correlated;
};

static void
modules_open(struct report *r)
{
	struct module_sums *s = r->state;

	tree_init(&s->ranges, &self_settings, TREE_ACROSS);
}

static void
add_range(struct module_sums *s, const struct event *ev)
{
	struct tree *tree = &s->ranges;
	struct span module;

	tree->scratch.len = 0;
	module = module_name(event_str(ev, KEY_name, &tree->scratch));
	if (module.len > 0)
		tree_add_unnamed(tree, ev)->name =
		    numbered_texts_get(&tree->names, module);
}

static void
add_operation(struct module_sums *s, const struct event *ev)
{
	struct tree *tree = &s->ranges;
	struct module_op *op = array_add(&s->ops, &s->count, &s->cap);

	*op = (struct module_op){.ts = event_int(ev, KEY_ts, 0),
	    .dur = event_int(ev, KEY_dur, 0),
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .tid = event_int(ev, KEY_tid, NO_ID),
	    .call = event_int(ev, KEY_api_ts, NO_ID)};
	if (!event_has(ev, KEY_module))
		return;
	tree->scratch.len = 0;
	op->module = 1 + numbered_texts_get(&tree->names,
			     event_str(ev, KEY_module, &tree->scratch));
}

static void
modules_event(struct report *r, const struct event *ev)
{
	struct module_sums *s = r->state;

	s->correlated |= self_correlated(ev);
	if (event_has(ev, KEY_ts))
		range_time_add(&s->ranges.time, ev);
	if (ev->kind == KIND_range)
		add_range(s, ev);
	else if (self_is_op(ev))
		add_operation(s, ev);
}

/* Modules of one type are equal but for numbers. */
static void
make_key(struct report *r, struct span module)
{
	struct text *t = &r->scratch;

	t->len = 0;
	text_add_span(t, module);
	if (r->arg != NULL && t->len > 0)
		t->len = fold_name_numbers(t->p, t->len);
	r->key.len = 0;
	groups_part(&r->key, text_span(t));
}

static struct span
module_of(struct module_sums *s, const struct module_op *op)
{
	struct tree *tree = &s->ranges;
	const struct tree_range *range = NULL;

	if (op->module != 0)
		return numbered_texts_text(&tree->names, op->module - 1);
	if (op->call != NO_ID && tree->count > 0)
		range =
		    tree_enclosing(tree, op->pid, op->tid, op->call, op->call);
	return range != NULL ? numbered_texts_text(&tree->names, range->name)
			     : SPAN("");
}

static void
modules_section_end(struct report *r)
{
	struct module_sums *s = r->state;

	tree_finish(&s->ranges);
	for (size_t i = 0; i < s->count; i++) {
		make_key(r, module_of(s, &s->ops[i]));
		sums_interval(r, sums_group(r), s->ops[i].ts, s->ops[i].dur);
	}
	s->count = 0;
	tree_reset(&s->ranges);
}

/* Without a module it is empty: all operations in none are no answer. */
static void
modules_table(struct report *r, struct table *t)
{
	struct module_sums *s = r->state;
	bool any = false;

	for (size_t i = 0; i < r->groups.count; i++)
		any |= groups_key(r->groups.all[i], 0).len > 0;
	sums_table(r, t);
	if (!any || (!s->correlated && !r->correlated))
		t->row_count = 0; /* it has its columns all the same */
}

static void
modules_close(struct report *r)
{
	struct module_sums *s = r->state;

	tree_free(&s->ranges);
	free(s->ops);
}

const struct report_kind modules_reports[] = {
    {.name = "module",
	.question = ASKS_RANGES,
	.title = "Operations by their innermost Module of the Model",
	.args = "type",
	.missing = "no module in the stream: no range nn.Module: NAME of "
		   "PyTorch, no layer of vLLM or SGLang",
	.correlated = true,
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph) |
		 KINDS(end) | KINDS(range),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open,
	    KEY_end_tid, KEY_depth, KEY_resolved),
	.work_keys = KEYS(KEY_api_ts, KEY_module),
	.size = sizeof(struct module_sums),
	.open = modules_open,
	.event = modules_event,
	.section_end = modules_section_end,
	.table = modules_table,
	.close = modules_close,
	.sum = SUM(KEY_dur, "Ops", {{"Module"}})},
    {0},
};
