/*
 * nvtx_kern_rows.c - the rows of nvtx_kern_sum
 *
 * They are made when they are written, those of a name and thread at a time.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "sums/groups.h"
#include "nvtx_kern.h"

/* ---- rows ---- */

static int
order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* places that differ in style only are one to this */
static int
compare_places(const void *pa, const void *pb, void *arg)
{
	const struct nvtx_kern *s = arg;
	const struct kern_place *a = &s->places[*(const uint32_t *)pa];
	const struct kern_place *b = &s->places[*(const uint32_t *)pb];
	int c = nvtx_name_cmp(&s->ranges.names, a->name, b->name);

	if (c != 0 || (c = order(a->pid, b->pid)) != 0)
		return c;
	return order(a->tid, b->tid);
}

static dist_wide
sum_of(const struct kern_row *row)
{
	return row->deep != NULL ? row->deep->sum : row->values.sum;
}

/* those in no range first */
static int
compare_rows(const void *pa, const void *pb, void *arg)
{
	const struct nvtx_kern *s = arg;
	const struct kern_row *a = pa, *b = pb;
	dist_wide x = sum_of(a), y = sum_of(b);
	int c;

	if (x != y)
		return x > y ? -1 : 1;
	c = order(s->places[b->place].style, s->places[a->place].style);
	return c != 0 ? c : nvtx_name_cmp(&s->kernels, a->kernel, b->kernel);
}

struct kern_row *
nvtx_kern_row(
    struct nvtx_kern *s, uint32_t place, size_t first, uint32_t kernel)
{
	size_t i = s->row_of[kernel];

	if (i >= first && i < s->row_count && s->rows[i].kernel == kernel)
		return &s->rows[i];
	if (s->row_count == s->row_cap) {
		s->row_cap = s->row_cap * 2 + 64;
		s->rows = mem_resize(s->rows, s->row_cap, sizeof(*s->rows));
	}
	s->row_of[kernel] = s->row_count;
	s->rows[s->row_count] =
	    (struct kern_row){.place = place, .kernel = kernel};
	return &s->rows[s->row_count++];
}

/* The rows of a place; only to be counted, unless values are. */
static void
add_rows(struct nvtx_kern *s, uint32_t place, bool values)
{
	size_t first = s->row_count;

	if (nvtx_kern_is_deep(s, place)) {
		nvtx_kern_deep_rows(s, place, values);
		return;
	}
	for (uint32_t n = s->places[place].last; n != 0;) {
		const struct kern_piece *piece = &s->pieces[n - 1];

		for (size_t i = piece->from; i < piece->to; i++) {
			struct kern_row *row =
			    nvtx_kern_row(s, place, first, s->all[i].kernel);

			if (!values)
				continue;
			dist_add(&row->values, kern_duration(&s->all[i]));
			row->ranges += row->last != piece->range;
			row->last = piece->range;
		}
		n = piece->next;
	}
}

void
nvtx_kern_drop_rows(struct nvtx_kern *s)
{
	for (size_t i = 0; i < s->row_count; i++) {
		dist_free(&s->rows[i].values);
		free(s->rows[i].deep);
	}
	s->row_count = 0;
}

/* The rows of the places at at, which are all of a name and thread. */
static void
next_rows(struct nvtx_kern *s)
{
	size_t at = s->at;

	s->first_row += s->row_count;
	nvtx_kern_drop_rows(s);
	do
		add_rows(s, s->order[s->at++], true);
	while (s->at < s->place_count &&
	       compare_places(&s->order[at], &s->order[s->at], s) == 0);
	if (s->row_count > 1)
		qsort_r(
		    s->rows, s->row_count, sizeof(*s->rows), compare_rows, s);
}

static size_t
count_rows(struct nvtx_kern *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->place_count; i++) {
		add_rows(s, (uint32_t)i, false);
		n += s->row_count;
		s->row_count = 0;
	}
	return n;
}

/* ---- the table ---- */

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
make_row(void *state, struct table *t, size_t n)
{
	const struct report *r = state;
	struct nvtx_kern *s = r->state;
	struct kern_row *row;
	const struct kern_place *at;

	if (n < s->first_row) { /* once more */
		nvtx_kern_drop_rows(s);
		s->at = s->first_row = 0;
	}
	while (n >= s->first_row + s->row_count)
		next_rows(s);
	row = &s->rows[n - s->first_row];
	at = &s->places[row->place];
	table_text(t, nvtx_name_text(&s->ranges.names, at->name));
	table_text(t, nvtx_style_text(at->style));
	table_id(t, at->pid);
	table_id(t, at->tid);
	table_int(t, row->ranges);
	table_int(t, (int64_t)(row->deep != NULL ? row->deep->count
						 : row->values.count));
	table_int(t, (int64_t)sum_of(row));
	if (row->deep != NULL) {
		nvtx_kern_deep_cells(t, row->deep, r->pct);
	} else {
		groups_cells(t, &row->values);
		if (r->pct)
			groups_more_cells(t, &row->values);
	}
	table_text(t, nvtx_name_text(&s->kernels, row->kernel));
}

void
nvtx_kern_table(struct report *r, struct table *t)
{
	struct nvtx_kern *s = r->state;

	add_columns(t, r->pct);
	if (!s->correlated)
		return; /* nothing is known of ranges */
	s->row_of = mem_alloc((s->kernels.count + 1) * sizeof(*s->row_of));
	s->order = mem_resize(NULL, s->place_count + 1, sizeof(*s->order));
	for (uint32_t i = 0; i < s->place_count; i++)
		s->order[i] = i;
	if (s->place_count > 1)
		qsort_r(s->order, s->place_count, sizeof(*s->order),
		    compare_places, s);
	s->pct = r->pct;
	nvtx_kern_deep_open(s);
	table_made(t, count_rows(s), make_row, r);
}
