/* groups.c - numbers by what they belong to */

#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/base/time.h"

#include "groups.h"
#include "report.h"

enum { BLOCK = 1 << 16 };

struct groups_block {
	struct groups_block *next;
	size_t used, size;
	_Alignas(16) char bytes[];
};

/* zeros, which stay where they are */
static void *
allocate(struct groups *gs, size_t size)
{
	struct groups_block *b = gs->blocks;

	size = (size + 15) & ~(size_t)15;
	if (b == NULL || b->size - b->used < size) {
		size_t room = size > BLOCK ? size : BLOCK;

		b = mem_alloc(sizeof(*b) + room);
		b->size = room;
		b->next = gs->blocks;
		gs->blocks = b;
	}
	b->used += size;
	return b->bytes + b->used - size;
}

static struct group *
add(struct groups *gs, struct span key)
{
	size_t size = sizeof(struct group) + gs->more * sizeof(struct dist) +
		      gs->numbers * sizeof(int64_t);
	struct group *g = allocate(gs, size + key.len);
	char *name = (char *)g + size;

	memcpy(name, key.p, key.len);
	g->key = (struct span){name, key.len};
	g->busy_end = INT64_MIN;
	g->numbers = (int64_t *)(g->more + gs->more);
	g->values.approx = gs->approx;
	for (size_t i = 0; i < gs->more; i++)
		g->more[i].approx = gs->approx;
	if (gs->count == gs->cap) {
		gs->cap = gs->cap * 2 + 64;
		gs->all = mem_resize(gs->all, gs->cap, sizeof(struct group *));
	}
	return gs->all[gs->count++] = g;
}

struct group *
groups_get(struct groups *gs, struct span key)
{
	uint64_t h = span_hash(key);

	for (uint64_t attempt = 0;; attempt++) {
		uint64_t *slot = map_get(&gs->map, h, attempt);

		if (*slot == 0) {
			struct group *g = add(gs, key);

			*slot = (uint64_t)(uintptr_t)g;
			return g;
		}
		if (span_eq(((struct group *)(uintptr_t)*slot)->key, key))
			return (struct group *)(uintptr_t)*slot;
	}
}

void
groups_part(struct text *key, struct span part)
{
	size_t start = key->len;

	text_add_span(key, part);
	for (size_t i = start; i < key->len; i++)
		if (key->p[i] == '\0')
			key->p[i] = ' '; /* which no name is told apart by */
	text_add_char(key, '\0');
}

struct span
groups_key(const struct group *g, size_t part)
{
	const char *p = g->key.p, *end = p + g->key.len;

	for (; part > 0 && p < end; part--)
		p += strlen(p) + 1;
	return p < end ? span_of(p) : (struct span){"", 0};
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
groups_interval(struct group *g, int64_t ts, int64_t dur)
{
	int64_t end = time_end(ts, dur);

	dist_add(&g->values, dur);
	if (end <= g->busy_end)
		return;
	if (__builtin_sub_overflow(
		end, ts > g->busy_end ? ts : g->busy_end, &dur))
		dur = INT64_MAX;
	g->busy = time_end(g->busy, dur);
	g->busy_end = end;
}

static int
compare(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;

	if (a->values.sum != b->values.sum)
		return a->values.sum > b->values.sum ? -1 : 1;
	if (a->values.count != b->values.count)
		return a->values.count < b->values.count ? -1 : 1;
	return span_cmp(a->key, b->key);
}

void
groups_sort(struct groups *gs)
{
	if (gs->count > 1)
		qsort(gs->all, gs->count, sizeof(struct group *), compare);
}

static int
compare_sums(const void *pa, const void *pb)
{
	const dist_wide *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* the n-th largest sum; n is less than how many there are */
static dist_wide
nth_sum(const struct groups *gs, size_t n)
{
	dist_wide *largest = mem_resize(NULL, n, sizeof(*largest));
	dist_wide nth;

	/* ascending, so that few sums move more than the first */
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

/* The first n are those, and all that are equal to the last of them. */
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
	qsort(gs->all, count, sizeof(struct group *), compare);
}

void
groups_columns(struct table *t, const char *const names[5], enum unit unit)
{
	for (size_t i = 0; i < 5; i++)
		table_column(t, names[i], unit);
}

void
groups_cells(struct table *t, struct dist *d)
{
	dist_sort(d);
	if (d->count == 0) {
		for (size_t i = 0; i < 4; i++)
			table_empty(t);
		table_real(t, 0, 1);
		return;
	}
	table_real(t, (long double)d->sum / (long double)d->count, 1);
	table_real(t, (long double)dist_median2(d) / 2, 1);
	table_int(t, dist_min(d));
	table_int(t, dist_max(d));
	table_real(t, dist_stddev(d), 1);
}

void
groups_more_columns(struct table *t)
{
	table_column(t, "P50", UNIT_TIME);
	table_column(t, "P90", UNIT_TIME);
	table_column(t, "P95", UNIT_TIME);
	table_column(t, "P99", UNIT_TIME);
	table_column(t, "CV", UNIT_NONE);
}

void
groups_more_cells(struct table *t, const struct dist *d)
{
	table_int(t, dist_quantile(d, 500));
	table_int(t, dist_quantile(d, 900));
	table_int(t, dist_quantile(d, 950));
	table_int(t, dist_quantile(d, 990));
	if (d->sum != 0)
		table_real(t,
		    dist_stddev(d) * (long double)d->count /
			(long double)d->sum,
		    3);
	else
		table_empty(t);
}

static long double
percent(dist_wide part, dist_wide all)
{
	return all > 0 ? 100 * (long double)part / (long double)all : 0;
}

static void
make_row(void *state, struct table *t, size_t row)
{
	const struct groups *gs = state;
	const struct groups_rows *rows = &gs->rows;
	struct group *g = gs->all[row];

	table_real(t, percent(g->values.sum, rows->all), 1);
	table_int(t, (int64_t)g->values.sum);
	table_int(t, (int64_t)g->values.count);
	groups_cells(t, &g->values);
	if (rows->pct) {
		groups_more_cells(t, &g->values);
		table_int(t, g->busy);
		table_share(t, g->values.sum, rows->wall);
		table_share(t, g->busy, rows->wall);
	}
	for (size_t n = 0; n < rows->labels; n++)
		table_text(t, groups_key(g, n));
}

void
groups_table(struct groups *gs, struct table *t, const char *count,
    const char *const *labels, const struct report *r)
{
	static const char *const names[5] = {
	    "Avg", "Med", "Min", "Max", "StdDev"};
	struct groups_rows rows = {
	    .pct = r->pct, .wall = r->known != NULL ? r->known->wall : 0};

	if (t->limit > 0 && t->limit < gs->count)
		sort_first(gs, t->limit);
	else
		groups_sort(gs);
	for (size_t i = 0; i < gs->count; i++)
		rows.all += gs->all[i]->values.sum;
	table_column(t, "Time", UNIT_PERCENT);
	table_column(t, "Total Time", UNIT_TIME);
	table_column(t, count, UNIT_NONE);
	groups_columns(t, names, UNIT_TIME);
	if (r->pct) {
		groups_more_columns(t);
		table_column(t, "Busy", UNIT_TIME);
		table_column(t, "Total of Wall", UNIT_PERCENT);
		table_column(t, "Busy of Wall", UNIT_PERCENT);
	}
	for (; labels[rows.labels] != NULL; rows.labels++)
		table_text_column(t, labels[rows.labels]);
	gs->rows = rows;
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
	for (struct groups_block *next, *b = gs->blocks; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
	free(gs->all);
	map_free(&gs->map);
}
