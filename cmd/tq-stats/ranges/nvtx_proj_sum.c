/*
 * nvtx_proj_sum.c - nvtx_gpu_proj_sum: ranges projected on devices, by name
 *
 * Of each range 12 bytes are held, its duration and a link to the one before
 * of the same name, and until the end of its section about 20 more: the
 * gpu-range records of a range, one for each device, may come in any order,
 * and those of its children before it or after it.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "sums/groups.h"
#include "nvtx_proj.h"

/* of ranges of one name and style */
struct proj_group {
	uint64_t range_time, launches, depth; /* sums */
	uint32_t depths, children, count;
	uint32_t last; /* of its ranges: index + 1 */
};

/* a range that was never closed, until the end of the section is known */
struct proj_open {
	uint32_t group;
	int64_t ts;
};

static void
add_to_group(
    struct nvtx_proj_sum *s, uint32_t group, const struct proj_group *add)
{
	struct proj_group *g;

	if (group == s->group_count) {
		if (s->group_count == s->group_cap) {
			s->group_cap = s->group_cap * 2 + 64;
			s->groups = mem_resize(
			    s->groups, s->group_cap, sizeof(*s->groups));
		}
		s->groups[s->group_count++] = *add;
		return;
	}
	g = &s->groups[group];
	g->range_time += add->range_time;
	g->launches += add->launches;
	g->depth += add->depth;
	g->depths += add->depths;
	g->children += add->children;
}

/* A range of a group, which is projected to [ts, end]; returns its index. */
static size_t
add_range(struct nvtx_proj_sum *s, uint32_t group, int64_t ts, int64_t end)
{
	if (s->count == s->cap) {
		s->cap = s->cap * 2 + 256;
		s->durations =
		    mem_resize(s->durations, s->cap, sizeof(*s->durations));
		s->links = mem_resize(s->links, s->cap, sizeof(*s->links));
	}
	if (s->count - s->section == s->starts_cap) {
		s->starts_cap = s->starts_cap * 2 + 256;
		s->starts =
		    mem_resize(s->starts, s->starts_cap, sizeof(*s->starts));
	}
	s->starts[s->count - s->section] = ts;
	s->durations[s->count] = end;
	s->links[s->count] = group;
	return s->count++;
}

static void
add_depth(struct proj_group *g, int64_t depth)
{
	if (depth < 0)
		return;
	g->depth += (uint64_t)depth;
	g->depths++;
}

/* ---- the stream ---- */

static void
ask_for(struct keyset *want, const enum key *keys)
{
	for (; *keys != KEY_NONE; keys++)
		keyset_add(want, *keys);
}

/* Less than for nsys: of most records when they are is enough. */
static void
wanted(struct keyset *want)
{
	static const enum key range[] = {KEY_id, KEY_mode, KEY_NONE};
	static const enum key gpu_range[] = {KEY_name, KEY_domain, KEY_range,
	    KEY_parent, KEY_depth, KEY_launches, KEY_range_ts, KEY_range_dur,
	    KEY_NONE};

	ask_for(&want[KIND_range], range);
	ask_for(&want[KIND_gpu_range], gpu_range);
}

void
nvtx_proj_sum_open(struct report *r)
{
	static const enum key times[] = {KEY_ts, KEY_dur, KEY_NONE};
	static struct report_kind kind;
	struct nvtx_proj_sum *s = r->state;

	s->compat.ranges.parents = true;
	if (r->ask->compat)
		return;
	kind = *r->kind;
	kind.keys = times;
	kind.work_keys = NULL;
	kind.wanted = wanted;
	r->kind = &kind;
}

static void
add_open(struct nvtx_proj_sum *s, uint32_t group, int64_t ts)
{
	if (s->open_count == s->open_cap) {
		s->open_cap = s->open_cap * 2 + 16;
		s->open = mem_resize(s->open, s->open_cap, sizeof(*s->open));
	}
	s->open[s->open_count++] = (struct proj_open){group, ts};
}

/* a child of the range with that id; until that is seen, they are counted */
static void
add_child(struct nvtx_proj_sum *s, int64_t parent)
{
	uint64_t *known = nvtx_ids_get(&s->ids, parent);

	if ((*known & PROJ_SEEN) != 0)
		s->groups[s->links[*known >> PROJ_BITS]].children++;
	else
		*known += 1 << PROJ_BITS;
}

/* another device worked for the range */
static void
widen(struct nvtx_proj_sum *s, size_t range, int64_t ts, int64_t end,
    int64_t launches)
{
	int64_t *start = &s->starts[range - s->section];

	if (ts < *start)
		*start = ts;
	if (end > s->durations[range])
		s->durations[range] = end;
	s->groups[s->links[range]].launches += (uint64_t)launches;
}

/* what the record at hand adds to its group; the range may be open */
static struct proj_group
describe(const struct event *ev, int64_t range_ts)
{
	struct proj_group g = {0};

	g.launches = (uint64_t)event_int(ev, KEY_launches, 0);
	if (event_has(ev, KEY_range_dur))
		g.range_time = (uint64_t)nvtx_duration(range_ts,
		    time_end(range_ts, event_int(ev, KEY_range_dur, 0)));
	add_depth(&g, event_int(ev, KEY_depth, -1));
	return g;
}

static void
add_gpu_range(struct report *r, const struct event *ev)
{
	struct nvtx_proj_sum *s = r->state;
	int64_t id = event_int(ev, KEY_range, NO_ID);
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = time_end(ts, event_int(ev, KEY_dur, 0));
	int64_t range_ts = event_int(ev, KEY_range_ts, ts);
	int64_t parent = event_int(ev, KEY_parent, NO_ID);
	uint64_t *known = nvtx_ids_get(&s->ids, id);
	struct nvtx_key key;
	struct proj_group g;
	uint32_t group;

	if ((*known & PROJ_SEEN) != 0) {
		widen(s, *known >> PROJ_BITS, ts, end,
		    event_int(ev, KEY_launches, 0));
		return;
	}
	nvtx_event_name(&s->ranges.scratch, r->ask, ev);
	key = nvtx_name_key(&s->names, text_span(&s->ranges.scratch),
	    (*known & PROJ_START) != 0 ? NVTX_START : NVTX_PUSH);
	g = describe(ev, range_ts);
	g.children = (uint32_t)(*known >> PROJ_BITS);
	if (id != NO_ID) /* else each record is a range of its own */
		*known =
		    (*known & PROJ_START) | PROJ_SEEN | s->count << PROJ_BITS;
	group = nvtx_name_number(&s->names, &key);
	add_range(s, group, ts, end);
	add_to_group(s, group, &g);
	if (!event_has(ev, KEY_range_dur))
		add_open(s, group, range_ts);
	if (parent != NO_ID)
		add_child(s, parent);
}

void
nvtx_proj_sum_event(struct report *r, const struct event *ev)
{
	struct nvtx_proj_sum *s = r->state;

	if (r->ask->compat) {
		nvtx_proj_compat_event(&s->compat, r->ask, ev);
		return;
	}
	if (ev->kind == KIND_gpu_range) {
		add_gpu_range(r, ev);
		return;
	}
	if (ev->kind == KIND_range && nvtx_style(ev) == NVTX_START)
		*nvtx_ids_get(&s->ids, event_int(ev, KEY_id, NO_ID)) |=
		    PROJ_START;
	nvtx_time_see(&s->ranges.time, ev);
}

/* ---- the end of a section ---- */

/* What nsys leaves out has no name. */
static void
take_compat(struct nvtx_proj_sum *s, const struct ask *ask)
{
	struct nvtx_projection *c = &s->compat;

	nvtx_proj_compat(c, ask);
	for (size_t i = 0; i < c->count; i++) {
		const struct nvtx_proj *p = &c->all[i];
		struct proj_group g = {.children = p->children};
		struct nvtx_key key;
		uint32_t group;

		if (!p->named)
			continue;
		g.range_time =
		    (uint64_t)nvtx_duration(p->range_ts, p->range_end);
		g.launches = (uint64_t)p->launches;
		add_depth(&g, p->depth);
		key = nvtx_name_key(&s->names,
		    nvtx_name_text(&c->ranges.names, p->name), p->style);
		group = nvtx_name_number(&s->names, &key);
		add_range(s, group, p->ts, p->end);
		add_to_group(s, group, &g);
	}
	c->count = 0;
	nvtx_proj_section_end(c);
}

void
nvtx_proj_sum_section_end(struct report *r)
{
	struct nvtx_proj_sum *s = r->state;

	if (r->ask->compat)
		take_compat(s, r->ask);
	for (size_t i = 0; i < s->open_count; i++)
		s->groups[s->open[i].group].range_time +=
		    (uint64_t)nvtx_duration(s->open[i].ts, s->ranges.time.all);
	s->open_count = 0;
	for (size_t i = s->section; i < s->count; i++) {
		struct proj_group *g = &s->groups[s->links[i]];

		s->durations[i] =
		    nvtx_duration(s->starts[i - s->section], s->durations[i]);
		s->links[i] = g->last;
		g->last = (uint32_t)i + 1;
		g->count++;
	}
	s->section = s->count;
	free(s->starts);
	s->starts = NULL;
	s->starts_cap = 0;
	nvtx_ids_free(&s->ids);
	nvtx_ranges_reset(&s->ranges);
}

/* ---- the table ---- */

/* the sum of a group, and which it is: 12 bytes */
struct proj_row {
	uint32_t low, high, group;
};

static uint64_t
sum_of(const struct proj_row *row)
{
	return (uint64_t)row->high << 32 | row->low;
}

static int
compare_sums(const void *pa, const void *pb)
{
	uint64_t a = sum_of(pa), b = sum_of(pb);

	return (a < b) - (a > b);
}

static int
compare_names(const void *pa, const void *pb, void *names)
{
	const struct proj_row *a = pa, *b = pb;

	return nvtx_name_cmp(names, a->group, b->group);
}

/* no further than 64 bits, for the order */
static uint64_t
sum_up(const struct nvtx_proj_sum *s, uint32_t last)
{
	uint64_t sum = 0;

	for (; last != 0; last = s->links[last - 1])
		if (__builtin_add_overflow(
			sum, (uint64_t)s->durations[last - 1], &sum))
			return UINT64_MAX;
	return sum;
}

static void
sort_rows(struct nvtx_proj_sum *s)
{
	size_t n = s->group_count, from = 0;

	s->rows = mem_resize(NULL, n + 1, sizeof(*s->rows));
	for (uint32_t i = 0; i < n; i++) {
		uint64_t sum = sum_up(s, s->groups[i].last);

		s->rows[i] =
		    (struct proj_row){(uint32_t)sum, (uint32_t)(sum >> 32), i};
	}
	if (n > 1)
		qsort(s->rows, n, sizeof(*s->rows), compare_sums);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && sum_of(&s->rows[i]) == sum_of(&s->rows[from]))
			continue;
		if (i - from > 1)
			qsort_r(s->rows + from, i - from, sizeof(*s->rows),
			    compare_names, &s->names);
		from = i;
	}
}

static void
columns(struct table *t, bool pct)
{
	table_text_column(t, "Range");
	table_text_column(t, "Style");
	table_column(t, "Total Proj Time", UNIT_TIME);
	table_column(t, "Total Range Time", UNIT_TIME);
	table_column(t, "Range Instances", UNIT_NONE);
	table_column(t, "Proj Avg", UNIT_TIME);
	table_column(t, "Proj Med", UNIT_TIME);
	table_column(t, "Proj Min", UNIT_TIME);
	table_column(t, "Proj Max", UNIT_TIME);
	table_column(t, "Proj StdDev", UNIT_TIME);
	if (pct)
		groups_more_columns(t);
	table_column(t, "Total GPU Ops", UNIT_NONE);
	table_column(t, "Avg GPU Ops", UNIT_NONE);
	table_column(t, "Avg Range Lvl", UNIT_NONE);
	table_column(t, "Avg Num Child", UNIT_NONE);
}

/* groups_cells of one value, as most names that have a number have */
static void
one_value(struct table *t, int64_t v)
{
	table_real(t, (long double)v, 1);
	table_real(t, (long double)v, 1);
	table_int(t, v);
	table_int(t, v);
	table_real(t, 0, 1);
}

/* Rows are far apart in memory: have one that is needed soon come. */
static void
prefetch(const struct nvtx_proj_sum *s, size_t row)
{
	enum { SOON = 8 };

	if (row + SOON < s->group_count) {
		uint32_t group = s->rows[row + SOON].group;

		__builtin_prefetch(&s->groups[group]);
		__builtin_prefetch(&s->groups[group].last);
		__builtin_prefetch(&s->names.all[group]);
	}
}

static void
make_row(void *state, struct table *t, size_t row)
{
	const struct report *r = state;
	const struct nvtx_proj_sum *s = r->state;
	uint32_t group = s->rows[row].group;
	const struct proj_group *g = &s->groups[group];
	bool one = g->count == 1 && !r->pct;
	struct dist values = {0};
	long double n = (long double)g->count;

	prefetch(s, row);
	for (uint32_t i = one ? 0 : g->last; i != 0; i = s->links[i - 1])
		dist_add(&values, s->durations[i - 1]);
	table_text(t, nvtx_name_text(&s->names, group));
	table_text(t, nvtx_style_text(nvtx_name_tag(&s->names, group)));
	table_int(
	    t, one ? (int64_t)sum_of(&s->rows[row]) : (int64_t)values.sum);
	table_int(t, (int64_t)g->range_time);
	table_int(t, g->count);
	if (one)
		one_value(t, (int64_t)sum_of(&s->rows[row]));
	else
		groups_cells(t, &values);
	if (r->pct)
		groups_more_cells(t, &values);
	table_int(t, (int64_t)g->launches);
	table_real(t, (long double)(int64_t)g->launches / n, 1);
	if (g->depths > 0)
		table_real(t,
		    (long double)(int64_t)g->depth / (long double)g->depths, 1);
	else
		table_empty(t);
	table_real(t, (long double)g->children / n, 1);
	dist_free(&values);
}

void
nvtx_proj_sum_table(struct report *r, struct table *t)
{
	struct nvtx_proj_sum *s = r->state;

	sort_rows(s);
	columns(t, r->pct);
	table_made(t, s->group_count, make_row, r);
}

void
nvtx_proj_sum_close(struct report *r)
{
	struct nvtx_proj_sum *s = r->state;

	nvtx_proj_free(&s->compat);
	nvtx_names_free(&s->names);
	nvtx_ids_free(&s->ids);
	nvtx_ranges_free(&s->ranges);
	free(s->groups);
	free(s->durations);
	free(s->links);
	free(s->starts);
	free(s->open);
	free(s->rows);
}
