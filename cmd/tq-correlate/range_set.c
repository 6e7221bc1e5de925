/* range_set.c - the work of a device for a set of ranges */

#include <stdlib.h>

#include "tq/base/array.h"

#include "range_set.h"

struct range_set *
range_set_new(int64_t device)
{
	struct range_set *s = mem_alloc(sizeof(*s));

	s->device = device;
	s->latest = INT64_MIN;
	return s;
}

/* ---- groups ---- */

static void
link_member(struct range_group *g, struct range_member *m)
{
	m->group = g;
	m->prev = NULL;
	m->next = g->first;
	if (m->next != NULL)
		m->next->prev = m;
	g->first = m;
	g->count++;
}

static void
unlink_member(struct range_member *m)
{
	struct range_group *g = m->group;

	if (m->prev != NULL)
		m->prev->next = m->next;
	else
		g->first = m->next;
	if (m->next != NULL)
		m->next->prev = m->prev;
	g->count--;
}

/* the group with that last end, made if there is none */
static struct range_group *
group_of(struct range_set *s, int64_t last)
{
	size_t i = s->group_count;
	struct range_group *g;

	while (i > 0 && s->groups[i - 1]->last < last)
		i--;
	if (i > 0 && s->groups[i - 1]->last == last)
		return s->groups[i - 1];
	g = mem_alloc(sizeof(*g));
	g->last = last;
	array_add(&s->groups, &s->group_count, &s->group_cap);
	for (size_t k = s->group_count - 1; k > i; k--)
		s->groups[k] = s->groups[k - 1];
	s->groups[i] = g;
	return g;
}

static void
remove_group(struct range_set *s, const struct range_group *g)
{
	size_t i = 0;

	while (s->groups[i] != g)
		i++;
	free(s->groups[i]);
	s->group_count--;
	for (; i < s->group_count; i++)
		s->groups[i] = s->groups[i + 1];
}

/* the ranges of the smaller group move to the other, which is returned */
static struct range_group *
merge(struct range_group *a, struct range_group *b)
{
	struct range_group *to = a, *from = b;

	if (a->count < b->count) {
		to = b;
		from = a;
	}
	while (from->first != NULL) {
		struct range_member *m = from->first;
		struct device_work *w =
		    device_work_find(m->range, m->set->device);

		w->busy += from->busy - m->busy;
		m->busy = to->busy;
		unlink_member(m);
		link_member(to, m);
	}
	to->last = a->last > b->last ? a->last : b->last;
	free(from);
	return to;
}

/* ---- ranges ---- */

static struct range_member *
new_member(struct range_set *s)
{
	struct range_member *m = s->free_members;

	if (m == NULL)
		return mem_alloc(sizeof(*m));
	s->free_members = m->next;
	return m;
}

struct range_set *
range_set_find(const struct range *r, int64_t device)
{
	for (struct range_member *m = r->memberships; m != NULL; m = m->other)
		if (m->set->device == device)
			return m->set;
	return NULL;
}

void
range_set_enter(struct range_set *s, struct range *r)
{
	const struct device_work *w = device_work_find(r, s->device);
	struct range_member *m = new_member(s);
	struct range_group *g = group_of(s, w != NULL ? w->last : INT64_MIN);

	m->range = r;
	m->set = s;
	m->ops = s->ops;
	m->launches = s->launches;
	m->busy = g->busy;
	link_member(g, m);
	m->other = r->memberships;
	r->memberships = m;
}

/* what has been added since it came */
static void
give_work(const struct range_member *m)
{
	const struct range_set *s = m->set;
	struct device_work *w = device_work_find(m->range, s->device);

	if (w == NULL)
		return; /* there was no operation */
	w->ops += s->ops - m->ops;
	w->launches += s->launches - m->launches;
	w->busy += m->group->busy - m->busy;
	w->last = m->group->last;
}

void
range_set_leave(struct range_set *s, struct range *r)
{
	struct range_member **at = &r->memberships, *m;

	while (*at != NULL && (*at)->set != s)
		at = &(*at)->other;
	if ((m = *at) == NULL)
		return;
	give_work(m);
	*at = m->other;
	unlink_member(m);
	if (m->group->count == 0)
		remove_group(s, m->group);
	m->next = s->free_members;
	s->free_members = m;
}

/* ---- operations ---- */

/* it is the first one of these ranges */
static void
begin(const struct range_set *s, const struct range_group *g,
    const struct device_operation *op)
{
	for (const struct range_member *m = g->first; m != NULL; m = m->next)
		device_work_begin(device_work_get(m->range, s->device), op);
}

/* The device is busy with it for all ranges. */
static void
extend(struct range_set *s, const struct device_operation *op)
{
	struct range_group *all = NULL;

	while (s->group_count > 0) {
		struct range_group *g = s->groups[s->group_count - 1];
		int64_t from = op->ts > g->last ? op->ts : g->last;

		if (g->last >= op->end)
			break;
		if (g->last == INT64_MIN)
			begin(s, g, op);
		g->busy += (uint64_t)op->end - (uint64_t)from;
		g->last = op->end;
		all = all != NULL ? merge(all, g) : g;
		s->group_count--;
	}
	if (all == NULL)
		return;
	if (s->group_count > 0 &&
	    s->groups[s->group_count - 1]->last == op->end)
		all = merge(s->groups[--s->group_count], all);
	*array_add(&s->groups, &s->group_count, &s->group_cap) = all;
}

/* so many ranges that may leave the set */
struct leaving {
	struct range **all;
	size_t count, cap;
};

/* the ranges that end before ts, or all */
static struct leaving
find_ranges(const struct range_set *s, int64_t ts, bool all)
{
	struct leaving x = {0};

	for (size_t i = 0; i < s->group_count; i++)
		for (struct range_member *m = s->groups[i]->first; m != NULL;
		     m = m->next)
			if (all || m->range->end < ts)
				*array_add(&x.all, &x.count, &x.cap) = m->range;
	return x;
}

/* It starts before an earlier one: the first one of each range may be another.
 */
static void
add_early(struct range_set *s, const struct device_operation *op, bool launch)
{
	struct leaving x = find_ranges(s, 0, true);

	for (size_t i = 0; i < x.count; i++) {
		struct device_work *w;

		range_set_leave(s, x.all[i]);
		w = device_work_get(x.all[i], s->device);
		device_work_count(w, op, launch);
		device_work_extend(w, op->ts, op->end);
		range_set_enter(s, x.all[i]);
	}
	free(x.all);
}

void
range_set_add(
    struct range_set *s, const struct device_operation *op, bool launch)
{
	if (op->ts < s->latest) {
		add_early(s, op, launch);
		return;
	}
	s->latest = op->ts;
	extend(s, op);
	s->ops++;
	s->launches += launch;
}

void
range_set_add_in_call(struct range_set *s, const struct device_operation *op,
    bool launch, int64_t call_end)
{
	struct leaving x = find_ranges(s, call_end, false);

	for (size_t i = 0; i < x.count; i++)
		range_set_leave(s, x.all[i]);
	range_set_add(s, op, launch);
	for (size_t i = 0; i < x.count; i++)
		range_set_enter(s, x.all[i]);
	free(x.all);
}

void
range_set_clear(struct range_set *s)
{
	struct leaving x = find_ranges(s, 0, true);

	for (size_t i = 0; i < x.count; i++)
		range_set_leave(s, x.all[i]);
	free(x.all);
}

void
range_set_free(struct range_set *s)
{
	struct range_member *m;

	range_set_clear(s);
	while ((m = s->free_members) != NULL) {
		s->free_members = m->next;
		free(m);
	}
	free(s->groups);
	free(s);
}
