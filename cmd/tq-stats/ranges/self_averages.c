/*
 * self_averages.c - key_averages: the table that PyTorch prints of its
 * operators, of ranges
 *
 * A range is the child of the one that encloses it most closely on its thread,
 * of whatever domain; one that was never closed lasts to the end of the
 * section.  What is within a range of the same name counts for the name once.
 * All ranges of a section are kept, about 150 bytes each.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "self.h"

/* the operations whose innermost range has an id */
struct self_charge {
	dist_wide time;
	int64_t ops;
};

/* key: a name, or what stands for no range; its numbers */
enum { CPU, SELF_CPU, DEVICE, SELF_DEVICE, CALLS, NUMBERS };

/* of operations in no range: no name, and a part that ranges do not have */
#define OUTSIDE ((struct span){"\0outside", 9})

struct average {
	struct group *g;
	uint64_t until; /* ranges visited before are within one of the name */
};

/* what is found out of a range */
struct node {
	dist_wide device;           /* of its operations, and those within */
	int64_t covered, cover_end; /* by children */
	uint64_t size, first;       /* ranges within, and where they begin */
};

void
averages_open(struct report *r)
{
	((struct self_averages *)r->state)->groups.numbers = NUMBERS;
}

/* ---- the stream ---- */

static void
charge(struct self_averages *s, const struct event *ev)
{
	int64_t id = event_int(ev, KEY_range, NO_ID);
	uint64_t *slot = map_get(&s->ids, (uint64_t)id, 0);
	struct self_charge *c;

	if (*slot == 0) {
		if (s->charge_count == s->charge_cap) {
			s->charge_cap = s->charge_cap * 2 + 256;
			s->charges = mem_resize(
			    s->charges, s->charge_cap, sizeof(*s->charges));
		}
		s->charges[s->charge_count] = (struct self_charge){0};
		*slot = ++s->charge_count;
	}
	c = &s->charges[*slot - 1];
	c->time += event_int(ev, KEY_dur, 0);
	c->ops++;
}

void
averages_event(struct report *r, const struct event *ev)
{
	struct self_averages *s = r->state;

	s->correlated |= self_correlated(ev);
	if (event_has(ev, KEY_ts) || ev->kind == KIND_trace)
		nvtx_time_see(&s->ranges.time, ev);
	if (ev->kind == KIND_range)
		nvtx_ranges_add(&s->ranges, &self_ask, ev);
	else if (self_is_op(ev))
		charge(s, ev);
}

/* ---- the end of a section ---- */

/*
 * Domains are not kept of ranges that were added while nobody asked for
 * parents, so that they do not tell apart who may be whose.
 */
static void
find_parents(struct nvtx_ranges *rs)
{
	for (size_t i = 0; i < rs->count; i++)
		if (rs->all[i].open) {
			rs->all[i].end = nvtx_time_end(&rs->time, &self_ask);
			rs->all[i].open = false;
		}
	rs->parents = true;
	nvtx_ranges_finish(rs, &self_ask);
	rs->parents = false;
}

/* Children come in order of start, behind their parents. */
static void
cover(struct node *parent, const struct nvtx_range *child)
{
	int64_t from = child->ts;

	if (from < parent->cover_end)
		from = parent->cover_end;
	if (child->end <= from)
		return;
	parent->covered += nvtx_duration(from, child->end);
	parent->cover_end = child->end;
}

/* what is charged to an id becomes that of a range, once */
static struct self_charge
take(struct self_averages *s, int64_t id)
{
	const uint64_t *slot = NULL;
	struct self_charge c = {0};

	if (id != NO_ID)
		slot = map_find(&s->ids, (uint64_t)id, 0);
	if (slot == NULL)
		return c;
	c = s->charges[*slot - 1];
	s->charges[*slot - 1] = (struct self_charge){0};
	return c;
}

/* what each range has itself */
static void
add_self(struct self_averages *s, struct node *nodes)
{
	struct nvtx_ranges *rs = &s->ranges;

	for (size_t i = 0; i < rs->count; i++) {
		nodes[i] = (struct node){.cover_end = INT64_MIN, .size = 1};
		if (rs->all[i].parent != 0)
			cover(&nodes[rs->all[i].parent - 1], &rs->all[i]);
	}
	for (size_t i = 0; i < rs->count; i++) {
		const struct nvtx_range *r = &rs->all[i];
		struct group *g = s->all[r->name].g;

		nodes[i].device = take(s, r->id).time;
		groups_number(g, CALLS, 1);
		groups_number(g, SELF_DEVICE, (int64_t)nodes[i].device);
		groups_number(g, SELF_CPU,
		    nvtx_duration(r->ts, r->end) - nodes[i].covered);
	}
}

/*
 * Number the ranges so that those within one follow it: then one is within
 * another of its name if it comes before the last of these.  Returns which
 * range has a number.
 */
static uint32_t *
number(struct self_averages *s, struct node *nodes)
{
	struct nvtx_ranges *rs = &s->ranges;
	uint32_t *at = mem_resize(NULL, rs->count + 1, sizeof(*at));
	uint64_t next = 0;

	for (size_t i = rs->count; i-- > 0;) {
		uint32_t parent = rs->all[i].parent;

		if (parent == 0)
			continue;
		nodes[parent - 1].size += nodes[i].size;
		nodes[parent - 1].device += nodes[i].device;
	}
	for (size_t i = 0; i < rs->count; i++) {
		uint32_t parent = rs->all[i].parent;
		uint64_t *free_one =
		    parent != 0 ? &nodes[parent - 1].first : &next;

		at[*free_one] = (uint32_t)i;
		nodes[i].first = *free_one + 1;
		*free_one += nodes[i].size;
	}
	return at;
}

static void
add_totals(struct self_averages *s, struct node *nodes)
{
	uint32_t *at = number(s, nodes);

	for (size_t k = 0; k < s->ranges.count; k++) {
		const struct nvtx_range *r = &s->ranges.all[at[k]];
		struct average *a = &s->all[r->name];

		if (s->visited + k < a->until)
			continue;
		a->until = s->visited + k + nodes[at[k]].size;
		groups_number(a->g, CPU, nvtx_duration(r->ts, r->end));
		groups_number(a->g, DEVICE, (int64_t)nodes[at[k]].device);
	}
	s->visited += s->ranges.count;
	free(at);
}

static void
add_names(struct self_averages *s)
{
	size_t names = s->ranges.names.count;

	s->all = mem_resize(s->all, names + 1, sizeof(*s->all));
	for (; s->cap < names; s->cap++) {
		s->key.len = 0;
		groups_part(&s->key,
		    nvtx_name_text(&s->ranges.names, (uint32_t)s->cap));
		s->all[s->cap] = (struct average){
		    .g = groups_get(&s->groups, text_span(&s->key))};
	}
}

/* what no range of the section was charged */
static void
add_outside(struct self_averages *s)
{
	for (size_t i = 0; i < s->charge_count; i++) {
		int64_t time = (int64_t)s->charges[i].time;
		struct group *g;

		if (s->charges[i].ops == 0)
			continue;
		g = groups_get(&s->groups, OUTSIDE);
		groups_number(g, DEVICE, time);
		groups_number(g, SELF_DEVICE, time);
	}
	s->charge_count = 0;
}

void
averages_section_end(struct report *r)
{
	struct self_averages *s = r->state;
	struct node *nodes;

	find_parents(&s->ranges);
	nodes = mem_resize(NULL, s->ranges.count + 1, sizeof(*nodes));
	add_names(s);
	add_self(s, nodes);
	add_totals(s, nodes);
	free(nodes);
	add_outside(s);
	map_clear(&s->ids);
	nvtx_ranges_reset(&s->ranges);
}

/* ---- the table ---- */

static int
compare(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;
	static const int by[] = {SELF_DEVICE, SELF_CPU};

	for (size_t i = 0; i < 2; i++) {
		int64_t x = a->numbers[by[i]], y = b->numbers[by[i]];

		if (x != y)
			return x > y ? -1 : 1;
	}
	return span_cmp(a->key, b->key);
}

static void
columns(struct table *t)
{
	table_text_column(t, "Name");
	table_column(t, "Self CPU", UNIT_PERCENT);
	table_column(t, "Self CPU", UNIT_TIME);
	table_column(t, "CPU Total", UNIT_PERCENT);
	table_column(t, "CPU Total", UNIT_TIME);
	table_column(t, "CPU Avg", UNIT_TIME);
	table_column(t, "Self Device", UNIT_TIME);
	table_column(t, "Self Device", UNIT_PERCENT);
	table_column(t, "Device Total", UNIT_TIME);
	table_column(t, "Device Avg", UNIT_TIME);
	table_column(t, "Calls", UNIT_NONE);
}

static void
percent(struct table *t, int64_t part, dist_wide all)
{
	table_real(
	    t, all > 0 ? 100 * (long double)part / (long double)all : 0, 1);
}

static void
average(struct table *t, int64_t sum, int64_t calls)
{
	if (calls > 0)
		table_real(t, (long double)sum / (long double)calls, 1);
	else
		table_empty(t);
}

static void
add_row(struct table *t, const struct group *g, dist_wide cpu, dist_wide device)
{
	const int64_t *n = g->numbers;

	table_text(t, groups_key(g, 0));
	percent(t, n[SELF_CPU], cpu);
	table_int(t, n[SELF_CPU]);
	percent(t, n[CPU], cpu);
	table_int(t, n[CPU]);
	average(t, n[CPU], n[CALLS]);
	table_int(t, n[SELF_DEVICE]);
	percent(t, n[SELF_DEVICE], device);
	table_int(t, n[DEVICE]);
	average(t, n[DEVICE], n[CALLS]);
	table_int(t, n[CALLS]);
}

void
averages_table(struct report *r, struct table *t)
{
	struct self_averages *s = r->state;
	struct groups *gs = &s->groups;
	dist_wide cpu = 0, device = 0;
	size_t ranges = 0;

	columns(t);
	for (size_t i = 0; i < gs->count; i++) {
		cpu += gs->all[i]->numbers[SELF_CPU];
		device += gs->all[i]->numbers[SELF_DEVICE];
		ranges += !span_eq(gs->all[i]->key, OUTSIDE);
	}
	if ((!s->correlated && !r->correlated) || ranges == 0)
		return;
	qsort(gs->all, gs->count, sizeof(struct group *), compare);
	for (size_t i = 0; i < gs->count; i++)
		add_row(t, gs->all[i], cpu, device);
}

struct groups *
averages_groups(const struct report *r)
{
	return &((struct self_averages *)r->state)->groups;
}

void
averages_close(struct report *r)
{
	struct self_averages *s = r->state;

	nvtx_ranges_free(&s->ranges);
	map_free(&s->ids);
	groups_free(&s->groups);
	text_free(&s->key);
	free(s->charges);
	free(s->all);
}
