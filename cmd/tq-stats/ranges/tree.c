/* tree.c - the ranges of a section, and which of them encloses which */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/lower_bound.h"
#include "tq/join/nesting.h"
#include "tq/names/fold_name.h"

#include "tree.h"

void
tree_init(
    struct tree *t, const struct report_settings *settings, enum tree_how how)
{
	t->settings = settings;
	t->how = how;
}

struct tree_range *
tree_add_unnamed(struct tree *t, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct tree_range *r = array_add(&t->all, &t->count, &t->cap);

	*r = (struct tree_range){
	    .ts = ts,
	    .end = event_end(ev, ts),
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .tid = event_int(ev, KEY_tid, NO_ID),
	    .id = event_int(ev, KEY_id, NO_ID),
	    .order = (uint32_t)t->count - 1,
	    .style = (unsigned char)range_style(ev),
	    .open = !event_has(ev, KEY_dur) && event_true(ev, KEY_open),
	    .elsewhere = event_has(ev, KEY_end_tid),
	};
	return r;
}

void
tree_add(struct tree *t, const struct event *ev)
{
	struct tree_range *r = tree_add_unnamed(t, ev);

	t->scratch.len = 0;
	if (t->how == TREE_BY_DOMAIN && event_has(ev, KEY_domain))
		r->domain = 1 + numbered_texts_get(&t->names,
				    event_str(ev, KEY_domain, &t->scratch));
	r->named = range_name(&t->scratch, t->settings, ev);
	if (t->short_names)
		t->scratch.len = fold_name_always(t->scratch.p, t->scratch.len);
	r->name = numbered_texts_get(&t->names, text_span(&t->scratch));
}

static int
by_start(const void *pa, const void *pb)
{
	const struct tree_range *a = pa, *b = pb;
	int c;

	if ((c = range_order(a->pid, b->pid)) != 0 ||
	    (c = range_order(a->tid, b->tid)) != 0 ||
	    (c = range_order(a->domain, b->domain)) != 0 ||
	    (c = range_order(a->ts, b->ts)) != 0 ||
	    (c = range_order(b->end, a->end)) != 0)
		return c;
	return range_order(a->order, b->order);
}

/* True if one may be the parent of the other. */
static bool
is_related(const struct tree_range *a, const struct tree_range *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->domain == b->domain;
}

/* ---- parents ---- */

/* True if a range may have a parent, and be one. */
static bool
is_member(const struct tree *t, const struct tree_range *r)
{
	if (t->how == TREE_AS_NSYS)
		return true;
	return !r->elsewhere && (t->how == TREE_ACROSS || !r->open);
}

/* remove ranges that enclose nothing which starts at ts or later */
static void
remove_ended(struct nesting_stack *open, int64_t ts)
{
	while (open->count > 0) {
		const struct nesting_slot *top = &open->slots[open->count - 1];

		if (top->end >= ts)
			break;
		nesting_remove(open, top->range, top->ts);
	}
}

static void
find_parents(struct tree *t)
{
	struct nesting_stack open = {.older = t->how == TREE_AS_NSYS};

	for (size_t i = 0; i < t->count; i++) {
		struct tree_range *r = &t->all[i], *outer;

		if (i > 0 && !is_related(r - 1, r))
			nesting_stack_free(&open);
		if (!is_member(t, r))
			continue;
		remove_ended(&open, r->ts);
		outer = nesting_parent(&open, r->ts, r->end);
		if (outer != NULL) {
			r->parent = (uint32_t)(outer - t->all) + 1;
			r->depth = outer->depth + 1;
		}
		nesting_push(&open, r, r->ts, r->end);
	}
	nesting_stack_free(&open);
}

/*
 * ---- ranges that nsys loses ----
 *
 * Of ranges with equal times each is the parent of another in nsys, so that it
 * never gets to them from the top: they have no depth, nor have the ranges
 * within them.
 */

/* True if the ranges at i and i + 1 have equal times on one thread. */
static bool
are_twins(const struct tree *t, size_t i)
{
	const struct tree_range *a = &t->all[i], *b = a + 1;

	return i + 1 < t->count && a->pid == b->pid && a->tid == b->tid &&
	       a->ts == b->ts && a->end == b->end;
}

/* mark the ranges that are lost by the depth -1; all have their parents */
static void
lose_twins(struct tree *t)
{
	bool before = false; /* the range at i - 1 is a twin of that at i */

	for (size_t i = 0; i < t->count; i++) {
		struct tree_range *r = &t->all[i];
		bool behind = are_twins(t, i);

		if (behind && !before)
			r->parent = (uint32_t)i + 2;
		if (behind || before ||
		    (r->parent != 0 && t->all[r->parent - 1].depth < 0))
			r->depth = -1;
		else if (r->parent != 0)
			r->depth = t->all[r->parent - 1].depth + 1;
		before = behind;
	}
}

void
tree_finish(struct tree *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->all[i].open)
			t->all[i].end = range_time_end(&t->time, t->settings);
	if (t->count > 1)
		qsort(t->all, t->count, sizeof(*t->all), by_start);
	if (t->how != TREE_SORTED)
		find_parents(t);
	if (t->how == TREE_AS_NSYS)
		lose_twins(t);
}

/* ---- calls ---- */

/* For each range the last before it that ends later: index + 1, or 0. */
static uint32_t *
find_outer(const struct tree *t)
{
	uint32_t *outer = mem_resize(NULL, t->count + 1, sizeof(*outer));

	for (size_t i = 0; i < t->count; i++) {
		const struct tree_range *r = &t->all[i];
		uint32_t o = i > 0 && is_related(r - 1, r) ? (uint32_t)i : 0;

		while (o > 0 && t->all[o - 1].end <= r->end)
			o = outer[o - 1];
		outer[i] = o;
	}
	return outer;
}

/* True if r starts no later than ts on the thread, or is of one before it. */
static bool
is_before(const struct tree_range *r, int64_t pid, int64_t tid, int64_t ts)
{
	if (r->pid != pid)
		return r->pid < pid;
	if (r->tid != tid)
		return r->tid < tid;
	return r->ts <= ts;
}

const struct tree_range *
tree_enclosing(
    struct tree *t, int64_t pid, int64_t tid, int64_t ts, int64_t end)
{
	const struct tree_range *found, *r;
	size_t i;

	if (t->outer == NULL)
		t->outer = find_outer(t);
	LOWER_BOUND(i, 0, t->count, is_before(&t->all[i], pid, tid, ts));
	if (i == 0 || t->all[i - 1].pid != pid || t->all[i - 1].tid != tid)
		return NULL;
	while (i > 0 && t->all[i - 1].end < end)
		i = t->outer[i - 1];
	if (i == 0)
		return NULL;
	found = r = &t->all[i - 1];
	while (r > t->all && is_related(r - 1, r) && r[-1].ts == r->ts) {
		r--; /* it is longer than found */
		if (r->id < found->id)
			found = r;
	}
	return found;
}

/* ---- the rest ---- */

struct span
tree_stack(
    const struct tree *t, const struct tree_range *r, struct range_stack *s)
{
	range_stack_add(s, r->id);
	while (r->parent != 0) {
		r = &t->all[r->parent - 1];
		range_stack_add(s, r->id);
	}
	return range_stack_text(s);
}

void
tree_reset(struct tree *t)
{
	free(t->all);
	free(t->outer);
	t->all = NULL;
	t->outer = NULL;
	t->count = t->cap = 0;
	t->time = (struct range_time){0};
}

void
tree_free(struct tree *t)
{
	tree_reset(t);
	numbered_texts_free(&t->names);
	text_free(&t->scratch);
}
