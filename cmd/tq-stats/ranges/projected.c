/*
 * projected.c - ranges projected on devices, one by one and by name
 *
 * tq-correlate projects them; here its gpu-range records, one for each device,
 * become one range again.  They come in any order: the records of a child may
 * stand before its parent's.  With --compat it is compat/projection.c that
 * projects.
 */

#include <stdlib.h>

#include "tq/base/array.h"

#include "compat/projection.h"
#include "sums/sums.h"
#include "tq/names/fold_name.h"
#include "tq/show/col.h"
#include "projected.h"

/* ---- a word for each range of a section ---- */

/*
 * Ids of ranges are close together, mostly: their words are on pages, which are
 * found by the high bits of an id.
 */
enum { PAGE_BITS = 6, PAGE = 1 << PAGE_BITS };

struct id_page {
	uint64_t words[PAGE];
};

/* {0} has the word 0 for each id */
struct id_words {
	struct map map; /* high bits -> page + 1 */
	struct id_page *pages;
	size_t count, cap;
	uint64_t last; /* high bits of the last id */
	size_t last_page;
};

/* bits of the word of an id */
enum {
	ID_START = 1, /* the range is StartEnd */
	ID_SEEN = 2,  /* the bits above are the index of the range */
	ID_BITS = 2
};

/* The word of an id; good until the next. */
static uint64_t *
id_word(struct id_words *ids, int64_t id)
{
	uint64_t high = (uint64_t)id >> PAGE_BITS, *page;

	if (ids->last != high || ids->count == 0) {
		page = map_get(&ids->map, high, 0);
		if (*page == 0) {
			*array_add(&ids->pages, &ids->count, &ids->cap) =
			    (struct id_page){0};
			*page = ids->count;
		}
		ids->last = high;
		ids->last_page = (size_t)*page - 1;
	}
	return &ids->pages[ids->last_page].words[(uint64_t)id & (PAGE - 1)];
}

static void
id_words_free(struct id_words *ids)
{
	map_free(&ids->map);
	free(ids->pages);
	*ids = (struct id_words){0};
}

/* ---- records of both reports ---- */

struct projected_stream {
	struct projection nsys; /* with --compat; else the rest */
	struct numbered_texts names;
	struct range_time time;
	struct id_words ids;
	struct text scratch;
};

/* A range record, or one whose time counts. */
static void
see_record(struct projected_stream *s, const struct event *ev)
{
	if (ev->kind == KIND_range && range_style(ev) == RANGE_START)
		*id_word(&s->ids, event_int(ev, KEY_id, NO_ID)) |= ID_START;
	range_time_add(&s->time, ev);
}

static enum range_style
style_of(uint64_t word)
{
	return (word & ID_START) != 0 ? RANGE_START : RANGE_PUSH;
}

static void
reset_stream(struct projected_stream *s)
{
	projection_reset(&s->nsys);
	id_words_free(&s->ids);
	s->time = (struct range_time){0};
}

static void
free_stream(struct projected_stream *s)
{
	projection_free(&s->nsys);
	numbered_texts_free(&s->names);
	id_words_free(&s->ids);
	text_free(&s->scratch);
}

/* ---- nvtx_gpu_proj_trace ---- */

struct projected_trace {
	struct projected_stream in;
	struct projected ranges;
	struct range_stack stack;
	struct text stacks; /* of nsys */
};

/* The range of a gpu-range record: new, unless another device had it before. */
static struct projected_range *
find_range(struct projected_trace *s, const struct event *ev)
{
	struct projected *to = &s->ranges;
	int64_t id = event_int(ev, KEY_range, NO_ID);
	uint64_t *word = id_word(&s->in.ids, id);
	struct projected_range *p;

	if ((*word & ID_SEEN) != 0)
		return &to->all[*word >> ID_BITS];
	p = array_add(&to->all, &to->count, &to->cap);
	*p = (struct projected_range){.style = (unsigned char)style_of(*word),
	    .id = id,
	    .ts = INT64_MAX,
	    .end = INT64_MIN};
	if (id != NO_ID)
		*word |= ID_SEEN | (to->count - 1) << ID_BITS;
	return p;
}

static void
trace_gpu_range(struct report *r, const struct event *ev)
{
	struct projected_trace *s = r->state;
	struct projected_range *p = find_range(s, ev);
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = time_end(ts, event_int(ev, KEY_dur, 0));

	if (ts < p->ts)
		p->ts = ts;
	if (end > p->end)
		p->end = end;
	p->launches = time_end(p->launches, event_int(ev, KEY_launches, 0));
	p->pid = event_int(ev, KEY_pid, NO_ID);
	p->tid = event_int(ev, KEY_tid, NO_ID);
	p->parent = event_int(ev, KEY_parent, NO_ID);
	p->depth = event_int(ev, KEY_depth, -1);
	p->range_ts = event_int(ev, KEY_range_ts, ts);
	p->range_end =
	    event_has(ev, KEY_range_dur)
		? time_end(p->range_ts, event_int(ev, KEY_range_dur, 0))
		: NO_ID;
	p->named = range_name(&s->in.scratch, r->settings, ev);
	p->name = numbered_texts_get(&s->in.names, text_span(&s->in.scratch));
}

static void
trace_open(struct report *r)
{
	struct projected_trace *s = r->state;

	projection_init(&s->in.nsys, r->settings);
}

static void
trace_event(struct report *r, const struct event *ev)
{
	struct projected_trace *s = r->state;

	if (r->settings->compat)
		projection_event(&s->in.nsys, ev);
	else if (ev->kind == KIND_gpu_range)
		trace_gpu_range(r, ev);
	else
		see_record(&s->in, ev);
}

/* The index of the parent + 1, or 0. */
static size_t
parent_of(struct projected_trace *s, const struct projected_range *p)
{
	uint64_t word =
	    p->parent != NO_ID ? *id_word(&s->in.ids, p->parent) : 0;

	return (word & ID_SEEN) != 0 ? (word >> ID_BITS) + 1 : 0;
}

static void
finish_ranges(struct projected_trace *s)
{
	struct projected_range *all = s->ranges.all;

	for (size_t i = s->ranges.section; i < s->ranges.count; i++) {
		size_t parent = parent_of(s, &all[i]);

		if (all[i].range_end == NO_ID)
			all[i].range_end = s->in.time.all;
		if (parent != 0)
			all[parent - 1].children++;
	}
}

/* The ranges are in order: find the indices of their parents. */
static void
link_parents(struct projected_trace *s)
{
	struct projected_range *all = s->ranges.all;

	for (size_t i = s->ranges.section; i < s->ranges.count; i++)
		if (all[i].id != NO_ID)
			*id_word(&s->in.ids, all[i].id) =
			    ID_SEEN | i << ID_BITS;
	for (size_t i = s->ranges.section; i < s->ranges.count; i++)
		all[i].stack = parent_of(s, &all[i]);
}

/* In a broken stream a parent that is no less deep ends the stack. */
static struct span
stack_of(struct projected_trace *s, const struct projected_range *p)
{
	const struct projected_range *all = s->ranges.all;

	range_stack_add(&s->stack, p->id);
	while (p->parent != NO_ID) {
		range_stack_add(&s->stack, p->parent);
		if (p->stack == 0 || all[p->stack - 1].depth >= p->depth)
			break;
		p = &all[p->stack - 1];
	}
	return range_stack_text(&s->stack);
}

/* The tree of the section is freed: save the stacks. */
static void
save_stacks(struct projected_trace *s)
{
	const struct tree *tree = &s->in.nsys.ranges;

	for (size_t i = s->ranges.section; i < s->ranges.count; i++) {
		struct projected_range *p = &s->ranges.all[i];

		if (p->depth < 0)
			continue;
		p->stack = s->stacks.len;
		text_add_span(&s->stacks,
		    tree_stack(tree, &tree->all[p->range], &s->stack));
		text_add_char(&s->stacks, '\0');
	}
}

/* In order of the ranges, as nsys has it, not of the projections. */
static int
by_range(const void *pa, const void *pb)
{
	const struct projected_range *a = pa, *b = pb;
	int c = range_order(a->range_ts, b->range_ts);

	return c != 0 ? c : range_order(a->id, b->id);
}

static void
trace_section_end(struct report *r)
{
	struct projected_trace *s = r->state;
	struct projected *p = &s->ranges;

	if (r->settings->compat)
		projection_finish(&s->in.nsys, p);
	else
		finish_ranges(s);
	if (p->count - p->section > 1)
		qsort(p->all + p->section, p->count - p->section,
		    sizeof(*p->all), by_range);
	if (r->settings->compat)
		save_stacks(s);
	else
		link_parents(s);
	p->section = p->count;
	reset_stream(&s->in);
}

static void
trace_row(
    struct table *t, const struct report *r, const struct projected_range *p)
{
	struct projected_trace *s = r->state;
	struct span name = {"", 0}, stack = name;
	int64_t dur = time_between(p->range_ts, p->range_end);
	bool compat = r->settings->compat;

	if (!t->heading)
		name = numbered_texts_text(
		    compat ? &s->in.nsys.ranges.names : &s->in.names, p->name);
	if (!t->heading && p->depth >= 0)
		stack =
		    compat ? span_of(s->stacks.p + p->stack) : stack_of(s, p);
	col_text(t, "Name", name);
	col_int(t, "Projected Start", UNIT_TIME, p->ts);
	col_int(
	    t, "Projected Duration", UNIT_TIME, time_between(p->ts, p->end));
	col_int_if(
	    t, "Orig Start", UNIT_TIME, p->range_ts != NO_ID, p->range_ts);
	col_int_if(t, "Orig Duration", UNIT_TIME, p->style != RANGE_NONE, dur);
	col_text(t, "Style", range_style_text(p->style));
	col_id(t, "PID", p->pid);
	col_id(t, "TID", p->tid);
	col_int(t, "NumGPUOps", UNIT_NONE, p->launches);
	col_int_if(t, "Lvl", UNIT_NONE, p->depth >= 0, p->depth);
	col_int(t, "NumChild", UNIT_NONE, p->children);
	col_id(t, "RangeId", p->id);
	col_id(t, "ParentId", p->parent);
	col_text(t, "RangeStack", stack);
}

static void
make_trace_row(void *state, struct table *t, size_t row)
{
	const struct report *r = state;
	const struct projected_trace *s = r->state;

	trace_row(t, r, &s->ranges.all[row]);
}

static void
trace_table(struct report *r, struct table *t)
{
	const struct projected_trace *s = r->state;

	col_heading(t, trace_row, r, &(struct projected_range){0});
	table_made(t, s->ranges.count, make_trace_row, r);
}

static void
trace_close(struct report *r)
{
	struct projected_trace *s = r->state;

	free_stream(&s->in);
	free(s->ranges.all);
	text_free(&s->stacks);
	range_stack_free(&s->stack);
}

/* ---- nvtx_gpu_proj_sum ---- */

/*
 * 12 bytes are held for each range, its duration and a link to the one before
 * of the same name, and until the end of its section about 20 more.
 */

/* ranges of a name and style */
struct projected_group {
	uint64_t range_time, launches, depth; /* sums */
	uint32_t depths, children, count;
	uint32_t last; /* of its ranges: index + 1 */
};

/* numbers of a group of the report, whose key is a name and the digit of a
   style */
enum { RANGE_TIME, LAUNCHES, DEPTH, DEPTHS, CHILDREN, NUMBERS };

/* a range that was never closed, until the section ends */
struct projected_open {
	uint32_t group;
	int64_t ts;
};

/* the sum of a group, and its number: 12 bytes */
struct projected_row {
	uint32_t low, high, group;
};

struct projected_sum {
	struct projected_stream in; /* names: of groups, tagged by the style */
	struct projected_group *groups; /* by name */
	size_t group_count, group_cap;

	int64_t *durations; /* of ranges; in their section their ends */
	uint32_t *links;    /* to another of the group; there, the group */
	int64_t *starts;    /* of the section */
	size_t count, cap, section, starts_cap;

	struct projected_open *open;
	size_t open_count, open_cap;
	struct projected_row *rows;
};

/* Add to a sum, which stops at the end of 64 bits. */
static void
add_up(uint64_t *sum, uint64_t n)
{
	if (__builtin_add_overflow(*sum, n, sum))
		*sum = UINT64_MAX;
}

static void
add_to_group(
    struct projected_sum *s, uint32_t group, const struct projected_group *add)
{
	struct projected_group *g;

	if (group == s->group_count) {
		*array_add(&s->groups, &s->group_count, &s->group_cap) = *add;
		return;
	}
	g = &s->groups[group];
	add_up(&g->range_time, add->range_time);
	add_up(&g->launches, add->launches);
	add_up(&g->depth, add->depth);
	g->depths += add->depths;
	g->children += add->children;
}

/* A range of a group, which is projected to [ts, end]. */
static void
add_range(struct projected_sum *s, uint32_t group, int64_t ts, int64_t end)
{
	size_t in_section = s->count - s->section;

	if (s->count == s->cap) {
		s->cap = s->cap * 2 + 256;
		s->durations =
		    mem_resize(s->durations, s->cap, sizeof(*s->durations));
		s->links = mem_resize(s->links, s->cap, sizeof(*s->links));
	}
	*array_add(&s->starts, &in_section, &s->starts_cap) = ts;
	s->durations[s->count] = end;
	s->links[s->count++] = group;
}

static void
add_depth(struct projected_group *g, int64_t depth)
{
	if (depth < 0)
		return;
	g->depth += (uint64_t)depth;
	g->depths++;
}

static void
sum_wanted(struct keyset *want)
{
	static const enum key range[] = {KEY_id, KEY_mode, KEY_NONE};
	static const enum key gpu_range[] = {KEY_name, KEY_domain, KEY_range,
	    KEY_parent, KEY_depth, KEY_launches, KEY_range_ts, KEY_range_dur,
	    KEY_NONE};

	keyset_add_all(&want[KIND_range], range);
	keyset_add_all(&want[KIND_gpu_range], gpu_range);
}

static void
sum_open(struct report *r)
{
	static const enum key times[] = {KEY_ts, KEY_dur, KEY_NONE};
	static struct report_kind kind;
	struct projected_sum *s = r->state;

	projection_init(&s->in.nsys, r->settings);
	if (report_wants_folded(r)) {
		s->in.nsys.ranges.short_names = true;
		r->families.parts = 1; /* the name */
		r->families.moved = (1u << NUMBERS) - 1;
	}
	if (r->settings->compat)
		return;
	kind = *r->kind;
	kind.keys = times;
	kind.work_keys = NULL;
	kind.wanted = sum_wanted;
	r->kind = &kind;
}

/* A child of the range with that id; until that is seen, they are counted. */
static void
add_child(struct projected_sum *s, int64_t parent)
{
	uint64_t *word = id_word(&s->in.ids, parent);

	if ((*word & ID_SEEN) != 0)
		s->groups[s->links[*word >> ID_BITS]].children++;
	else
		*word += 1 << ID_BITS;
}

/* Another device worked for the range. */
static void
widen_range(struct projected_sum *s, size_t range, int64_t ts, int64_t end,
    int64_t launches)
{
	int64_t *start = &s->starts[range - s->section];

	if (ts < *start)
		*start = ts;
	if (end > s->durations[range])
		s->durations[range] = end;
	add_up(&s->groups[s->links[range]].launches,
	    launches > 0 ? (uint64_t)launches : 0);
}

/* The time that a gpu-range record adds to its group; the range may be open. */
static struct projected_group
group_of(const struct event *ev, int64_t range_ts)
{
	struct projected_group g = {0};

	if (event_int(ev, KEY_launches, 0) > 0)
		g.launches = (uint64_t)event_int(ev, KEY_launches, 0);
	if (event_has(ev, KEY_range_dur))
		g.range_time = (uint64_t)time_between(range_ts,
		    time_end(range_ts, event_int(ev, KEY_range_dur, 0)));
	add_depth(&g, event_int(ev, KEY_depth, -1));
	return g;
}

static void
sum_gpu_range(struct report *r, const struct event *ev)
{
	struct projected_sum *s = r->state;
	int64_t id = event_int(ev, KEY_range, NO_ID);
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = time_end(ts, event_int(ev, KEY_dur, 0));
	int64_t range_ts = event_int(ev, KEY_range_ts, ts);
	int64_t parent = event_int(ev, KEY_parent, NO_ID);
	uint64_t *word = id_word(&s->in.ids, id);
	struct numbered_text_key key;
	struct projected_group g;
	uint32_t group;

	if ((*word & ID_SEEN) != 0) {
		widen_range(s, *word >> ID_BITS, ts, end,
		    event_int(ev, KEY_launches, 0));
		return;
	}
	range_name(&s->in.scratch, r->settings, ev);
	if (r->families.parts != 0)
		s->in.scratch.len =
		    fold_name_always(s->in.scratch.p, s->in.scratch.len);
	key = numbered_texts_key(
	    &s->in.names, text_span(&s->in.scratch), style_of(*word));
	g = group_of(ev, range_ts);
	g.children = (uint32_t)(*word >> ID_BITS);
	if (id != NO_ID) /* else each record is a range of its own */
		*word = (*word & ID_START) | ID_SEEN | s->count << ID_BITS;
	group = numbered_texts_get_key(&s->in.names, &key);
	add_range(s, group, ts, end);
	add_to_group(s, group, &g);
	if (!event_has(ev, KEY_range_dur))
		*array_add(&s->open, &s->open_count, &s->open_cap) =
		    (struct projected_open){group, range_ts};
	if (parent != NO_ID)
		add_child(s, parent);
}

static void
sum_event(struct report *r, const struct event *ev)
{
	struct projected_sum *s = r->state;

	if (r->settings->compat)
		projection_event(&s->in.nsys, ev);
	else if (ev->kind == KIND_gpu_range)
		sum_gpu_range(r, ev);
	else
		see_record(&s->in, ev);
}

/* nsys leaves out ranges without a name. */
static void
add_projection(struct projected_sum *s)
{
	struct projection *nsys = &s->in.nsys;
	struct projected list = {0};

	projection_finish(nsys, &list);
	for (size_t i = 0; i < list.count; i++) {
		const struct projected_range *p = &list.all[i];
		struct projected_group g = {.children = p->children};
		struct numbered_text_key key;
		uint32_t group;

		if (!p->named)
			continue;
		g.range_time =
		    (uint64_t)time_between(p->range_ts, p->range_end);
		g.launches = (uint64_t)p->launches;
		add_depth(&g, p->depth);
		key = numbered_texts_key(&s->in.names,
		    numbered_texts_text(&nsys->ranges.names, p->name),
		    p->style);
		group = numbered_texts_get_key(&s->in.names, &key);
		add_range(s, group, p->ts, p->end);
		add_to_group(s, group, &g);
	}
	free(list.all);
}

static void
sum_section_end(struct report *r)
{
	struct projected_sum *s = r->state;

	if (r->settings->compat)
		add_projection(s);
	for (size_t i = 0; i < s->open_count; i++)
		add_up(&s->groups[s->open[i].group].range_time,
		    (uint64_t)time_between(s->open[i].ts, s->in.time.all));
	s->open_count = 0;
	for (size_t i = s->section; i < s->count; i++) {
		struct projected_group *g = &s->groups[s->links[i]];

		s->durations[i] =
		    time_between(s->starts[i - s->section], s->durations[i]);
		s->links[i] = g->last;
		g->last = (uint32_t)i + 1;
		g->count++;
	}
	s->section = s->count;
	free(s->starts);
	s->starts = NULL;
	s->starts_cap = 0;
	reset_stream(&s->in);
}

/* ---- its table ---- */

static uint64_t
sum_of(const struct projected_row *row)
{
	return (uint64_t)row->high << 32 | row->low;
}

static int
by_sum(const void *pa, const void *pb)
{
	uint64_t a = sum_of(pa), b = sum_of(pb);

	return (a < b) - (a > b);
}

static int
by_name(const void *pa, const void *pb, void *names)
{
	const struct projected_row *a = pa, *b = pb;

	return numbered_texts_cmp(names, a->group, b->group);
}

/* 64 bits at most, for the order */
static uint64_t
sum_up(const struct projected_sum *s, uint32_t last)
{
	uint64_t sum = 0;

	for (; last != 0; last = s->links[last - 1])
		if (__builtin_add_overflow(
			sum, (uint64_t)s->durations[last - 1], &sum))
			return UINT64_MAX;
	return sum;
}

static void
sort_rows(struct projected_sum *s)
{
	size_t n = s->group_count, from = 0;

	s->rows = mem_resize(NULL, n + 1, sizeof(*s->rows));
	for (uint32_t i = 0; i < n; i++) {
		uint64_t sum = sum_up(s, s->groups[i].last);

		s->rows[i] = (struct projected_row){
		    (uint32_t)sum, (uint32_t)(sum >> 32), i};
	}
	if (n > 1)
		qsort(s->rows, n, sizeof(*s->rows), by_sum);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && sum_of(&s->rows[i]) == sum_of(&s->rows[from]))
			continue;
		if (i - from > 1)
			qsort_r(s->rows + from, i - from, sizeof(*s->rows),
			    by_name, &s->in.names);
		from = i;
	}
}

/* Rows are far apart in memory: fetch one that is needed soon. */
static void
prefetch_row(const struct projected_sum *s, size_t row)
{
	enum { SOON = 8 };

	if (row + SOON < s->group_count) {
		uint32_t group = s->rows[row + SOON].group;

		__builtin_prefetch(&s->groups[group]);
		__builtin_prefetch(&s->groups[group].last);
		__builtin_prefetch(&s->in.names.all[group]);
	}
}

/* The columns of groups_stats; *one is the only value, or NULL. */
static void
col_durations(struct table *t, struct dist *values, const int64_t *one)
{
	static const char *const names[5] = {
	    "Proj Avg", "Proj Med", "Proj Min", "Proj Max", "Proj StdDev"};

	if (t->heading || one == NULL) {
		groups_stats(t, names, UNIT_TIME, values);
	} else {
		table_real(t, (long double)*one, 1);
		table_real(t, (long double)*one, 1);
		table_int(t, *one);
		table_int(t, *one);
		table_real(t, 0, 1);
	}
}

static void
sum_row(
    struct table *t, const struct report *r, const struct projected_row *row)
{
	const struct projected_sum *s = r->state;
	const struct projected_group none = {0};
	const struct projected_group *g =
	    t->heading ? &none : &s->groups[row->group];
	bool one = g->count == 1 && !r->pct; /* as most names with a number */
	int64_t sum = (int64_t)sum_of(row);
	struct dist values = {0};
	struct span name = {"", 0}, style = name;

	for (uint32_t i = one ? 0 : g->last; i != 0; i = s->links[i - 1])
		dist_add(&values, s->durations[i - 1]);
	if (!t->heading) {
		name = numbered_texts_text(&s->in.names, row->group);
		style = range_style_text((enum range_style)numbered_texts_tag(
		    &s->in.names, row->group));
	}
	col_text(t, "Range", name);
	col_text(t, "Style", style);
	col_sum(t, "Total Proj Time", UNIT_TIME, one ? sum : values.sum);
	col_sum(t, "Total Range Time", UNIT_TIME, g->range_time);
	col_int(t, "Range Instances", UNIT_NONE, g->count);
	col_durations(t, &values, one ? &sum : NULL);
	if (r->pct)
		groups_more(t, &values);
	col_sum(t, "Total GPU Ops", UNIT_NONE, g->launches);
	col_ratio(t, "Avg GPU Ops", UNIT_NONE, g->launches, g->count, 1);
	col_ratio(t, "Avg Range Lvl", UNIT_NONE, g->depth, g->depths, 1);
	col_ratio(t, "Avg Num Child", UNIT_NONE, g->children, g->count, 1);
	dist_free(&values);
}

static void
make_sum_row(void *state, struct table *t, size_t row)
{
	const struct report *r = state;
	const struct projected_sum *s = r->state;

	prefetch_row(s, row);
	sum_row(t, r, &s->rows[row]);
}

/* ---- the same of parts of the input ---- */

static int64_t
shorten(uint64_t n)
{
	return n < INT64_MAX ? (int64_t)n : INT64_MAX;
}

static void
sum_to_groups(struct report *r)
{
	struct projected_sum *s = r->state;

	for (uint32_t i = 0; i < s->group_count; i++) {
		const struct projected_group *from = &s->groups[i];
		unsigned style = numbered_texts_tag(&s->in.names, i);
		struct group *g;

		r->key.len = 0;
		groups_part(&r->key, numbered_texts_text(&s->in.names, i));
		groups_part_id(&r->key, style);
		g = sums_group(r);
		groups_number(g, RANGE_TIME, shorten(from->range_time));
		groups_number(g, LAUNCHES, shorten(from->launches));
		groups_number(g, DEPTH, shorten(from->depth));
		groups_number(g, DEPTHS, from->depths);
		groups_number(g, CHILDREN, from->children);
		for (uint32_t n = from->last; n != 0; n = s->links[n - 1])
			dist_add(&g->values, s->durations[n - 1]);
	}
}

/* As by_sum and by_name have it. */
static int
by_group(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;

	if (a->values.sum != b->values.sum)
		return a->values.sum > b->values.sum ? -1 : 1;
	return span_cmp(a->key, b->key);
}

static void
group_row(struct table *t, struct report *r, struct group *g)
{
	static const char *const names[5] = {
	    "Proj Avg", "Proj Med", "Proj Min", "Proj Max", "Proj StdDev"};
	int64_t style = t->heading ? 0 : groups_key_id(g, 1), *n = g->numbers;

	col_text(t, "Range", groups_key(g, 0));
	col_text(t, "Style", range_style_text((enum range_style)style));
	col_sum(t, "Total Proj Time", UNIT_TIME, g->values.sum);
	col_sum(t, "Total Range Time", UNIT_TIME, n[RANGE_TIME]);
	col_int(t, "Range Instances", UNIT_NONE, (int64_t)g->values.count);
	groups_stats(t, names, UNIT_TIME, &g->values);
	if (r->pct)
		groups_more(t, &g->values);
	col_sum(t, "Total GPU Ops", UNIT_NONE, n[LAUNCHES]);
	col_ratio(t, "Avg GPU Ops", UNIT_NONE, n[LAUNCHES],
	    (dist_wide)g->values.count, 1);
	col_ratio(t, "Avg Range Lvl", UNIT_NONE, n[DEPTH], n[DEPTHS], 1);
	col_ratio(t, "Avg Num Child", UNIT_NONE, n[CHILDREN],
	    (dist_wide)g->values.count, 1);
}

static void
sum_table(struct report *r, struct table *t)
{
	struct projected_sum *s = r->state;

	if (r->groups.count == 0 && report_wants_folded(r)) {
		sum_to_groups(r);
		families_settle(&r->families, &r->groups);
	}
	if (r->groups.count > 0) {
		sums_rows(r, t, by_group);
		return;
	}
	sort_rows(s);
	col_heading(t, sum_row, r, &(struct projected_row){0});
	table_made(t, s->group_count, make_sum_row, r);
}

static const struct numbered_texts *
sum_names(const struct report *r)
{
	const struct projected_sum *s = r->state;

	return &s->in.names;
}

static void
sum_close(struct report *r)
{
	struct projected_sum *s = r->state;

	free_stream(&s->in);
	free(s->groups);
	free(s->durations);
	free(s->links);
	free(s->starts);
	free(s->open);
	free(s->rows);
}

/* ---- the list ---- */

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_id, KEY_mode, KEY_domain, KEY_open, KEY_end_tid, KEY_range, KEY_parent,
    KEY_depth, KEY_launches, KEY_range_ts, KEY_range_dur, KEY_NONE};

static const enum key work_keys[] = {
    KEY_corr, KEY_sym, KEY_api_ts, KEY_api_dur, KEY_NONE};

#define PROJECTION \
	.missing = "no range in the stream that launched an operation", \
	.correlated = true, .keys = keys, .work_keys = work_keys, \
	.kinds = KINDS(trace) | KINDS(range) | KINDS(gpu_range) | \
		 KINDS(kernel) | KINDS(memcpy) | KINDS(memset)

const struct report_kind projected_reports[] = {
    {.name = "nvtx_gpu_proj_sum",
	.question = ASKS_RANGES,
	.rows = KINDS(gpu_range),
	.title = "NVTX ranges projected on devices",
	PROJECTION,
	.args = "folded",
	.names = sum_names,
	.sum = SUM(KEY_dur, .row = group_row, .numbers = NUMBERS),
	.size = sizeof(struct projected_sum),
	.open = sum_open,
	.event = sum_event,
	.section_end = sum_section_end,
	.table = sum_table,
	.to_groups = sum_to_groups,
	.close = sum_close},
    {.name = "nvtx_gpu_proj_trace",
	.question = ASKS_RANGES,
	.row_parts = true,
	.rows = KINDS(gpu_range),
	.old = "nvtxgpuproj",
	.title = "NVTX ranges projected on devices, one by one",
	PROJECTION,
	.size = sizeof(struct projected_trace),
	.open = trace_open,
	.event = trace_event,
	.section_end = trace_section_end,
	.table = trace_table,
	.close = trace_close},
    {0},
};
