/*
 * tree.c - the ranges of a section, and which of them encloses which
 *
 * Ranges of a thread may cross, so that a stack would not do.  The tree takes
 * them in order of start: those before a range start no later, and enclose it
 * if they end no earlier.  A Fenwick tree over the ends, the latest first, has
 * the shortest of them for each prefix: O(log n) for each range.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/lower_bound.h"
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

/* ranges that are related, in order of start */
struct family {
	struct tree_range *all;
	size_t n;
	uint32_t *best; /* index + 1, or 0: the Fenwick tree, from 1 */
	int64_t *ends;  /* ascending */
	enum tree_how how;
};

static int
by_end(const void *a, const void *b)
{
	return range_order(*(const int64_t *)a, *(const int64_t *)b);
}

/* how many ranges end at end or later: from 1 */
static size_t
end_rank(const struct family *f, int64_t end)
{
	size_t i;

	LOWER_BOUND(i, 0, f->n, f->ends[i] < end);
	return f->n - i;
}

/* True if a is shorter than b; of equal ones the last is, as nsys the first. */
static bool
is_closer(const struct family *f, uint32_t a, uint32_t b)
{
	const struct tree_range *ra = &f->all[a - 1], *rb = &f->all[b - 1];
	int64_t da = time_between(ra->ts, ra->end);
	int64_t db = time_between(rb->ts, rb->end);

	if (da != db)
		return da < db;
	return (a > b) != (f->how == TREE_AS_NSYS);
}

static uint32_t
find_closest(const struct family *f, size_t i)
{
	uint32_t best = 0;

	for (; i > 0; i -= i & -i)
		if (f->best[i] != 0 &&
		    (best == 0 || is_closer(f, f->best[i], best)))
			best = f->best[i];
	return best;
}

static void
enter_range(const struct family *f, size_t i, uint32_t range)
{
	for (; i <= f->n; i += i & -i)
		if (f->best[i] == 0 || is_closer(f, range, f->best[i]))
			f->best[i] = range;
}

/* True if a range may have a parent, and be one. */
static bool
is_member(const struct family *f, const struct tree_range *r)
{
	if (f->how == TREE_AS_NSYS)
		return true;
	return !r->elsewhere && (f->how == TREE_ACROSS || !r->open);
}

static void
find_parents(const struct family *f)
{
	for (size_t i = 0; i < f->n; i++)
		f->ends[i] = f->all[i].end;
	qsort(f->ends, f->n, sizeof(*f->ends), by_end);
	memset(f->best, 0, (f->n + 1) * sizeof(*f->best));
	for (size_t i = 0; i < f->n; i++) {
		struct tree_range *r = &f->all[i];
		size_t rank;

		if (!is_member(f, r))
			continue;
		rank = end_rank(f, r->end);
		r->parent = find_closest(f, rank);
		if (r->parent != 0)
			r->depth = f->all[r->parent - 1].depth + 1;
		enter_range(f, rank, (uint32_t)i + 1);
	}
}

static void
find_all_parents(struct tree *t)
{
	struct family f = {.how = t->how};

	f.best = mem_resize(NULL, t->count + 1, sizeof(*f.best));
	f.ends = mem_resize(NULL, t->count + 1, sizeof(*f.ends));
	for (size_t i = 0; i < t->count; i += f.n) {
		f.all = &t->all[i];
		f.n = 1;
		while (i + f.n < t->count && is_related(f.all, &f.all[f.n]))
			f.n++;
		find_parents(&f);
		for (size_t k = 0; k < f.n; k++)
			if (f.all[k].parent != 0)
				f.all[k].parent += (uint32_t)i;
	}
	free(f.best);
	free(f.ends);
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
		find_all_parents(t);
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
