/* sums.c - reports that add up a number of records by texts of them */

#include "sums.h"
#include "tq/names/model.h"
#include "tq/show/col.h"

/* ---- the stream ---- */

static void
make_key(struct report *r, const struct event *ev)
{
	const struct sum_part *part = r->kind->sum->by;

	r->key.len = 0;
	for (; part->label != NULL || part->make != NULL; part++) {
		struct span s;

		r->scratch.len = 0;
		s = part->make != NULL ? part->make(r, ev, &r->scratch)
				       : event_str(ev, part->key, &r->scratch);
		if (s.p != NULL)
			groups_part(&r->key, s);
	}
}

/* "main (12)", or "12" without a name */
static void
add_named(struct text *t, struct span name, int64_t id)
{
	text_add_span(t, name);
	if (id != NO_ID)
		text_printf(
		    t, name.len > 0 ? " (%lld)" : "%lld", (long long)id);
}

void
sums_add_process(const struct report *r, int64_t pid, struct text *t)
{
	struct defined_name name;

	names_process(r->names, pid, &name);
	add_named(t, name.name, pid);
}

void
sums_add_thread(
    const struct report *r, int64_t pid, int64_t tid, struct text *t)
{
	struct defined_name name;

	names_thread(r->names, pid, tid, &name);
	add_named(t, name.name, tid);
}

void
sums_process_part(struct report *r, int64_t pid)
{
	r->scratch.len = 0;
	sums_add_process(r, pid, &r->scratch);
	groups_part(&r->key, text_span(&r->scratch));
}

void
sums_thread_part(struct report *r, int64_t pid, int64_t tid)
{
	r->scratch.len = 0;
	sums_add_thread(r, pid, tid, &r->scratch);
	groups_part(&r->key, text_span(&r->scratch));
}

struct group *
sums_group(struct report *r)
{
	if (r->families.parts != 0)
		return families_get(&r->families, &r->groups, &r->key);
	return groups_get(&r->groups, text_span(&r->key));
}

void
sums_interval(struct report *r, struct group *g, int64_t ts, int64_t dur)
{
	if (r->families.parts != 0)
		families_interval(&r->families, g, ts, dur);
	else
		groups_interval(g, ts, dur);
}

struct group **
sums_symbol(struct report *r, const struct event *ev)
{
	bool fresh;
	struct group **g =
	    numbered_get(&r->symbol_groups, model_symbol(ev), &fresh);

	if (fresh)
		*g = NULL;
	return g;
}

struct group **
sums_words(struct report *r, uint64_t a, uint64_t b)
{
	bool fresh;
	struct group **g = keyed_get(&r->known_groups, a, b, &fresh);

	if (fresh)
		*g = NULL;
	return g;
}

struct group **
sums_kernel(struct report *r, const struct event *ev)
{
	return ev->kind == KIND_kernel ? sums_symbol(r, ev) : NULL;
}

static struct group *
find_group(struct report *r, const struct event *ev)
{
	const struct sum *sum = r->kind->sum;
	struct group **known = sum->known != NULL ? sum->known(r, ev) : NULL;

	if (known != NULL && *known != NULL)
		return *known;
	make_key(r, ev);
	if (known == NULL)
		return sums_group(r);
	return *known = sums_group(r);
}

bool
sums_counts(struct report *r, const struct event *ev)
{
	const struct sum *sum = r->kind->sum;

	if (sum->of == KEY_dur && sum->add == NULL && !event_has(ev, KEY_dur))
		return false; /* it never ended */
	return sum->where == NULL || sum->where(r, ev);
}

void
sums_event(struct report *r, const struct event *ev)
{
	const struct sum *sum = r->kind->sum;
	struct group *g;

	if (!sums_counts(r, ev))
		return;
	g = find_group(r, ev);
	if (sum->add != NULL)
		sum->add(r, g, ev);
	else if (sum->of == KEY_dur)
		groups_interval(
		    g, event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0));
	else
		dist_add(&g->values, event_int(ev, sum->of, 0));
}

/* ---- the table ---- */

/* of sizes */
static void
size_row(struct table *t, struct report *r, struct group *g)
{
	const struct sum_part *part = r->kind->sum->by;

	col_sum(t, "Total", UNIT_SIZE, g->values.sum);
	col_int(t, r->kind->sum->count, UNIT_NONE, (int64_t)g->values.count);
	groups_stats(t, groups_stat_names, UNIT_SIZE, &g->values);
	if (r->pct)
		groups_quantiles(
		    t, groups_quantile_names, UNIT_SIZE, &g->values);
	for (size_t i = 0; part[i].label != NULL; i++)
		col_text(t, part[i].label, groups_key(g, i));
}

/* The names of the columns of text; NULL ends them. */
static const char *const *
labels_of(struct report *r)
{
	const char **labels =
	    region_get(&r->life, (SUM_PARTS + 1) * sizeof(*labels));

	for (size_t i = 0; i < SUM_PARTS; i++)
		labels[i] = r->kind->sum->by[i].label;
	return labels;
}

void
sums_rows(struct report *r, struct table *t, groups_order *order)
{
	struct groups *gs = &r->groups;
	void (*row)(struct table *, struct report *, struct group *) =
	    r->kind->sum->row != NULL ? r->kind->sum->row : size_row;

	groups_sort(gs, order);
	col_heading(t, row, r, groups_empty(gs));
	for (size_t i = 0; i < gs->count; i++)
		row(t, r, gs->all[i]);
}

void
sums_table(struct report *r, struct table *t)
{
	const struct sum *sum = r->kind->sum;

	if (sum->row == NULL && sum->of == KEY_dur)
		groups_table(&r->groups, t, sum->count, labels_of(r), r);
	else
		sums_rows(
		    r, t, sum->order != NULL ? sum->order : groups_by_sum);
}
