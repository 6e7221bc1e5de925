/*
 * kernels.c - nvtx_kern_sum: kernels by the ranges they were launched in
 *
 * A kernel counts for every range of its thread that encloses its whole call.
 * The calls that start in a range follow each other in order of their start,
 * and the range encloses all but calls that cross its end: a range is a piece
 * of all kernels in that order, or a few.  Rows are made when they are written,
 * for one range name and thread at a time.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/keyed.h"
#include "tq/base/lower_bound.h"
#include "tq/names/model.h"

#include "compat/joined.h"
#include "sums/cuda.h"
#include "sums/sums.h"
#include "tq/show/col.h"
#include "kernels_deep.h"
#include "launched.h"

/* parts of the key of a group of the report, and its numbers */
enum { RANGE, PID, TID, STYLE, KERNEL };
enum { RANGES, ONCE, NUMBERS };

/* where kernels were launched: in ranges of a name and style on a thread */
struct kernels_site {
	int64_t pid, tid; /* NO_ID: of a kernel without a call */
	uint32_t name;    /* of the ranges */
	uint32_t last;    /* of its pieces: index + 1 */
	unsigned char style;
};

/* a kernel launched at a site */
struct kernels_row {
	uint32_t site, kernel;
	uint32_t ranges, last; /* last: the range that was counted last */
	uint64_t once;         /* for nsys: each execution once */
	struct dist values;
	struct kernels_numbers *deep; /* instead of values, or NULL */
};

struct kernels {
	struct tree ranges;
	struct launched ops;      /* of the section, as the next two */
	struct kernels_op *loose; /* without a call */
	size_t loose_count, loose_cap;
	NUMBERED(uint32_t) kernels;       /* names by symbol */
	struct numbered_texts names;      /* of kernels */
	struct map threads;               /* (pid, tid) -> number */
	KEYED(struct kernels_site) sites; /* by range name and style, thread */
	struct kernels_piece *pieces;
	size_t piece_count, piece_cap;
	struct kernels_op *all; /* by section, thread and start of the call */
	size_t count, cap;
	struct text scratch;
	uint32_t range; /* the last one, of all sections, from 1 */
	bool correlated;

	bool compat;          /* as nsys has it, with these */
	struct joined joined; /* of the section */
	struct map again;     /* index in all of executions that are twice */

	/* for the table */
	uint32_t *order;          /* of the sites */
	size_t at;                /* in order: the next */
	struct kernels_row *rows; /* of some sites; first_row is the first */
	size_t row_count, row_cap, first_row;
	size_t *row_of;            /* by kernel */
	struct kernels_deep *deep; /* or NULL */
	bool pct;
};

/* ---- names of kernels ---- */

static uint32_t
kernel_number(struct report *r, const struct event *ev)
{
	struct kernels *s = r->state;
	bool fresh;
	uint32_t *name = numbered_get(&s->kernels, model_symbol(ev), &fresh);

	if (fresh) {
		s->scratch.len = 0;
		*name = numbered_texts_get(
		    &s->names, cuda_kernel_name(r, ev, &s->scratch));
	}
	return *name;
}

/* ---- sites, and kernels launched there ---- */

static struct kernels_site *
find_site(struct kernels *s, uint32_t name, enum range_style style, int64_t pid,
    int64_t tid)
{
	uint64_t thread = map_number(&s->threads, (uint64_t)pid, (uint64_t)tid);
	bool fresh;
	struct kernels_site *site =
	    keyed_get(&s->sites, (uint64_t)name << 2 | style, thread, &fresh);

	if (fresh)
		*site = (struct kernels_site){.pid = pid,
		    .tid = tid,
		    .name = name,
		    .style = (unsigned char)style};
	return site;
}

static void
add_piece(struct kernels *s, struct kernels_site *site, size_t from, size_t to,
    uint32_t range)
{
	*array_add(&s->pieces, &s->piece_count, &s->piece_cap) =
	    (struct kernels_piece){
		(uint32_t)from, (uint32_t)to, range, site->last};
	site->last = (uint32_t)s->piece_count;
}

static struct kernels_op
make_op(uint32_t kernel, int64_t dur)
{
	return (struct kernels_op){
	    kernel, (uint32_t)dur, (uint32_t)((uint64_t)dur >> 32)};
}

static void
add_outside(struct kernels *s, int64_t pid, int64_t tid, size_t from, size_t to)
{
	uint32_t name = numbered_texts_get(&s->ranges.names, SPAN(""));

	if (to > from)
		add_piece(
		    s, find_site(s, name, RANGE_NONE, pid, tid), from, to, 0);
}

/* ---- the stream ---- */

static void
joined_wanted(struct keyset *want)
{
	static const enum key keys[] = {TWICE_KEYS, KEY_api};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		keyset_add(&want[KIND_api], keys[i]);
}

static void
kernels_open(struct report *r)
{
	static struct report_kind kind;
	struct kernels *s = r->state;

	tree_init(&s->ranges, r->settings, TREE_SORTED);
	if (report_wants_folded(r)) {
		s->ranges.short_names = true;
		r->families.parts = 1u << RANGE;
		r->families.moved = 1u << RANGES | 1u << ONCE;
		r->families.counted = RANGES + 1;
	}
	if (!r->settings->compat)
		return;
	kind = *r->kind;
	kind.kinds |= KINDS(api);
	kind.wanted = joined_wanted;
	r->kind = &kind;
	s->compat = true;
}

/* An execution for the second record of its call. */
static void
join_again(
    struct kernels *s, const struct event *ev, const struct launched_op *first)
{
	const struct joined_call *call = joined_find(&s->joined, ev);
	uint32_t kernel = first->kernel;
	struct launched_op *op;

	if (call == NULL)
		return;
	op = launched_add(&s->ops, ev);
	op->kernel = kernel;
	op->api_ts = call->ts;
	op->api_end = time_end(call->ts, call->dur);
	op->again = true;
}

static void
kernels_event(struct report *r, const struct event *ev)
{
	struct kernels *s = r->state;
	struct launched_op *op;

	if (ev->kind == KIND_api) {
		if (api_call_is_of_gpu(ev))
			joined_add(&s->joined, ev);
		return;
	}
	range_time_add(&s->ranges.time, ev);
	s->correlated |= event_has(ev, KEY_api_ts) || event_has(ev, KEY_depth);
	if (ev->kind == KIND_range && !event_has(ev, KEY_end_tid))
		tree_add(&s->ranges, ev);
	if (ev->kind != KIND_kernel)
		return;
	op = launched_add(&s->ops, ev);
	if (op != NULL) {
		op->kernel = kernel_number(r, ev);
		join_again(s, ev, op);
	} else {
		*array_add(&s->loose, &s->loose_count, &s->loose_cap) =
		    make_op(kernel_number(r, ev), event_int(ev, KEY_dur, 0));
	}
}

/* ---- the end of a section ---- */

/* the calls of a section, one for each operation */
struct kernels_calls {
	const struct launched *ops;
	size_t base;     /* the index in all of the first */
	int64_t *latest; /* end of it or one before it, on its thread */
	int32_t *cover;  /* ranges that begin at it, less ranges that end */
};

static bool
is_same_thread(const struct launched_op *a, const struct launched_op *b)
{
	return a->pid == b->pid && a->tid == b->tid;
}

static struct kernels_calls
list_calls(struct kernels *s)
{
	size_t n = s->ops.count;
	struct kernels_calls c = {&s->ops, s->count};

	c.latest = mem_resize(NULL, n + 1, sizeof(*c.latest));
	c.cover = mem_alloc((n + 1) * sizeof(*c.cover));
	for (size_t i = 0; i < n; i++) {
		const struct launched_op *op = &s->ops.all[i];

		if (op->again)
			*map_get(&s->again, s->count, 0) = 1;
		*array_add(&s->all, &s->count, &s->cap) =
		    make_op(op->kernel, time_between(op->ts, op->end));
		c.latest[i] = op->api_end;
		if (i > 0 && is_same_thread(op, op - 1) &&
		    c.latest[i - 1] > op->api_end)
			c.latest[i] = c.latest[i - 1];
	}
	return c;
}

/* The kernels of a range; the first of its calls may be at i. */
static void
add_range(struct kernels *s, const struct kernels_calls *c,
    const struct tree_range *r, size_t i)
{
	size_t to, end; /* end: the first call that crosses the end of r */

	LOWER_BOUND(to, i, c->ops->count, launched_within(c->ops, to, r));
	LOWER_BOUND(end, i, to, c->latest[end] <= r->end);
	s->range++;
	while (i < to) {
		while (end < to && c->ops->all[end].api_end <= r->end)
			end++;
		if (end > i) {
			add_piece(s,
			    find_site(s, r->name, r->style, r->pid, r->tid),
			    c->base + i, c->base + end, s->range);
			c->cover[i]++;
			c->cover[end]--;
		}
		i = ++end;
	}
}

/* Kernels with a call in no range, and those without a call. */
static void
add_rest(struct kernels *s, const struct kernels_calls *c)
{
	size_t from = 0, n = c->ops->count;
	int64_t depth = 0;

	for (size_t i = 0; i < n; i++) {
		const struct launched_op *op = &c->ops->all[i];

		depth += c->cover[i];
		if (depth > 0)
			from = i + 1;
		else if (i + 1 == n || depth + c->cover[i + 1] > 0 ||
			 !is_same_thread(op, op + 1)) {
			add_outside(s, op->pid, op->tid, c->base + from,
			    c->base + i + 1);
			from = i + 1;
		}
	}
	for (size_t i = 0; i < s->loose_count; i++)
		*array_add(&s->all, &s->count, &s->cap) = s->loose[i];
	add_outside(s, NO_ID, NO_ID, s->count - s->loose_count, s->count);
	s->loose_count = 0;
}

static void
kernels_section_end(struct report *r)
{
	struct kernels *s = r->state;
	struct kernels_calls c;
	size_t at = 0;

	tree_finish(&s->ranges);
	launched_sort(&s->ops);
	c = list_calls(s);
	for (size_t i = 0; i < s->ranges.count; i++) {
		at = launched_from(&s->ops, at, &s->ranges.all[i]);
		add_range(s, &c, &s->ranges.all[i], at);
	}
	add_rest(s, &c);
	free(c.latest);
	free(c.cover);
	launched_free(&s->ops);
	numbered_clear(&s->kernels);
	joined_reset(&s->joined);
	tree_reset(&s->ranges);
}

/* ---- rows ---- */

/* Sites that differ in style only are one here. */
static int
by_site(const void *pa, const void *pb, void *arg)
{
	const struct kernels *s = arg;
	const struct kernels_site *a = &s->sites.all[*(const uint32_t *)pa];
	const struct kernels_site *b = &s->sites.all[*(const uint32_t *)pb];
	int c = numbered_texts_cmp(&s->ranges.names, a->name, b->name);

	if (c != 0 || (c = range_order(a->pid, b->pid)) != 0)
		return c;
	return range_order(a->tid, b->tid);
}

static dist_wide
sum_of(const struct kernels_row *row)
{
	return row->deep != NULL ? row->deep->sum : row->values.sum;
}

/* Rows of no range come first among equal ones. */
static int
by_sum(const void *pa, const void *pb, void *arg)
{
	const struct kernels *s = arg;
	const struct kernels_row *a = pa, *b = pb;
	dist_wide x = sum_of(a), y = sum_of(b);
	int c;

	if (x != y)
		return x > y ? -1 : 1;
	c = range_order(
	    s->sites.all[b->site].style, s->sites.all[a->site].style);
	return c != 0 ? c : numbered_texts_cmp(&s->names, a->kernel, b->kernel);
}

/* The row of a kernel at a site; the rows of the site begin at first. */
static struct kernels_row *
find_row(struct kernels *s, uint32_t site, size_t first, uint32_t kernel)
{
	size_t i = s->row_of[kernel];

	if (i >= first && i < s->row_count && s->rows[i].kernel == kernel)
		return &s->rows[i];
	s->row_of[kernel] = s->row_count;
	*array_add(&s->rows, &s->row_count, &s->row_cap) =
	    (struct kernels_row){.site = site, .kernel = kernel};
	return &s->rows[s->row_count - 1];
}

/* the same as add_rows */
static void
add_deep_rows(struct kernels *s, uint32_t site, bool values)
{
	uint32_t list = s->sites.all[site].last;
	size_t first = s->row_count;

	for (uint32_t i = 0; i < s->names.count; i++) {
		struct kernels_row *row;

		if (!kernels_deep_find(s->deep, s->pieces, list, i))
			continue;
		row = find_row(s, site, first, i);
		if (!values)
			continue;
		row->deep = mem_alloc(sizeof(*row->deep));
		*row->deep = kernels_deep_count(s->deep, i, s->pct);
		row->ranges = row->deep->ranges;
	}
}

/* The rows of a site; without values, to be counted only. */
static void
add_rows(struct kernels *s, uint32_t site, bool values)
{
	size_t first = s->row_count;
	uint32_t list = s->sites.all[site].last;

	if (s->deep != NULL && kernels_deep_pays(s->deep, s->pieces, list)) {
		add_deep_rows(s, site, values);
		return;
	}
	for (uint32_t n = list; n != 0; n = s->pieces[n - 1].next) {
		const struct kernels_piece *piece = &s->pieces[n - 1];

		for (size_t i = piece->from; i < piece->to; i++) {
			struct kernels_row *row =
			    find_row(s, site, first, s->all[i].kernel);

			if (!values)
				continue;
			dist_add(&row->values, kernels_duration(&s->all[i]));
			row->ranges += row->last != piece->range;
			row->last = piece->range;
		}
	}
}

/* ---- rows for nsys, which counts each execution once in Kern Inst ---- */

static int
by_first(const void *pa, const void *pb)
{
	const struct kernels_piece *a = pa, *b = pb;

	return range_order(a->from, b->from);
}

/* The pieces of a list in order of their first kernels. */
static struct kernels_piece *
sort_pieces(const struct kernels *s, uint32_t list, size_t *count)
{
	struct kernels_piece *all = NULL;
	size_t cap = 0;

	*count = 0;
	for (uint32_t n = list; n != 0; n = s->pieces[n - 1].next)
		*array_add(&all, count, &cap) = s->pieces[n - 1];
	if (*count > 1)
		qsort(all, *count, sizeof(*all), by_first);
	return all;
}

/* True if an execution may be in two of the sorted pieces. */
static bool
are_apart(const struct kernels_piece *pieces, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (pieces[i].from < pieces[i - 1].to)
			return false;
	return true;
}

/* Count the executions of a site once; its rows begin at first. */
static void
count_once(struct kernels *s, uint32_t site, size_t first)
{
	size_t count, to = 0;
	struct kernels_piece *pieces =
	    sort_pieces(s, s->sites.all[site].last, &count);

	if (s->again.count == 0 && are_apart(pieces, count))
		count = 0; /* as they are counted already */
	for (size_t n = 0; n < count; n++) {
		size_t from = pieces[n].from > to ? pieces[n].from : to;

		for (size_t i = from; i < pieces[n].to; i++)
			if (map_find(&s->again, i, 0) == NULL)
				find_row(s, site, first, s->all[i].kernel)
				    ->once++;
		to = pieces[n].to > to ? pieces[n].to : to;
	}
	free(pieces);
}

static void
drop_rows(struct kernels *s)
{
	for (size_t i = 0; i < s->row_count; i++) {
		dist_free(&s->rows[i].values);
		free(s->rows[i].deep);
	}
	s->row_count = 0;
}

/* The rows of all sites of the next range name and thread. */
static void
next_rows(struct kernels *s)
{
	size_t at = s->at;

	s->first_row += s->row_count;
	drop_rows(s);
	do {
		size_t first = s->row_count;

		add_rows(s, s->order[s->at], true);
		if (s->compat)
			count_once(s, s->order[s->at], first);
		s->at++;
	} while (s->at < s->sites.count &&
		 by_site(&s->order[at], &s->order[s->at], s) == 0);
	if (s->row_count > 1)
		qsort_r(s->rows, s->row_count, sizeof(*s->rows), by_sum, s);
}

static size_t
count_rows(struct kernels *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->sites.count; i++) {
		add_rows(s, (uint32_t)i, false);
		n += s->row_count;
		s->row_count = 0;
	}
	return n;
}

/* ---- the table ---- */

static void
col_durations(struct table *t, bool pct, struct kernels_row *row)
{
	if (row->deep != NULL) {
		kernels_deep_cells(t, row->deep, pct);
		return;
	}
	groups_stats(t, groups_stat_names, UNIT_TIME, &row->values);
	if (pct)
		groups_more(t, &row->values);
}

static void
kernels_row(struct table *t, const struct report *r, struct kernels_row *row)
{
	const struct kernels *s = r->state;
	const struct kernels_site none = {0}, *site = &none;
	struct span range = {"", 0}, kernel = range;
	uint64_t n = row->deep != NULL ? row->deep->count : row->values.count;

	if (!t->heading) {
		site = &s->sites.all[row->site];
		range = numbered_texts_text(&s->ranges.names, site->name);
		kernel = numbered_texts_text(&s->names, row->kernel);
	}
	col_text(t, "NVTX Range", range);
	col_text(t, "Style", range_style_text(site->style));
	col_id(t, "PID", site->pid);
	col_id(t, "TID", site->tid);
	col_int(t, "NVTX Inst", UNIT_NONE, row->ranges);
	col_int(t, "Kern Inst", UNIT_NONE,
	    (int64_t)(s->compat && row->once > 0 ? row->once : n));
	col_sum(t, "Total Time", UNIT_TIME, sum_of(row));
	col_durations(t, r->pct, row);
	col_text(t, "Kernel Name", kernel);
}

static void
make_row(void *state, struct table *t, size_t n)
{
	const struct report *r = state;
	struct kernels *s = r->state;

	if (n < s->first_row) { /* from the beginning again */
		drop_rows(s);
		s->at = s->first_row = 0;
	}
	while (n >= s->first_row + s->row_count)
		next_rows(s);
	kernels_row(t, r, &s->rows[n - s->first_row]);
}

/* Before next_rows. */
static void
sort_sites(struct kernels *s)
{
	s->row_of = mem_alloc((s->names.count + 1) * sizeof(*s->row_of));
	s->order = mem_resize(NULL, s->sites.count + 1, sizeof(*s->order));
	for (uint32_t i = 0; i < s->sites.count; i++)
		s->order[i] = i;
	if (s->sites.count > 1)
		qsort_r(
		    s->order, s->sites.count, sizeof(*s->order), by_site, s);
}

/* ---- the same of parts of the input ---- */

static void
add_group(struct report *r, const struct kernels_row *row)
{
	const struct kernels *s = r->state;
	const struct kernels_site *site = &s->sites.all[row->site];
	uint64_t once = row->once > 0 ? row->once : row->values.count;
	struct group *g;

	r->key.len = 0;
	groups_part(&r->key, numbered_texts_text(&s->ranges.names, site->name));
	groups_part_id(&r->key, site->pid);
	groups_part_id(&r->key, site->tid);
	groups_part_id(&r->key, site->style);
	groups_part(&r->key, numbered_texts_text(&s->names, row->kernel));
	g = sums_group(r);
	dist_merge(&g->values, &row->values);
	groups_number(g, RANGES, row->ranges);
	groups_number(g, ONCE, (int64_t)once);
}

static void
kernels_to_groups(struct report *r)
{
	struct kernels *s = r->state;

	sort_sites(s);
	while (s->at < s->sites.count) {
		next_rows(s);
		for (size_t i = 0; i < s->row_count; i++)
			add_group(r, &s->rows[i]);
	}
}

/* As by_site and by_sum have it. */
static int
by_group(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;
	int c = span_cmp(groups_key(a, RANGE), groups_key(b, RANGE));

	for (size_t part = PID; part <= TID && c == 0; part++)
		c = range_order(groups_key_id(a, part), groups_key_id(b, part));
	if (c == 0 && a->values.sum != b->values.sum)
		c = a->values.sum > b->values.sum ? -1 : 1;
	if (c == 0)
		c = range_order(
		    groups_key_id(b, STYLE), groups_key_id(a, STYLE));
	return c != 0 ? c
		      : span_cmp(groups_key(a, KERNEL), groups_key(b, KERNEL));
}

static void
group_row(struct table *t, struct report *r, struct group *g)
{
	int64_t style = t->heading ? 0 : groups_key_id(g, STYLE);

	col_text(t, "NVTX Range", groups_key(g, RANGE));
	col_text(t, "Style", range_style_text((enum range_style)style));
	col_id(t, "PID", groups_key_id(g, PID));
	col_id(t, "TID", groups_key_id(g, TID));
	col_int(t, "NVTX Inst", UNIT_NONE, g->numbers[RANGES]);
	col_int(t, "Kern Inst", UNIT_NONE, g->numbers[ONCE]);
	col_sum(t, "Total Time", UNIT_TIME, g->values.sum);
	groups_stats(t, groups_stat_names, UNIT_TIME, &g->values);
	if (r->pct)
		groups_more(t, &g->values);
	col_text(t, "Kernel Name", groups_key(g, KERNEL));
}

static void
kernels_table(struct report *r, struct table *t)
{
	struct kernels *s = r->state;
	bool merged = r->groups.count > 0 && r->correlated;
	uint64_t references = 0;

	if (!merged && s->correlated && report_wants_folded(r)) {
		kernels_to_groups(r);
		families_settle(&r->families, &r->groups);
		merged = true;
	}
	if (merged) {
		sums_rows(r, t, by_group);
		return;
	}
	col_heading(t, kernels_row, r, &(struct kernels_row){0});
	if (!s->correlated)
		return; /* it is not known which ranges launched what */
	sort_sites(s);
	for (size_t i = 0; i < s->piece_count; i++)
		references += s->pieces[i].to - s->pieces[i].from;
	s->deep =
	    kernels_deep_new(s->all, s->count, s->names.count, references);
	s->pct = r->pct;
	table_made(t, count_rows(s), make_row, r);
}

static const struct numbered_texts *
kernels_names(const struct report *r)
{
	const struct kernels *s = r->state;

	return &s->ranges.names;
}

static void
kernels_close(struct report *r)
{
	struct kernels *s = r->state;

	drop_rows(s);
	kernels_deep_free(s->deep);
	free(s->rows);
	free(s->row_of);
	free(s->order);
	keyed_free(&s->sites);
	free(s->pieces);
	free(s->all);
	free(s->loose);
	map_free(&s->threads);
	numbered_free(&s->kernels);
	map_free(&s->again);
	joined_free(&s->joined);
	numbered_texts_free(&s->names);
	launched_free(&s->ops);
	tree_free(&s->ranges);
	text_free(&s->scratch);
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_id, KEY_mode, KEY_domain, KEY_open, KEY_end_tid, KEY_depth, KEY_NONE};

static const enum key work_keys[] = {
    KEY_corr, KEY_sym, KEY_api_ts, KEY_api_dur, KEY_NONE};

const struct report_kind kernels_reports[] = {
    {.name = "nvtx_kern_sum",
	.question = ASKS_RANGES,
	.old = "nvtxkernsum",
	.title = "kernels by the NVTX ranges they were launched in",
	.args = "base|mangled",
	.more = "folded",
	.names = kernels_names,
	.missing = "no kernel in the stream",
	.correlated = true,
	.kinds = KINDS(trace) | KINDS(range) | KINDS(kernel) | KINDS(memcpy) |
		 KINDS(memset),
	.keys = keys,
	.work_keys = work_keys,
	.sum = SUM(KEY_dur, .row = group_row, .numbers = NUMBERS),
	.size = sizeof(struct kernels),
	.open = kernels_open,
	.event = kernels_event,
	.section_end = kernels_section_end,
	.table = kernels_table,
	.to_groups = kernels_to_groups,
	.close = kernels_close},
    {0},
};
