/*
 * nvtx_ranges.c - the ranges of a section, and what encloses what
 *
 * Ranges of a thread may cross, so that a stack would not do.  They are taken
 * in order of start; those before one start no later, and enclose it if they
 * end no earlier.  A Fenwick tree over the ends, the latest first, has the
 * shortest of them for each prefix: O(log n) for each range.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "nvtx.h"

int64_t
nvtx_duration(int64_t from, int64_t to)
{
	int64_t d;

	if (to < from)
		return 0;
	return __builtin_sub_overflow(to, from, &d) ? INT64_MAX : d;
}

/* ---- time ---- */

void
nvtx_time_see(struct nvtx_time *t, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = time_end(ts, event_int(ev, KEY_dur, 0));

	if (!t->any || end > t->all)
		t->all = end;
	t->any = true;
	if (ev->kind != KIND_range)
		return;
	if (!t->any_range || end > t->ranges)
		t->ranges = end;
	t->any_range = true;
}

int64_t
nvtx_time_end(const struct nvtx_time *t, const struct ask *ask)
{
	return ask->compat ? t->ranges : t->all;
}

/* ---- ranges ---- */

struct nvtx_range *
nvtx_ranges_add(
    struct nvtx_ranges *rs, const struct ask *ask, const struct event *ev)
{
	struct nvtx_range *r;

	if (rs->count == rs->cap) {
		rs->cap = rs->cap * 2 + 256;
		rs->all = mem_resize(rs->all, rs->cap, sizeof(*rs->all));
	}
	r = &rs->all[rs->count];
	*r = (struct nvtx_range){
	    .ts = event_int(ev, KEY_ts, 0),
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .tid = event_int(ev, KEY_tid, NO_ID),
	    .id = event_int(ev, KEY_id, NO_ID),
	    .order = (uint32_t)rs->count++,
	    .style = (unsigned char)nvtx_style(ev),
	    .elsewhere = event_has(ev, KEY_end_tid),
	};
	r->end = event_end(ev, r->ts);
	r->open = !event_has(ev, KEY_dur) && event_true(ev, KEY_open);
	rs->scratch.len = 0;
	if (rs->parents && !ask->compat && event_has(ev, KEY_domain))
		r->domain = 1 + nvtx_name(&rs->names,
				    event_str(ev, KEY_domain, &rs->scratch));
	r->named = nvtx_event_name(&rs->scratch, ask, ev);
	r->name = nvtx_name(&rs->names, text_span(&rs->scratch));
	return r;
}

static int
order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
compare(const void *pa, const void *pb)
{
	const struct nvtx_range *a = pa, *b = pb;
	int c;

	if ((c = order(a->pid, b->pid)) != 0 ||
	    (c = order(a->tid, b->tid)) != 0 ||
	    (c = order(a->domain, b->domain)) != 0 ||
	    (c = order(a->ts, b->ts)) != 0 || (c = order(b->end, a->end)) != 0)
		return c;
	return order(a->order, b->order);
}

static bool
related(const struct nvtx_range *a, const struct nvtx_range *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->domain == b->domain;
}

/* ---- parents ---- */

/* ranges among which parents are looked for, in order */
struct family {
	struct nvtx_range *all;
	size_t n;
	uint32_t *best; /* index + 1, or 0: the tree, from 1 */
	int64_t *ends;  /* ascending */
	bool compat;
};

static int
compare_ends(const void *a, const void *b)
{
	return order(*(const int64_t *)a, *(const int64_t *)b);
}

/* how many end when this does or later: from 1 */
static size_t
rank(const struct family *f, int64_t end)
{
	size_t low = 0, high = f->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (f->ends[mid] < end)
			low = mid + 1;
		else
			high = mid;
	}
	return f->n - low;
}

/* Is a shorter than b?  Of equal ones the later is taken; by nsys the first. */
static bool
closer(const struct family *f, uint32_t a, uint32_t b)
{
	const struct nvtx_range *ra = &f->all[a - 1], *rb = &f->all[b - 1];
	int64_t da = nvtx_duration(ra->ts, ra->end);
	int64_t db = nvtx_duration(rb->ts, rb->end);

	if (da != db)
		return da < db;
	return (a > b) != f->compat;
}

static uint32_t
closest(const struct family *f, size_t i)
{
	uint32_t best = 0;

	for (; i > 0; i -= i & -i)
		if (f->best[i] != 0 &&
		    (best == 0 || closer(f, f->best[i], best)))
			best = f->best[i];
	return best;
}

static void
enter(const struct family *f, size_t i, uint32_t range)
{
	for (; i <= f->n; i += i & -i)
		if (f->best[i] == 0 || closer(f, range, f->best[i]))
			f->best[i] = range;
}

static bool
twins(const struct family *f, size_t i, size_t k)
{
	return k < f->n && f->all[i].ts == f->all[k].ts &&
	       f->all[i].end == f->all[k].end;
}

static void
find_parents(const struct family *f)
{
	for (size_t i = 0; i < f->n; i++)
		f->ends[i] = f->all[i].end;
	qsort(f->ends, f->n, sizeof(*f->ends), compare_ends);
	memset(f->best, 0, (f->n + 1) * sizeof(*f->best));
	for (size_t i = 0; i < f->n; i++) {
		struct nvtx_range *r = &f->all[i];
		size_t at;

		if (!f->compat && (r->open || r->elsewhere))
			continue;
		at = rank(f, r->end);
		r->parent = closest(f, at);
		if (f->compat && twins(f, i, i + 1) && !twins(f, i, i - 1))
			r->parent = (uint32_t)i + 2;
		if (f->compat && (twins(f, i, i + 1) || twins(f, i, i - 1)))
			r->depth = -1; /* each is the parent of another */
		else if (r->parent != 0) {
			int32_t above = f->all[r->parent - 1].depth;

			r->depth = above < 0 ? -1 : above + 1;
		}
		enter(f, at, (uint32_t)i + 1);
	}
}

void
nvtx_ranges_finish(struct nvtx_ranges *rs, const struct ask *ask)
{
	struct family f = {.compat = ask->compat};

	for (size_t i = 0; i < rs->count; i++)
		if (rs->all[i].open)
			rs->all[i].end = nvtx_time_end(&rs->time, ask);
	if (rs->count > 1)
		qsort(rs->all, rs->count, sizeof(*rs->all), compare);
	if (!rs->parents)
		return;
	f.best = mem_resize(NULL, rs->count + 1, sizeof(*f.best));
	f.ends = mem_resize(NULL, rs->count + 1, sizeof(*f.ends));
	for (size_t i = 0; i < rs->count; i += f.n) {
		f.all = &rs->all[i];
		f.n = 1;
		while (i + f.n < rs->count && related(f.all, &f.all[f.n]))
			f.n++;
		find_parents(&f);
		for (size_t k = 0; k < f.n; k++)
			if (f.all[k].parent != 0)
				f.all[k].parent += (uint32_t)i;
	}
	free(f.best);
	free(f.ends);
}

/* ---- RangeStack ---- */

void
nvtx_stack_add(struct nvtx_stack *s, int64_t id)
{
	if (s->count == s->cap) {
		s->cap = s->cap * 2 + 16;
		s->ids = mem_resize(s->ids, s->cap, sizeof(*s->ids));
	}
	s->ids[s->count++] = id;
}

struct span
nvtx_stack_text(struct nvtx_stack *s)
{
	s->text.len = 0;
	while (s->count > 0) {
		text_add_char(&s->text, ':');
		text_add_int(&s->text, s->ids[--s->count]);
	}
	return text_span(&s->text);
}

void
nvtx_stack_free(struct nvtx_stack *s)
{
	free(s->ids);
	text_free(&s->text);
}

struct span
nvtx_ranges_stack(const struct nvtx_ranges *rs, const struct nvtx_range *r,
    struct nvtx_stack *s)
{
	nvtx_stack_add(s, r->id);
	while (r->parent != 0) {
		r = &rs->all[r->parent - 1];
		nvtx_stack_add(s, r->id);
	}
	return nvtx_stack_text(s);
}

void
nvtx_ranges_reset(struct nvtx_ranges *rs)
{
	free(rs->all);
	rs->all = NULL;
	rs->count = rs->cap = 0;
	rs->time = (struct nvtx_time){0};
}

void
nvtx_ranges_free(struct nvtx_ranges *rs)
{
	free(rs->all);
	nvtx_names_free(&rs->names);
	text_free(&rs->scratch);
}
