/* groups.c - distributions of integers by texts */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/time.h"

#include "groups.h"
#include "report.h"
#include "tq/show/col.h"

const char *const groups_stat_names[5] = {"Avg", "Med", "Min", "Max", "StdDev"};
const char *const groups_quantile_names[4] = {"P50", "P90", "P95", "P99"};

struct group *
groups_empty(struct groups *gs)
{
	struct group *g = region_get(
	    &gs->region, sizeof(*g) + gs->more * sizeof(struct dist) +
			     gs->numbers * sizeof(int64_t));

	g->busy_end = INT64_MIN;
	g->numbers = (int64_t *)(g->more + gs->more);
	g->values.approx = gs->approx;
	for (size_t i = 0; i < gs->more; i++)
		g->more[i].approx = gs->approx;
	return g;
}

struct group *
groups_get(struct groups *gs, struct span key)
{
	uint32_t n = intern_get(&gs->keys, key);

	if (n == gs->count) {
		struct group *g = groups_empty(gs);

		g->key = intern_text(&gs->keys, n);
		*array_add(&gs->all, &gs->count, &gs->cap) = g;
	}
	return gs->all[n];
}

void
groups_part(struct text *key, struct span part)
{
	size_t at = key->len;

	text_add_span(key, part);
	text_add_char(key, '\0');
	while ((at += strlen(key->p + at)) < key->len - 1)
		key->p[at] = ' '; /* NUL ends a part */
}

struct span
groups_key(const struct group *g, size_t part)
{
	size_t at = 0;

	for (; part > 0 && at < g->key.len; part--)
		at += strlen(g->key.p + at) + 1;
	return at < g->key.len ? span_of(g->key.p + at) : SPAN("");
}

void
groups_part_id(struct text *key, int64_t id)
{
	if (id != NO_ID)
		text_add_int(key, id);
	text_add_char(key, '\0');
}

int64_t
groups_key_id(const struct group *g, size_t part)
{
	struct span s = groups_key(g, part);

	return s.len > 0 ? strtoll(s.p, NULL, 10) : NO_ID;
}

void
groups_number(struct group *g, size_t number, int64_t n)
{
	g->numbers[number] = time_end(g->numbers[number], n);
}

void
groups_approximate(struct groups *gs)
{
	gs->approx = true;
	for (size_t i = 0; i < gs->count; i++) {
		struct group *g = gs->all[i];

		dist_approximate(&g->values);
		for (size_t n = 0; n < gs->more; n++)
			dist_approximate(&g->more[n]);
	}
}

bool
groups_approximated(const struct groups *gs)
{
	for (size_t i = 0; i < gs->count; i++) {
		const struct group *g = gs->all[i];

		if (g->values.sketch != NULL)
			return true;
		for (size_t n = 0; n < gs->more; n++)
			if (g->more[n].sketch != NULL)
				return true;
	}
	return false;
}

void
groups_section_end(struct groups *gs)
{
	for (size_t i = 0; i < gs->count; i++)
		gs->all[i]->busy_end = INT64_MIN;
}

void
groups_busy(struct group *g, int64_t ts, int64_t dur)
{
	int64_t end = time_end(ts, dur);

	if (end <= g->busy_end)
		return;
	if (__builtin_sub_overflow(
		end, ts > g->busy_end ? ts : g->busy_end, &dur))
		dur = INT64_MAX;
	g->busy = time_end(g->busy, dur);
	g->busy_end = end;
}

void
groups_interval(struct group *g, int64_t ts, int64_t dur)
{
	dist_add(&g->values, dur);
	groups_busy(g, ts, dur);
}

int
groups_by_sum(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;

	if (a->values.sum != b->values.sum)
		return a->values.sum > b->values.sum ? -1 : 1;
	if (a->values.count != b->values.count)
		return a->values.count < b->values.count ? -1 : 1;
	return span_cmp(a->key, b->key);
}

int
groups_by_key(const void *pa, const void *pb)
{
	struct group *const *a = pa, *const *b = pb;

	return span_cmp((*a)->key, (*b)->key);
}

void
groups_sort(struct groups *gs, groups_order *order)
{
	if (gs->count > 1)
		qsort(gs->all, gs->count, sizeof(struct group *), order);
}

static int
compare_sums(const void *pa, const void *pb)
{
	const dist_wide *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* the n-th largest sum; there are more than n */
static dist_wide
nth_sum(const struct groups *gs, size_t n)
{
	dist_wide *largest = mem_resize(NULL, n, sizeof(*largest));
	dist_wide nth;

	/* ascending: most sums are less than the first, and move none */
	for (size_t i = 0; i < gs->count; i++) {
		dist_wide sum = gs->all[i]->values.sum;
		size_t at = 0;

		if (i < n) {
			largest[i] = sum;
			if (i + 1 == n)
				qsort(largest, n, sizeof(sum), compare_sums);
			continue;
		}
		for (; at + 1 < n && largest[at + 1] < sum; at++)
			largest[at] = largest[at + 1];
		if (largest[at] < sum)
			largest[at] = sum;
	}
	nth = largest[0];
	free(largest);
	return nth;
}

/* Sort the n largest, and all that equal the last of them, to the front. */
static void
sort_first(struct groups *gs, size_t n)
{
	dist_wide least = nth_sum(gs, n);
	size_t count = 0;

	for (size_t i = 0; i < gs->count; i++)
		if (gs->all[i]->values.sum >= least) {
			struct group *g = gs->all[i];

			gs->all[i] = gs->all[count];
			gs->all[count++] = g;
		}
	qsort(gs->all, count, sizeof(struct group *), groups_by_sum);
}

void
groups_stats(
    struct table *t, const char *const names[5], enum unit unit, struct dist *d)
{
	bool any = d->count > 0;

	dist_sort(d);
	col_ratio(t, names[0], unit, d->sum, d->count, 1);
	col_ratio(t, names[1], unit, dist_median2(d), any ? 2 : 0, 1);
	col_int_if(t, names[2], unit, any, dist_min(d));
	col_int_if(t, names[3], unit, any, dist_max(d));
	col_real(t, names[4], unit, dist_stddev(d), 1);
}

void
groups_quantiles(struct table *t, const char *const names[4], enum unit unit,
    const struct dist *d)
{
	static const unsigned permille[4] = {500, 900, 950, 990};

	for (size_t i = 0; i < 4; i++)
		col_int(t, names[i], unit, dist_quantile(d, permille[i]));
}

void
groups_more(struct table *t, const struct dist *d)
{
	long double all = dist_stddev(d) * (long double)d->count;

	groups_quantiles(t, groups_quantile_names, UNIT_TIME, d);
	col_real_if(
	    t, "CV", UNIT_NONE, d->sum != 0, all / (long double)d->sum, 3);
}

static long double
percent(dist_wide part, dist_wide all)
{
	return all > 0 ? 100 * (long double)part / (long double)all : 0;
}

static void
group_row(struct table *t, const struct groups_rows *rows, struct group *g)
{
	const struct dist *values = &g->values;

	col_real(t, "Time", UNIT_PERCENT, percent(values->sum, rows->all), 1);
	col_sum(t, "Total Time", UNIT_TIME, values->sum);
	col_int(t, rows->count, UNIT_NONE, (int64_t)values->count);
	groups_stats(t, groups_stat_names, UNIT_TIME, &g->values);
	if (rows->pct) {
		groups_more(t, values);
		col_sum(t, "Busy", UNIT_TIME, g->busy);
		col_share(t, "Total of Wall", values->sum, rows->wall);
		col_share(t, "Busy of Wall", g->busy, rows->wall);
	}
	for (size_t i = 0; rows->labels[i] != NULL; i++)
		col_text(t, rows->labels[i], groups_key(g, i));
}

static void
make_row(void *state, struct table *t, size_t row)
{
	const struct groups *gs = state;

	group_row(t, &gs->rows, gs->all[row]);
}

void
groups_table(struct groups *gs, struct table *t, const char *count,
    const char *const *labels, const struct report *r)
{
	gs->rows = (struct groups_rows){.count = count,
	    .labels = labels,
	    .pct = r->pct,
	    .wall = r->wall != NULL ? r->wall->ns - r->wall_elsewhere : 0};
	if (t->limit > 0 && t->limit < gs->count)
		sort_first(gs, t->limit);
	else
		groups_sort(gs, groups_by_sum);
	for (size_t i = 0; i < gs->count; i++)
		gs->rows.all += gs->all[i]->values.sum;
	t->base = "total time of all rows";
	t->base_ns = gs->rows.all < INT64_MAX ? (int64_t)gs->rows.all : 0;
	col_heading(t, group_row, &gs->rows, &(struct group){0});
	table_made(t, gs->count, make_row, gs);
}

void
groups_free(struct groups *gs)
{
	for (size_t i = 0; i < gs->count; i++) {
		dist_free(&gs->all[i]->values);
		for (size_t n = 0; n < gs->more; n++)
			dist_free(&gs->all[i]->more[n]);
	}
	free(gs->all);
	intern_free(&gs->keys);
	region_free(&gs->region);
	*gs = (struct groups){0};
}
