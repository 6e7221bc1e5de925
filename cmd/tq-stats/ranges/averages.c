/*
 * averages.c - key_averages: the table that PyTorch prints of its operators,
 * for ranges; and torch_ops: the same for ranges of PyTorch and API calls
 *
 * A range is the child of the one that encloses it most closely on its thread,
 * of any domain; one that was never closed lasts to the end of the section.
 * Time within a range of the same name counts for the name once.  All ranges
 * of a section are held, about 150 bytes each.
 *
 * In torch_ops calls are children, too.  An operation counts for the range
 * around its call, or for the call where that is in no range; if its call is
 * not in the stream, for the operator that the profiler names.  So the stream
 * need not have gone through tq-correlate.  An operation of a graph counts for
 * the operator that was captured, where tq-correlate names it (op_name): only
 * totals of the ranges around the launch have it, too.
 *
 * Its ranges are those of PyTorch's profiler, in the domain torch, or NVTX
 * ranges of emit_nvtx(), which have no domain, and arguments in their names:
 * "aten::add, seq = 3, op_id = 5".  Beside these, other NVTX ranges without a
 * domain are annotations.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/keyed.h"
#include "tq/base/numbered.h"
#include "tq/names/fold_name.h"

#include "sums/sums.h"
#include "tq/show/col.h"
#include "averages.h"
#include "self.h"
#include "tree.h"

/* the operations of a range by its id; of a call, or of an operator */
struct averages_work {
	dist_wide time;
	dist_wide replayed; /* beside time: of captured operators */
	int64_t ops;
	int64_t pid, ext; /* ext: the operator of a call, or NO_ID */
};

/* operations of graphs, of an operator that was captured */
struct averages_replay {
	uint32_t name;
	dist_wide time;
	int64_t ops;
};

/* found by the two words of a key */
struct averages_works {
	KEYED(struct averages_work) by;
};

/* the key of operations in no range: no name, and a part that ranges do not
 * have */
#define OUTSIDE ((struct span){"\0outside", 9})

struct averages_name {
	struct group *g;
	struct group *all; /* of the family of folded names, or NULL */
	uint64_t until; /* ranges visited before are within one of the name */
};

/* the same of a family, by its group */
struct averages_family {
	uint64_t until;
};

/* the sums of a range */
struct averages_node {
	dist_wide own;              /* time of its operations */
	dist_wide replayed;         /* of captured operators, beside it */
	dist_wide device;           /* of both, and of ranges within */
	uint32_t range;             /* around it, no call: index + 1, or 0 */
	int64_t covered, cover_end; /* by children */
	uint32_t children;
	uint64_t size, first; /* ranges within, and where they begin */
};

struct averages {
	struct tree ranges;          /* and calls; see is_call() */
	struct averages_works work;  /* of the section: (range, 0) */
	struct averages_works calls; /* instead, of torch_ops: (pid, corr) */
	struct averages_works operators;          /* and (pid, ext) */
	NUMBERED(struct averages_replay) replays; /* and by name + 1 */
	struct averages_name *all;                /* by name of ranges */
	size_t cap;
	KEYED(struct averages_family) families;
	uint64_t visited; /* ranges of the sections before */
	bool correlated;
	bool torch; /* it is torch_ops */
	bool nvtx;  /* the section has operators of emit_nvtx() */
	bool over;  /* the page has device operations */
};

static void
averages_open(struct report *r)
{
	struct averages *s = r->state;

	s->torch = !r->kind->correlated;
	tree_init(&s->ranges, &self_settings, TREE_ACROSS);
	s->ranges.short_names = report_wants_folded(r);
	if (!report_wants_folded(r))
		return;
	r->families.parts = 1;
	r->families.counted = AVERAGES_VALUES + 1;
	r->families.moved = 1u << AVERAGES_SELF_CPU |
			    1u << AVERAGES_SELF_DEVICE | 1u << AVERAGES_CALLS |
			    1u << AVERAGES_VALUES;
}

/* ---- the stream ---- */

static struct averages_work *
find_work(struct averages_works *all, int64_t a, int64_t b)
{
	bool fresh;
	struct averages_work *w =
	    keyed_get(&all->by, (uint64_t)a, (uint64_t)b, &fresh);

	if (fresh)
		*w = (struct averages_work){.ext = NO_ID};
	return w;
}

static void
add_work(struct averages_work *w, const struct event *ev)
{
	w->time += event_int(ev, KEY_dur, 0);
	w->ops++;
}

static void
averages_event(struct report *r, const struct event *ev)
{
	struct averages *s = r->state;

	s->correlated |= self_correlated(ev);
	if (event_has(ev, KEY_ts) || ev->kind == KIND_trace)
		range_time_add(&s->ranges.time, ev);
	if (ev->kind == KIND_range)
		tree_add(&s->ranges, ev);
	else if (self_is_op(ev))
		add_work(
		    find_work(&s->work, event_int(ev, KEY_range, NO_ID), 0),
		    ev);
}

/* ---- the stream, of torch_ops ---- */

/* of ranges and calls of the same time calls are the inner ones */
#define CALL_ORDER 0x80000000u

static bool
is_call(const struct tree_range *r)
{
	return r->style == RANGE_NONE;
}

/* the style of an annotation that counts beside operators of emit_nvtx() */
#define STYLE_BESIDE (RANGE_NONE + 1)

enum torch_type { TORCH_NONE, TORCH_OPERATOR, TORCH_ANNOTATION, TORCH_CALL };

static const char *const types[] = {
    "", "operator", "annotation", "runtime call"};

static bool
has_text(struct span s, const char *word)
{
	return s.len > 0 && memmem(s.p, s.len, word, strlen(word)) != NULL;
}

/* An operator as emit_nvtx() of PyTorch names its range. */
static bool
is_nvtx_operator(struct span name)
{
	return has_text(name, ", op_id = ") || has_text(name, ", seq = ") ||
	       (name.len > 6 && memcmp(name.p, "aten::", 6) == 0);
}

/* The type of a range without a domain, whose name is in *name. */
static enum torch_type
nvtx_type(struct averages *s, struct tree_range *r, struct text *name)
{
	if (!is_nvtx_operator(text_span(name))) {
		r->style = STYLE_BESIDE;
		return TORCH_ANNOTATION;
	}
	name->len = fold_name_always(name->p, name->len);
	s->nvtx = true;
	return TORCH_OPERATOR;
}

/* An annotation is of the user. */
static enum torch_type
kineto_type(const struct event *ev, struct text *t)
{
	t->len = 0;
	return span_eq(event_str(ev, KEY_category, t), SPAN("user_annotation"))
		   ? TORCH_ANNOTATION
		   : TORCH_OPERATOR;
}

/* TORCH_NONE if it is no range of PyTorch. */
static enum torch_type
find_type(struct averages *s, const struct event *ev)
{
	struct text *t = &s->ranges.scratch;

	if (ev->kind == KIND_api)
		return TORCH_CALL;
	if (!event_has(ev, KEY_domain))
		return TORCH_ANNOTATION; /* see nvtx_type() */
	t->len = 0;
	if (!span_eq(event_str(ev, KEY_domain, t), SPAN("torch")))
		return TORCH_NONE;
	return kineto_type(ev, t);
}

/* The text of a key, alone in the scratch of the tree. */
static struct text *
scratch_text(struct averages *s, const struct event *ev, enum key key)
{
	struct text *t = &s->ranges.scratch;
	struct span text;

	t->len = 0;
	text = event_str(ev, key, t);
	if (text.p != t->p) {
		t->len = 0;
		text_add_span(t, text);
	}
	return t;
}

/* The number of a name and, behind a NUL, its type as text: see add_key(). */
static uint32_t
typed_name(struct averages *s, struct text *t, enum torch_type type)
{
	struct tree *tree = &s->ranges;

	if (tree->short_names)
		t->len = fold_name_always(t->p, t->len);
	text_add_char(t, '\0');
	text_add_str(t, types[type]);
	return numbered_texts_get(&tree->names, text_span(t));
}

static void
name_torch(struct averages *s, struct tree_range *r, const struct event *ev,
    enum torch_type type)
{
	struct text *t = scratch_text(s, ev, KEY_name);

	if (ev->kind == KIND_range && !event_has(ev, KEY_domain))
		type = nvtx_type(s, r, t);
	r->name = typed_name(s, t, type);
}

static void
add_torch(struct averages *s, const struct event *ev)
{
	struct tree *tree = &s->ranges;
	bool call = ev->kind == KIND_api;
	enum torch_type type = find_type(s, ev);
	struct tree_range *r;

	if (type == TORCH_NONE)
		return;
	r = tree_add_unnamed(tree, ev);
	r->id = event_int(ev, call ? KEY_corr : KEY_ext, NO_ID);
	if (call) {
		r->style = RANGE_NONE;
		r->order |= CALL_ORDER;
	}
	name_torch(s, r, ev, type);
}

/* Annotations in NVTX count beside operators in NVTX only: others go. */
static void
settle_annotations(struct averages *s)
{
	struct tree *tree = &s->ranges;
	size_t n = 0;

	for (size_t i = 0; i < tree->count; i++) {
		if (tree->all[i].style == STYLE_BESIDE) {
			if (!s->nvtx)
				continue;
			tree->all[i].style = RANGE_PUSH;
		}
		tree->all[n++] = tree->all[i];
	}
	tree->count = n;
	s->nvtx = false;
}

/* w: of the call that launched the graph */
static void
add_replayed(
    struct averages *s, struct averages_work *w, const struct event *ev)
{
	int64_t dur = event_int(ev, KEY_dur, 0);
	uint32_t name =
	    typed_name(s, scratch_text(s, ev, KEY_op_name), TORCH_OPERATOR);
	bool fresh;
	struct averages_replay *o = numbered_get(&s->replays, name + 1, &fresh);

	if (fresh)
		*o = (struct averages_replay){.name = name};
	o->time += dur;
	o->ops++;
	w->replayed += dur;
}

static void
add_launched(struct averages *s, const struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t ext = event_int(ev, KEY_ext, NO_ID);
	struct averages_work *w;

	if (event_has(ev, KEY_corr))
		w = find_work(&s->calls, pid, event_int(ev, KEY_corr, 0));
	else
		w = find_work(&s->operators, pid, ext);
	w->pid = pid;
	w->ext = ext;
	if (event_has(ev, KEY_op_name))
		add_replayed(s, w, ev);
	else
		add_work(w, ev);
}

static void
torch_event(struct report *r, const struct event *ev)
{
	struct averages *s = r->state;

	if (event_has(ev, KEY_ts))
		range_time_add(&s->ranges.time, ev);
	if (ev->kind == KIND_range || ev->kind == KIND_api)
		add_torch(s, ev);
	else if (self_is_op(ev))
		add_launched(s, ev);
}

/* ---- the stream, of the page ---- */

static void
ignore_event(struct report *r, const struct event *ev)
{
	(void)r, (void)ev;
}

static void
page_event(struct report *r, const struct event *ev)
{
	struct averages *s = r->state;

	if (!self_is_op(ev)) {
		torch_event(r, ev);
		return;
	}
	s->over = true;
	tree_reset(&s->ranges);
	r->event = ignore_event;
}

/* ---- the end of a section ---- */

static int64_t
shorten(dist_wide time)
{
	return time < INT64_MAX ? (int64_t)time : INT64_MAX;
}

/* Children come in order of start, behind their parents. */
static void
cover_time(struct averages_node *parent, const struct tree_range *child)
{
	int64_t from = child->ts;

	if (from < parent->cover_end)
		from = parent->cover_end;
	if (child->end <= from)
		return;
	parent->covered =
	    time_end(parent->covered, time_between(from, child->end));
	parent->cover_end = child->end;
}

/* The work of a key becomes the work of one range. */
static void
take_work(
    struct averages_node *to, struct averages_works *all, int64_t a, int64_t b)
{
	struct averages_work *w =
	    keyed_find(&all->by, (uint64_t)a, (uint64_t)b);

	if (w == NULL)
		return;
	to->own += w->time;
	to->replayed += w->replayed;
	*w = (struct averages_work){0};
}

/* of torch_ops: what calls launched */
static void
take_launched(struct averages *s, struct averages_node *nodes)
{
	for (size_t i = 0; i < s->ranges.count; i++) {
		const struct tree_range *r = &s->ranges.all[i];
		size_t to = nodes[i].range != 0 ? nodes[i].range - 1 : i;

		if (is_call(r) && r->id != NO_ID)
			take_work(&nodes[to], &s->calls, r->pid, r->id);
	}
	for (size_t i = 0; i < s->calls.by.count; i++) {
		const struct averages_work *w = &s->calls.by.all[i];
		struct averages_work *to;

		if (w->ops == 0 && w->replayed == 0)
			continue;
		to = find_work(&s->operators, w->pid, w->ext);
		to->time += w->time;
		to->replayed += w->replayed;
		to->ops += w->ops;
	}
	keyed_clear(&s->calls.by);
}

/* The work of each range itself. */
static void
take_all_work(struct averages *s, struct averages_node *nodes)
{
	take_launched(s, nodes);
	for (size_t i = 0; i < s->ranges.count; i++) {
		const struct tree_range *r = &s->ranges.all[i];

		if (r->id == NO_ID || is_call(r))
			continue;
		take_work(&nodes[i], &s->work, r->id, 0);
		take_work(&nodes[i], &s->operators, r->pid, r->id);
	}
}

static void
init_nodes(struct averages *s, struct averages_node *nodes)
{
	struct tree *tree = &s->ranges;

	for (size_t i = 0; i < tree->count; i++) {
		uint32_t parent = tree->all[i].parent;

		nodes[i] =
		    (struct averages_node){.cover_end = INT64_MIN, .size = 1};
		if (parent == 0)
			continue;
		cover_time(&nodes[parent - 1], &tree->all[i]);
		nodes[parent - 1].children++;
		nodes[i].range = is_call(&tree->all[parent - 1])
				     ? nodes[parent - 1].range
				     : parent;
	}
}

/*
 * In torch_ops the only child of a range of its name is no call of its own, as
 * in EventList._remove_dup_nodes() of PyTorch.
 */
static bool
is_twin(const struct averages *s, const struct averages_node *nodes, size_t i)
{
	uint32_t parent = s->ranges.all[i].parent;

	return s->torch && parent != 0 && nodes[parent - 1].children == 1 &&
	       s->ranges.all[parent - 1].name == s->ranges.all[i].name;
}

/* The group that has the values of a name: its own, or its family's. */
static struct group *
group_of(const struct report *r, const struct averages_name *a)
{
	return a->all != NULL && families_is_one(&r->groups, a->all) ? a->all
								     : a->g;
}

/* the own work of each range */
static void
add_self(struct report *report, struct averages_node *nodes)
{
	struct averages *s = report->state;
	struct tree *tree = &s->ranges;

	init_nodes(s, nodes);
	take_all_work(s, nodes);
	for (size_t i = 0; i < tree->count; i++) {
		const struct tree_range *r = &tree->all[i];
		struct group *g = group_of(report, &s->all[r->name]);

		nodes[i].device = nodes[i].own + nodes[i].replayed;
		groups_number(g, AVERAGES_CALLS, !is_twin(s, nodes, i));
		groups_number(g, AVERAGES_VALUES, !is_twin(s, nodes, i));
		groups_number(g, AVERAGES_SELF_DEVICE, shorten(nodes[i].own));
		groups_number(g, AVERAGES_SELF_CPU,
		    time_between(r->ts, r->end) - nodes[i].covered);
	}
}

/*
 * Number the ranges so that the ranges within one follow it: then one is within
 * another of its name if it comes before the last of them.  Returns which range
 * has a number.
 */
static uint32_t *
number_ranges(struct averages *s, struct averages_node *nodes)
{
	struct tree *tree = &s->ranges;
	uint32_t *at = mem_resize(NULL, tree->count + 1, sizeof(*at));
	uint64_t next = 0;

	for (size_t i = tree->count; i-- > 0;) {
		uint32_t parent = tree->all[i].parent;

		if (parent == 0)
			continue;
		nodes[parent - 1].size += nodes[i].size;
		nodes[parent - 1].device += nodes[i].device;
	}
	for (size_t i = 0; i < tree->count; i++) {
		uint32_t parent = tree->all[i].parent;
		uint64_t *free_one =
		    parent != 0 ? &nodes[parent - 1].first : &next;

		at[*free_one] = (uint32_t)i;
		nodes[i].first = *free_one + 1;
		*free_one += nodes[i].size;
	}
	return at;
}

/* The time of a range, unless one of the group is around it. */
static void
add_total(struct group *g, uint64_t *until, uint64_t number,
    const struct tree_range *r, const struct averages_node *node)
{
	if (number < *until)
		return;
	*until = number + node->size;
	groups_number(g, AVERAGES_CPU, time_between(r->ts, r->end));
	groups_number(g, AVERAGES_DEVICE,
	    shorten(is_call(r) ? node->own + node->replayed : node->device));
}

/* Where the range numbered last of a family of names ends. */
static uint64_t *
family_until(struct averages *s, const struct group *all)
{
	bool fresh;
	struct averages_family *f =
	    keyed_get(&s->families, 0, (uint64_t)(uintptr_t)all, &fresh);

	if (fresh)
		*f = (struct averages_family){0};
	return &f->until;
}

static void
add_totals(struct averages *s, struct averages_node *nodes)
{
	uint32_t *at = number_ranges(s, nodes);

	for (size_t k = 0; k < s->ranges.count; k++) {
		const struct tree_range *r = &s->ranges.all[at[k]];
		const struct averages_node *node = &nodes[at[k]];
		struct averages_name *a = &s->all[r->name];

		if (a->all != NULL)
			add_total(a->all, family_until(s, a->all),
			    s->visited + k, r, node);
		if (a->g != a->all)
			add_total(a->g, &a->until, s->visited + k, r, node);
	}
	s->visited += s->ranges.count;
	free(at);
}

/* The parts of a key: the name, and in torch_ops the type behind it. */
static void
add_key(struct text *key, const struct averages *s, struct span name)
{
	const char *type = s->torch ? memrchr(name.p, '\0', name.len) : NULL;
	const char *end = name.p + name.len;

	key->len = 0;
	if (type == NULL) {
		groups_part(key, name);
		return;
	}
	groups_part(key, (struct span){name.p, (size_t)(type - name.p)});
	groups_part(key, (struct span){type + 1, (size_t)(end - type - 1)});
}

static void
add_name(struct report *r, uint32_t name)
{
	struct averages *s = r->state;

	if (s->all[name].g != NULL)
		return;
	add_key(&r->key, s, numbered_texts_text(&s->ranges.names, name));
	s->all[name].g = sums_group(r);
	s->all[name].all = r->families.all;
}

/* Names of ranges and captured operators of the section have groups. */
static void
add_names(struct report *r)
{
	struct averages *s = r->state;
	size_t names = s->ranges.names.count;

	s->all = mem_resize(s->all, names + 1, sizeof(*s->all));
	for (; s->cap < names; s->cap++)
		s->all[s->cap] = (struct averages_name){0};
	for (size_t i = 0; i < s->ranges.count; i++)
		add_name(r, s->ranges.all[i].name);
	for (size_t i = 0; i < s->replays.count; i++)
		add_name(r, s->replays.all[i].name);
}

/* the operations of captured operators */
static void
add_replays(struct report *report)
{
	struct averages *s = report->state;

	for (size_t i = 0; i < s->replays.count; i++) {
		const struct averages_replay *o = &s->replays.all[i];
		const struct averages_name *a = &s->all[o->name];
		struct group *g = group_of(report, a);
		int64_t time = shorten(o->time);

		groups_number(g, AVERAGES_SELF_DEVICE, time);
		groups_number(g, AVERAGES_VALUES, o->ops);
		groups_number(a->g, AVERAGES_DEVICE, time);
		if (a->all != NULL && a->all != a->g)
			groups_number(a->all, AVERAGES_DEVICE, time);
	}
	numbered_clear(&s->replays);
}

/* True for the group of operations in no range. */
static bool
is_outside(const struct group *g)
{
	return g->key.len >= OUTSIDE.len &&
	       memcmp(g->key.p, OUTSIDE.p, OUTSIDE.len) == 0;
}

/* the work for no range of the section */
static void
add_outside(struct report *r, struct averages_works *all)
{
	for (size_t i = 0; i < all->by.count; i++) {
		int64_t time = shorten(all->by.all[i].time);
		struct group *g;

		if (all->by.all[i].ops == 0)
			continue;
		r->key.len = 0;
		text_add_span(&r->key, OUTSIDE);
		g = sums_group(r);
		groups_number(g, AVERAGES_DEVICE, time);
		groups_number(g, AVERAGES_SELF_DEVICE, time);
	}
	keyed_clear(&all->by);
}

static void
averages_section_end(struct report *r)
{
	struct averages *s = r->state;
	struct averages_node *nodes;

	settle_annotations(s);
	tree_finish(&s->ranges);
	nodes = mem_resize(NULL, s->ranges.count + 1, sizeof(*nodes));
	add_names(r);
	add_self(r, nodes);
	add_totals(s, nodes);
	add_replays(r);
	free(nodes);
	add_outside(r, &s->work);
	add_outside(r, &s->operators);
	tree_reset(&s->ranges);
}

static void
page_section_end(struct report *r)
{
	struct averages *s = r->state;

	settle_annotations(s);
	for (size_t i = 0; i < s->ranges.count; i++)
		if (!is_call(&s->ranges.all[i])) {
			averages_section_end(r);
			return;
		}
	tree_reset(&s->ranges);
}

/* ---- the table ---- */

int
averages_by_self(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;
	static const int by[] = {AVERAGES_SELF_DEVICE, AVERAGES_SELF_CPU};

	for (size_t i = 0; i < 2; i++) {
		int64_t x = a->numbers[by[i]], y = b->numbers[by[i]];

		if (x != y)
			return x > y ? -1 : 1;
	}
	return span_cmp(a->key, b->key);
}

static void
col_percent(struct table *t, const char *name, int64_t part, dist_wide all)
{
	col_real(t, name, UNIT_PERCENT,
	    all > 0 ? 100 * (long double)part / (long double)all : 0, 1);
}

/* type: in torch_ops; else p is NULL */
static void
averages_row(struct table *t, struct span name, struct span type,
    const int64_t *n, dist_wide cpu, dist_wide device)
{
	col_text(t, "Name", name);
	col_percent(t, "Self CPU", n[AVERAGES_SELF_CPU], cpu);
	col_sum(t, "Self CPU", UNIT_TIME, n[AVERAGES_SELF_CPU]);
	col_percent(t, "CPU Total", n[AVERAGES_CPU], cpu);
	col_sum(t, "CPU Total", UNIT_TIME, n[AVERAGES_CPU]);
	col_ratio(
	    t, "CPU Avg", UNIT_TIME, n[AVERAGES_CPU], n[AVERAGES_CALLS], 1);
	col_sum(t, "Self Device", UNIT_TIME, n[AVERAGES_SELF_DEVICE]);
	col_percent(t, "Self Device", n[AVERAGES_SELF_DEVICE], device);
	col_sum(t, "Device Total", UNIT_TIME, n[AVERAGES_DEVICE]);
	col_ratio(t, "Device Avg", UNIT_TIME, n[AVERAGES_DEVICE],
	    n[AVERAGES_CALLS], 1);
	col_int(t, "Calls", UNIT_NONE, n[AVERAGES_CALLS]);
	if (type.p == NULL)
		return;
	col_text(t, "Type", type);
	col_int(
	    t, "Replayed", UNIT_NONE, n[AVERAGES_VALUES] - n[AVERAGES_CALLS]);
}

static struct span
type_of(const struct averages *s, const struct group *g)
{
	if (!s->torch)
		return (struct span){NULL, 0};
	return g == NULL || is_outside(g) ? SPAN("") : groups_key(g, 1);
}

static void
averages_table(struct report *r, struct table *t)
{
	struct averages *s = r->state;
	struct groups *gs = &r->groups;
	dist_wide cpu = 0, device = 0;
	size_t ranges = 0;

	col_heading(t, averages_row, SPAN(""), type_of(s, NULL),
	    (int64_t[AVERAGES_NUMBERS]){0}, 0, 0);
	for (size_t i = 0; i < gs->count; i++) {
		cpu += gs->all[i]->numbers[AVERAGES_SELF_CPU];
		device += gs->all[i]->numbers[AVERAGES_SELF_DEVICE];
		ranges += !is_outside(gs->all[i]);
	}
	if (ranges == 0 || s->over ||
	    (r->kind->correlated && !s->correlated && !r->correlated))
		return;
	groups_sort(gs, averages_by_self);
	for (size_t i = 0; i < gs->count; i++)
		averages_row(t, groups_key(gs->all[i], 0),
		    type_of(s, gs->all[i]), gs->all[i]->numbers, cpu, device);
}

static void
averages_close(struct report *r)
{
	struct averages *s = r->state;

	tree_free(&s->ranges);
	keyed_free(&s->work.by);
	keyed_free(&s->calls.by);
	keyed_free(&s->operators.by);
	numbered_free(&s->replays);
	keyed_free(&s->families);
	free(s->all);
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_id, KEY_domain, KEY_open, KEY_end_tid, KEY_parent, KEY_depth,
    KEY_resolved, KEY_stack, KEY_NONE};
static const enum key work_keys[] = {KEY_api_ts, KEY_range, KEY_NONE};

static void
torch_wanted(struct keyset *want)
{
	keyset_add(&want[KIND_range], KEY_category);
}

#define AVERAGES \
	.args = "folded", .size = sizeof(struct averages), \
	.open = averages_open, .table = averages_table, \
	.close = averages_close, \
	.sum = SUM(KEY_dur, .numbers = AVERAGES_NUMBERS)

#define TORCH \
	.name = "torch_ops", .question = ASKS_RANGES, \
	.title = "Operators of PyTorch on Host and Devices", \
	.missing = "no range of PyTorch and no API call in the stream", \
	.kinds = KINDS(range) | KINDS(api) | KINDS(kernel) | KINDS(memcpy) | \
		 KINDS(memset) | KINDS(graph), \
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_corr, \
	    KEY_ext, KEY_domain, KEY_open, KEY_end_tid), \
	.wanted = torch_wanted, AVERAGES

/* the page reads no operations but to see that there are any */
const struct report_kind averages_page = {
    TORCH, .event = page_event, .section_end = page_section_end};

const struct report_kind averages_reports[] = {
    {.name = "key_averages",
	.question = ASKS_RANGES,
	.rows = KINDS(range),
	.title = "Ranges on Host and Devices",
	.missing = "no range in the stream",
	.correlated = true,
	.kinds = REPORT_EVENTS | KINDS(trace) | KINDS(end),
	.keys = keys,
	.work_keys = work_keys,
	.event = averages_event,
	.section_end = averages_section_end,
	AVERAGES},
    {TORCH, .work_keys = KEYS(KEY_op_name), .event = torch_event,
	.section_end = averages_section_end},
    {0},
};
