/* arrange.c - the account of a recording, in order */

#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/base/time.h"

#include "arrange.h"

enum { ROW_SHAPES = 32 }; /* of a row that are kept: those with most time */

/* the new index of each old one; NOWHERE: it is left out */
#define NOWHERE UINT32_MAX

struct arrangement {
	const struct ledger *r;
	struct account *a;
	uint32_t *device, *row, *path;
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
	const struct ledger *r = recording;
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
	const struct ledger *r = recording;
	const uint32_t *na = pa, *nb = pb;
	const struct recorded_row *a = &r->rows[*na], *b = &r->rows[*nb];
	int c = compare_ints(a->kind, b->kind);

	if (c == 0)
		c = span_cmp(a->full, b->full);
	return c != 0 ? c : compare_ints(a->group, b->group);
}

/* Rows that no unit has are left out. */
static void
number_rows(struct arrangement *x)
{
	const struct ledger *r = x->r;
	struct account *a = x->a;
	uint32_t *order =
	    sort_numbers(r->row_count, by_row, (void *)(uintptr_t)r);
	bool *used = mem_alloc(r->row_count + 1);

	for (size_t i = 0; i < r->sums.rows.count; i++)
		used[r->sums.rows.all[i].row] = true;
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
	int c = compare_ints(b->dur, a->dur);

	return c != 0 ? c : span_cmp(a->grid, b->grid);
}

static void
count_shapes(struct arrangement *x)
{
	const struct ledger *r = x->r;

	for (size_t i = 0; i < r->sums.shapes.count; i++)
		x->a->rows[x->row[r->sums.shapes.all[i].row]].shape_count++;
	for (size_t i = 0; i < x->a->row_count; i++) {
		struct account_row *row = &x->a->rows[i];

		row->shapes = region_get(
		    &x->a->region, row->shape_count * sizeof(*row->shapes) + 1);
		row->shape_count = 0;
	}
}

static void
arrange_shapes(struct arrangement *x)
{
	const struct ledger *r = x->r;

	count_shapes(x);
	for (size_t i = 0; i < r->sums.shapes.count; i++) {
		const struct shape_sum *s = &r->sums.shapes.all[i];
		struct account_row *row = &x->a->rows[x->row[s->row]];

		row->shapes[row->shape_count++] = (struct account_shape){
		    copy(x, intern_text(&r->shapes, s->shape)), s->n, s->dur};
	}
	for (size_t i = 0; i < x->a->row_count; i++) {
		struct account_row *row = &x->a->rows[i];
		int64_t n = account_row_sum(x->a, row).n;

		qsort(row->shapes, row->shape_count, sizeof(*row->shapes),
		    by_time);
		if (row->shape_count > ROW_SHAPES)
			row->shape_count = ROW_SHAPES;
		for (size_t k = 0; k < row->shape_count; k++)
			n -= row->shapes[k].n;
		row->shapeless = n;
	}
}

static void
arrange_rows(struct arrangement *x)
{
	const struct ledger *r = x->r;

	number_rows(x);
	for (size_t i = 0; i < r->sums.rows.count; i++) {
		const struct row_sum *s = &r->sums.rows.all[i];
		struct account_row *row = &x->a->rows[x->row[s->row]];

		row->on[x->device[s->device]] = s->sum;
		durations_merge(&row->times, &s->times);
	}
	arrange_shapes(x);
}

/* ---- calls, paths, copies: in the order of their texts ---- */

static int
by_text(const void *pa, const void *pb, void *texts)
{
	const struct intern *in = texts;
	const uint32_t *a = pa, *b = pb;

	return span_cmp(intern_text(in, *a), intern_text(in, *b));
}

static uint32_t *
sort_texts(const struct intern *in)
{
	return sort_numbers(in->count, by_text, (void *)(uintptr_t)in);
}

static void
arrange_calls(struct arrangement *x)
{
	const struct ledger *r = x->r;
	struct account *a = x->a;
	uint32_t *order = sort_texts(&r->calls);

	a->calls = mem_alloc(r->calls.count * sizeof(*a->calls) + 1);
	for (size_t i = 0; i < r->calls.count; i++) {
		const struct call_sum *s =
		    keyed_find(&r->sums.calls, order[i], 0);
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

static void
arrange_paths(struct arrangement *x)
{
	const struct ledger *r = x->r;
	struct account *a = x->a;
	uint32_t *order = sort_texts(&r->paths);

	a->path_count = r->paths.count;
	a->paths = mem_alloc(a->path_count * sizeof(*a->paths) + 1);
	for (size_t i = 0; i < a->path_count; i++) {
		const struct path_sum *s =
		    keyed_find(&r->sums.paths, order[i], 0);

		a->paths[i] = (struct account_path){
		    .path = copy(x, intern_text(&r->paths, order[i]))};
		if (s == NULL)
			continue;
		a->paths[i].n = s->n;
		a->paths[i].dur = s->dur;
		a->paths[i].exposed = s->exposed;
		a->paths[i].idle = s->idle;
	}
	invert(order, a->path_count, x->path);
	free(order);
}

static void
arrange_copies(struct arrangement *x)
{
	const struct ledger *r = x->r;
	struct account *a = x->a;
	uint32_t *order = sort_texts(&r->copies);

	a->copies = mem_alloc(r->copies.count * sizeof(*a->copies) + 1);
	for (size_t i = 0; i < r->copies.count; i++) {
		const struct copy_sum *s =
		    keyed_find(&r->sums.copies, order[i], 0);
		const char *p = intern_text(&r->copies, order[i]).p;
		struct account_copy *c = &a->copies[a->copy_count];

		if (s == NULL)
			continue;
		a->copy_count++;
		c->copy = copy(x, span_of(p));
		p += strlen(p) + 1;
		c->src = copy(x, span_of(p));
		p += strlen(p) + 1;
		c->dst = copy(x, span_of(p));
		c->n = s->n;
		c->bytes = s->bytes;
		c->dur = s->dur;
	}
	free(order);
}

/* ---- sequences, units, facts ---- */

static void
arrange_sequences(struct arrangement *x)
{
	const struct ledger *r = x->r;
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
	const struct ledger *r = x->r;
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

static void
arrange_facts(struct arrangement *x)
{
	const struct ledger *r = x->r;
	struct account *a = x->a;
	uint32_t *order = sort_texts(&r->fact_names);

	a->fact_count = r->fact_count;
	a->facts = mem_alloc(a->fact_count * sizeof(*a->facts) + 1);
	for (size_t i = 0; i < a->fact_count; i++)
		a->facts[i] = (struct account_fact){
		    copy(x, intern_text(&r->fact_names, order[i])),
		    copy(x, r->facts[order[i]])};
	free(order);
}

struct account *
arrange_account(const struct ledger *r)
{
	struct arrangement x = {.r = r, .a = account_new()};

	x.device = mem_alloc((r->devices.count + 1) * sizeof(*x.device));
	x.row = mem_alloc((r->row_count + 1) * sizeof(*x.row));
	x.path = mem_alloc((r->paths.count + 1) * sizeof(*x.path));
	arrange_devices(&x);
	arrange_rows(&x);
	arrange_calls(&x);
	arrange_paths(&x);
	arrange_copies(&x);
	arrange_sequences(&x);
	arrange_units(&x);
	arrange_facts(&x);
	x.a->unsequenced = r->unsequenced;
	x.a->left_out = r->left_out;
	x.a->left_wall = r->left_wall;
	x.a->memory_peak = r->memory_peak;
	free(x.device);
	free(x.row);
	free(x.path);
	return x.a;
}
