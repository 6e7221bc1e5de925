/* account_order.c - the account of a recording, in order */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/map.h"
#include "tq/base/time.h"

#include "account_order.h"

enum { ROW_SHAPES = 32 }; /* of a row that are kept: those with most time */

/* the new index of each old one; NOWHERE: it is left out */
#define NOWHERE UINT32_MAX

struct row_shapes {
	struct account_shape *all;
	size_t count, cap;
};

struct arrangement {
	struct account_draft *r;
	struct account *a;
	uint32_t *device, *row, *path, *copy; /* copy: index + 1 */
	struct row_shapes *shapes;            /* of each row */
};

static struct span
copy(struct arrangement *x, struct span s)
{
	return region_copy(&x->a->region, s);
}

/*
 * The numbers 0 to count - 1 in the order of a comparison; free(3) them.
 */
static uint32_t *
sort_numbers(
    size_t count, int (*by)(const void *, const void *, void *), void *arg)
{
	uint32_t *all = mem_alloc((count + 1) * sizeof(*all));

	for (size_t i = 0; i < count; i++)
		all[i] = (uint32_t)i;
	qsort_r(all, count, sizeof(*all), by, arg);
	return all;
}

/* Old numbers in their new order become new numbers by old number. */
static void
invert(const uint32_t *order, size_t count, uint32_t *place)
{
	for (size_t i = 0; i < count; i++)
		place[order[i]] = (uint32_t)i;
}

static int
compare_ints(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* ---- devices ---- */

static int
by_device(const void *pa, const void *pb, void *recording)
{
	const struct account_draft *r = recording;
	const uint32_t *na = pa, *nb = pb;
	const struct account_device *a = &r->devices.all[*na];
	const struct account_device *b = &r->devices.all[*nb];
	int c = compare_ints(a->rank, b->rank);

	if (c == 0)
		c = compare_ints(a->pid, b->pid);
	if (c == 0)
		c = compare_ints(a->device, b->device);
	return c != 0 ? c : compare_ints(*na, *nb);
}

static void
arrange_devices(struct arrangement *x)
{
	struct account *a = x->a;
	size_t n = x->r->devices.count;
	uint32_t *order = sort_numbers(n, by_device, (void *)(uintptr_t)x->r);

	a->device_count = n;
	a->devices = mem_alloc(n * sizeof(*a->devices) + 1);
	for (size_t i = 0; i < n; i++) {
		a->devices[i] = x->r->devices.all[order[i]];
		a->devices[i].name = copy(x, a->devices[i].name);
	}
	invert(order, n, x->device);
	free(order);
}

/* ---- rows ---- */

static int
by_row(const void *pa, const void *pb, void *recording)
{
	const struct account_draft *r = recording;
	const uint32_t *na = pa, *nb = pb;
	const struct recorded_row *a = &r->rows[*na], *b = &r->rows[*nb];
	int c = compare_ints(a->kind, b->kind);

	if (c == 0)
		c = span_cmp(a->full, b->full);
	if (c == 0)
		c = compare_ints(a->group, b->group);
	return c != 0 ? c : a->in_graph - b->in_graph;
}

/* Rows that no unit has are left out. */
static void
number_rows(struct arrangement *x)
{
	const struct account_draft *r = x->r;
	struct account *a = x->a;
	uint32_t *order =
	    sort_numbers(r->row_count, by_row, (void *)(uintptr_t)r);
	bool *used = mem_alloc(r->row_count + 1);

	for (size_t i = 0; i < r->sums.rows.count; i++) {
		const struct row_sum *s = &r->sums.rows.all[i];

		if (account_sum_any(s->sum))
			used[r->rows_on.all[s->on].row] = true;
	}
	a->rows = mem_alloc(r->row_count * sizeof(*a->rows) + 1);
	for (size_t i = 0; i < r->row_count; i++) {
		const struct recorded_row *row = &r->rows[order[i]];

		x->row[order[i]] = NOWHERE;
		if (!used[order[i]])
			continue;
		x->row[order[i]] = (uint32_t)a->row_count;
		a->rows[a->row_count++] =
		    (struct account_row){.kind = row->kind,
			.group = row->group,
			.in_graph = row->in_graph,
			.name = copy(x, row->name),
			.full = copy(x, row->full),
			.on = region_get(&a->region,
			    a->device_count * sizeof(*a->rows->on) + 1)};
	}
	free(used);
	free(order);
}

static int
by_time(const void *pa, const void *pb)
{
	const struct account_shape *a = pa, *b = pb;
	int c = compare_ints(b->sum.dur, a->sum.dur);

	return c != 0 ? c : span_cmp(a->grid, b->grid);
}

/* A shape of kernels becomes one of their row. */
static void
add_shape(struct arrangement *x, const struct detail_sum *s)
{
	const struct account_draft *r = x->r;
	const struct row_detail *of = &r->details.all[s->detail];
	struct row_shapes *all;

	if (r->rows[of->row].kind != KIND_kernel || !account_sum_any(s->sum))
		return;
	if (x->row[of->row] == NOWHERE)
		return; /* a sum that passed INT64_MAX */
	all = &x->shapes[x->row[of->row]];
	*array_add(&all->all, &all->count, &all->cap) = (struct account_shape){
	    copy(x, intern_text(&r->shapes, of->text)), s->sum};
}

/* Those with most time stay. */
static void
keep_shapes(
    struct arrangement *x, struct account_row *row, struct row_shapes *shapes)
{
	size_t n = shapes->count < ROW_SHAPES ? shapes->count : ROW_SHAPES;

	if (n > 0)
		qsort(
		    shapes->all, shapes->count, sizeof(*shapes->all), by_time);
	row->shapes = region_get(&x->a->region, n * sizeof(*row->shapes) + 1);
	row->shape_count = n;
	row->shapeless = account_row_sum(x->a, row).n;
	for (size_t i = 0; i < n; i++) {
		row->shapes[i] = shapes->all[i];
		row->shapeless -= shapes->all[i].sum.n;
	}
	free(shapes->all);
}

static void
arrange_rows(struct arrangement *x)
{
	const struct account_draft *r = x->r;

	number_rows(x);
	x->shapes = mem_alloc((x->a->row_count + 1) * sizeof(*x->shapes));
	for (size_t i = 0; i < r->sums.rows.count; i++) {
		const struct row_sum *s = &r->sums.rows.all[i];
		const struct row_on *of = &r->rows_on.all[s->on];

		if (account_sum_any(s->sum))
			x->a->rows[x->row[of->row]].on[x->device[of->device]] =
			    s->sum;
	}
	for (size_t i = 0; i < r->sums.details.count; i++)
		add_shape(x, &r->sums.details.all[i]);
	for (size_t i = 0; i < r->sums.timed_count; i++)
		durations_merge(&x->a->rows[x->row[r->sums.timed[i]]].times,
		    &r->sums.times[r->sums.timed[i]]);
	for (size_t i = 0; i < x->a->row_count; i++)
		keep_shapes(x, &x->a->rows[i], &x->shapes[i]);
	free(x->shapes);
}

/* ---- calls, paths, copies: in the order of their texts ---- */

static void
arrange_calls(struct arrangement *x)
{
	const struct account_draft *r = x->r;
	struct account *a = x->a;
	uint32_t *order = intern_order(&r->calls);

	a->calls = mem_alloc(r->calls.count * sizeof(*a->calls) + 1);
	for (size_t i = 0; i < r->calls.count; i++) {
		const struct call_sum *s =
		    numbered_find(&r->sums.calls, order[i] + 1);
		struct span key = intern_text(&r->calls, order[i]);

		if (s == NULL)
			continue;
		a->calls[a->call_count++] =
		    (struct account_call){.kind = (enum kind)(*key.p - 'a'),
			.name = copy(x, (struct span){key.p + 1, key.len - 1}),
			.n = s->n,
			.dur = s->dur};
	}
	free(order);
}

/* Element i becomes the one that was at order[i], which becomes i. */
static void
put_in_order(struct account_path *all, uint32_t *order, size_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct account_path first = all[i];
		uint32_t at = i, from;

		for (; (from = order[at]) != i; at = from) {
			all[at] = all[from];
			order[at] = at;
		}
		all[at] = first;
		order[at] = at;
	}
}

/* The draft's sums become the paths: there may be many of them. */
static void
arrange_paths(struct arrangement *x)
{
	struct account_draft *r = x->r;
	struct account *a = x->a;
	uint32_t *order = range_paths_order(&r->paths);
	size_t count = r->paths.count;

	if (count > 0)
		unit_sums_path(&r->sums, (uint32_t)count - 1);
	a->paths = r->sums.paths.all;
	r->sums.paths.all = NULL;
	r->sums.paths.count = r->sums.paths.cap = 0;
	put_in_order(a->paths, order, count);
	free(order);
	for (size_t i = 0; i < count; i++) {
		uint32_t path = a->paths[i].path;

		if (path >= r->path_count || !r->path_facts[path].used)
			continue;
		x->path[path] = (uint32_t)a->path_count;
		a->paths[a->path_count++] = a->paths[i];
	}
	a->paths = mem_resize(a->paths, a->path_count + 1, sizeof(*a->paths));
	range_paths_close(&r->paths);
	a->range_paths = r->paths;
	r->paths = (struct range_paths){0};
}

static void
arrange_copies(struct arrangement *x)
{
	const struct account_draft *r = x->r;
	struct account *a = x->a;
	uint32_t *order = intern_order(&r->copies);

	a->copy_count = r->copies.count;
	a->copies = mem_alloc(a->copy_count * sizeof(*a->copies) + 1);
	for (size_t i = 0; i < a->copy_count; i++) {
		const char *p = intern_text(&r->copies, order[i]).p;
		struct account_copy *c = &a->copies[i];

		c->copy = copy(x, span_of(p));
		p += strlen(p) + 1;
		c->src = copy(x, span_of(p));
		p += strlen(p) + 1;
		c->dst = copy(x, span_of(p));
	}
	invert(order, a->copy_count, x->copy);
	free(order);
}

static void
add_copies(struct arrangement *x)
{
	const struct account_draft *r = x->r;

	for (size_t i = 0; i < r->sums.details.count; i++) {
		const struct detail_sum *s = &r->sums.details.all[i];
		const struct row_detail *of = &r->details.all[s->detail];
		struct account_copy *c;

		if (r->rows[of->row].kind != KIND_memcpy)
			continue;
		c = &x->a->copies[x->copy[of->text]];
		c->n += s->sum.n;
		c->bytes = time_end(c->bytes, s->bytes);
		c->dur = time_end(c->dur, s->dur);
	}
}

/* Copies that no unit has are left out. */
static void
drop_copies(struct account *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->copy_count; i++)
		if (a->copies[i].n > 0)
			a->copies[n++] = a->copies[i];
	a->copy_count = n;
}

/* ---- sequences, units, facts ---- */

static void
arrange_sequences(struct arrangement *x)
{
	const struct account_draft *r = x->r;
	struct account *a = x->a;

	a->sequence_count = r->sequence_count;
	a->sequences = mem_alloc(a->sequence_count * sizeof(*a->sequences) + 1);
	for (size_t i = 0; i < a->sequence_count; i++) {
		struct span key = intern_text(&r->sequence_keys, (uint32_t)i);
		struct account_sequence *s = &a->sequences[i];

		s->units = r->sequence_units[i];
		s->count = key.len / sizeof(*s->all);
		s->all = region_get(&a->region, key.len);
		memcpy(s->all, key.p, key.len);
		for (size_t k = 0; k < s->count; k++) {
			struct account_launch *l = &s->all[k];

			l->row = x->row[l->row];
			if (l->path > 0)
				l->path = x->path[l->path - 1] + 1;
		}
	}
}

static int
by_device_and_time(const void *pa, const void *pb)
{
	const struct account_unit *a = pa, *b = pb;
	int c = compare_ints(a->device, b->device);

	if (c == 0)
		c = compare_ints(a->ts, b->ts);
	return c != 0 ? c : compare_ints(a->number, b->number);
}

static void
add_to_device(struct account_device *d, const struct account_unit *u)
{
	d->units++;
	d->wall = time_end(d->wall, u->wall);
	for (size_t i = 0; i < ACCOUNT_PARTS; i++)
		d->parts[i] = time_end(d->parts[i], u->parts[i]);
}

static void
arrange_units(struct arrangement *x)
{
	const struct account_draft *r = x->r;
	struct account *a = x->a;

	a->unit_count = r->unit_count;
	a->units = mem_alloc(a->unit_count * sizeof(*a->units) + 1);
	for (size_t i = 0; i < a->unit_count; i++) {
		a->units[i] = r->units[i];
		a->units[i].device = x->device[a->units[i].device];
		add_to_device(&a->devices[a->units[i].device], &a->units[i]);
	}
	qsort(a->units, a->unit_count, sizeof(*a->units), by_device_and_time);
}

/* The finer causes of idle time. */
static void
add_idle(struct arrangement *x)
{
	for (size_t i = 0; i < x->r->sums.idle.count; i++) {
		const struct idle_sum *s = &x->r->sums.idle.all[i];
		struct account_device *d = &x->a->devices[x->device[s->device]];

		d->idle[s->part - PART_SYNC][s->cause] = s->dur;
	}
}

static void
arrange_facts(struct arrangement *x)
{
	const struct account_draft *r = x->r;
	struct account *a = x->a;
	uint32_t *order = intern_order(&r->fact_names);

	a->fact_count = r->fact_count;
	a->facts = mem_alloc(a->fact_count * sizeof(*a->facts) + 1);
	for (size_t i = 0; i < a->fact_count; i++)
		a->facts[i] = (struct account_fact){
		    copy(x, intern_text(&r->fact_names, order[i])),
		    copy(x, r->facts[order[i]])};
	free(order);
}

struct account *
account_order_account(struct account_draft *r)
{
	struct arrangement x = {.r = r, .a = account_new()};

	x.device = mem_alloc((r->devices.count + 1) * sizeof(*x.device));
	x.row = mem_alloc((r->row_count + 1) * sizeof(*x.row));
	x.path = mem_alloc((r->paths.count + 1) * sizeof(*x.path));
	x.copy = mem_alloc((r->copies.count + 1) * sizeof(*x.copy));
	arrange_devices(&x);
	arrange_rows(&x);
	arrange_calls(&x);
	arrange_paths(&x);
	arrange_copies(&x);
	add_copies(&x);
	drop_copies(x.a);
	arrange_sequences(&x);
	arrange_units(&x);
	add_idle(&x);
	arrange_facts(&x);
	x.a->unsequenced = r->unsequenced;
	x.a->left_out = r->left_out;
	x.a->left_wall = r->left_wall;
	x.a->memory_peak = r->memory_peak;
	free(x.device);
	free(x.row);
	free(x.path);
	free(x.copy);
	return x.a;
}
