/*
 * nvtx_kern.c - nvtx_kern_sum: kernels by the ranges they were launched in
 *
 * A kernel counts for every range of its thread that its whole call lies in.
 * The calls that start in a range follow each other in order of their start,
 * and all but those that cross its end are in it: beyond the sorting, the time
 * goes with what is counted.
 */

#include <stdlib.h>

#include "tq/mem.h"

#include "groups.h"
#include "nvtx.h"

/* where kernels were launched: ranges of a name and style on a thread */
struct kern_place {
	uint32_t name; /* of ranges */
	unsigned char style;
	int64_t pid, tid; /* NO_ID: of a kernel without a call */
};

struct kern_group {
	uint32_t place, kernel;
	struct dist values;
	int64_t ranges;
	uint64_t last; /* range that was counted, in the order of all */
};

/* ---- names of kernels ---- */

static struct span
kernel_name(const struct report *r, const struct event *ev, struct text *t)
{
	int64_t sym = event_int(ev, KEY_sym, NO_ID);
	struct span name = {"", 0};

	if (r->arg != NULL && strcmp(r->arg, "mangled") == 0)
		name = known_mangled(r->known, sym);
	if (name.len == 0 && (r->arg == NULL || strcmp(r->arg, "base") != 0))
		name = known_demangled(r->known, sym);
	return name.len > 0 ? name : event_str(ev, KEY_name, t);
}

/* A symbol is looked up once in a section; its base name is the event's. */
static uint32_t
kernel_of(struct report *r, const struct event *ev)
{
	struct nvtx_kern *s = r->state;
	bool base = r->arg != NULL && strcmp(r->arg, "base") == 0;
	uint64_t *slot = NULL;
	uint32_t name;

	if (event_has(ev, KEY_sym) && !base) {
		slot = map_get(
		    &s->symbols, (uint64_t)event_int(ev, KEY_sym, NO_ID), 0);
		if (*slot != 0)
			return (uint32_t)*slot - 1;
	}
	s->scratch.len = 0;
	name = nvtx_name(&s->kernels, kernel_name(r, ev, &s->scratch));
	if (slot != NULL)
		*slot = (uint64_t)name + 1;
	return name;
}

/* ---- groups ---- */

static uint32_t
place_of(struct nvtx_kern *s, const struct kern_place *place)
{
	uint64_t *thread, *slot;

	thread =
	    map_get(&s->threads, (uint64_t)place->pid, (uint64_t)place->tid);
	if (*thread == 0)
		*thread = s->threads.count;
	slot = map_get(
	    &s->by_place, (uint64_t)place->name << 2 | place->style, *thread);
	if (*slot != 0)
		return (uint32_t)*slot - 1;
	if (s->place_count == s->place_cap) {
		s->place_cap = s->place_cap * 2 + 64;
		s->places =
		    mem_resize(s->places, s->place_cap, sizeof(*s->places));
	}
	s->places[s->place_count] = *place;
	*slot = ++s->place_count;
	return (uint32_t)*slot - 1;
}

static struct kern_group *
group_of(struct nvtx_kern *s, uint32_t place, uint32_t kernel)
{
	uint64_t *slot = map_get(&s->by_kernel, place, kernel);

	if (*slot != 0)
		return &s->groups[*slot - 1];
	if (s->group_count == s->group_cap) {
		s->group_cap = s->group_cap * 2 + 64;
		s->groups =
		    mem_resize(s->groups, s->group_cap, sizeof(*s->groups));
	}
	s->groups[s->group_count] =
	    (struct kern_group){.place = place, .kernel = kernel};
	*slot = ++s->group_count;
	return &s->groups[*slot - 1];
}

static void
add_outside(
    struct nvtx_kern *s, int64_t pid, int64_t tid, uint32_t kernel, int64_t dur)
{
	struct kern_place place = {
	    nvtx_name(&s->ranges.names, SPAN("")), NVTX_NONE, pid, tid};

	dist_add(&group_of(s, place_of(s, &place), kernel)->values, dur);
}

/* ---- the stream ---- */

void
nvtx_kern_event(struct report *r, const struct event *ev)
{
	struct nvtx_kern *s = r->state;
	struct nvtx_op *op;

	nvtx_time_see(&s->ranges.time, ev);
	s->correlated |= event_has(ev, KEY_api_ts) || event_has(ev, KEY_depth);
	if (ev->kind == KIND_range && !event_has(ev, KEY_end_tid))
		nvtx_ranges_add(&s->ranges, r->ask, ev);
	if (ev->kind != KIND_kernel)
		return;
	op = nvtx_ops_add(&s->ops, ev);
	if (op != NULL)
		op->kernel = kernel_of(r, ev);
	else
		add_outside(s, NO_ID, NO_ID, kernel_of(r, ev),
		    event_int(ev, KEY_dur, 0));
}

/* The kernels of a range, the first of which may be at i. */
static void
count_range(struct nvtx_kern *s, const struct nvtx_range *r, size_t i)
{
	struct kern_place place = {r->name, r->style, r->pid, r->tid};
	uint32_t at = UINT32_MAX;

	s->last++;
	for (; nvtx_ops_in(&s->ops, i, r); i++) {
		struct nvtx_op *op = &s->ops.all[i];
		struct kern_group *g;

		if (op->api_end > r->end)
			continue;
		if (at == UINT32_MAX)
			at = place_of(s, &place);
		op->used = true;
		g = group_of(s, at, op->kernel);
		dist_add(&g->values, nvtx_duration(op->ts, op->end));
		g->ranges += g->last != s->last;
		g->last = s->last;
	}
}

void
nvtx_kern_section_end(struct report *r)
{
	struct nvtx_kern *s = r->state;
	size_t at = 0;

	nvtx_ranges_finish(&s->ranges, r->ask);
	nvtx_ops_sort(&s->ops);
	for (size_t i = 0; i < s->ranges.count; i++) {
		at = nvtx_ops_from(&s->ops, at, &s->ranges.all[i]);
		count_range(s, &s->ranges.all[i], at);
	}
	for (size_t i = 0; i < s->ops.count; i++) {
		const struct nvtx_op *op = &s->ops.all[i];

		if (!op->used)
			add_outside(s, op->pid, op->tid, op->kernel,
			    nvtx_duration(op->ts, op->end));
	}
	s->ops.count = 0;
	map_clear(&s->symbols);
	nvtx_ranges_reset(&s->ranges);
}

/* ---- the table ---- */

static int
order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
compare(const void *pa, const void *pb, void *arg)
{
	const struct nvtx_kern *s = arg;
	const struct kern_group *a = pa, *b = pb;
	const struct kern_place *at = &s->places[a->place];
	const struct kern_place *bt = &s->places[b->place];
	int c;

	c = nvtx_name_cmp(&s->ranges.names, at->name, bt->name);
	if (c != 0 || (c = order(at->pid, bt->pid)) != 0 ||
	    (c = order(at->tid, bt->tid)) != 0)
		return c;
	if (a->values.sum != b->values.sum)
		return a->values.sum > b->values.sum ? -1 : 1;
	if ((c = order(bt->style, at->style)) != 0)
		return c; /* those in no range first */
	return nvtx_name_cmp(&s->kernels, a->kernel, b->kernel);
}

static void
add_columns(struct table *t, bool pct)
{
	static const char *const names[5] = {
	    "Avg", "Med", "Min", "Max", "StdDev"};

	table_text_column(t, "NVTX Range");
	table_text_column(t, "Style");
	table_column(t, "PID", UNIT_NONE);
	table_column(t, "TID", UNIT_NONE);
	table_column(t, "NVTX Inst", UNIT_NONE);
	table_column(t, "Kern Inst", UNIT_NONE);
	table_column(t, "Total Time", UNIT_TIME);
	groups_columns(t, names, UNIT_TIME);
	if (pct)
		groups_more_columns(t);
	table_text_column(t, "Kernel Name");
}

static void
add_row(struct nvtx_kern *s, struct kern_group *g, struct table *t, bool pct)
{
	const struct kern_place *at = &s->places[g->place];

	table_text(t, nvtx_name_text(&s->ranges.names, at->name));
	table_text(t, nvtx_style_text(at->style));
	table_id(t, at->pid);
	table_id(t, at->tid);
	table_int(t, g->ranges);
	table_int(t, (int64_t)g->values.count);
	table_int(t, (int64_t)g->values.sum);
	groups_cells(t, &g->values);
	if (pct)
		groups_more_cells(t, &g->values);
	table_text(t, nvtx_name_text(&s->kernels, g->kernel));
}

void
nvtx_kern_table(struct report *r, struct table *t)
{
	struct nvtx_kern *s = r->state;

	add_columns(t, r->pct);
	if (!s->correlated)
		return; /* nothing is known of ranges */
	if (s->group_count > 1)
		qsort_r(
		    s->groups, s->group_count, sizeof(*s->groups), compare, s);
	for (size_t i = 0; i < s->group_count; i++)
		add_row(s, &s->groups[i], t, r->pct);
}

void
nvtx_kern_close(struct report *r)
{
	struct nvtx_kern *s = r->state;

	for (size_t i = 0; i < s->group_count; i++)
		dist_free(&s->groups[i].values);
	free(s->groups);
	free(s->places);
	map_free(&s->threads);
	map_free(&s->symbols);
	map_free(&s->by_place);
	map_free(&s->by_kernel);
	nvtx_names_free(&s->kernels);
	nvtx_ops_free(&s->ops);
	nvtx_ranges_free(&s->ranges);
	text_free(&s->scratch);
}
