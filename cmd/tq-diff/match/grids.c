/* grids.c - launches by grid and block */

#include <stdlib.h>

#include "grids.h"
#include "tq/base/array.h"

/* The index + 1 of a grid; *it is 0 if there is none. */
static uint64_t *
slot_of(struct match *m, uint32_t set, struct span grid)
{
	return map_get(&m->found, set, intern_get(&m->texts, grid));
}

static void
add_sum(struct match *m, int side, uint32_t set, struct span grid,
    struct account_sum sum)
{
	uint64_t *at = slot_of(m, set, grid);

	if (*at == 0) {
		*array_add(&m->grids, &m->grid_count, &m->grid_cap) =
		    (struct match_grid){.set = set,
			.grid = intern_text(
			    &m->texts, intern_find(&m->texts, grid))};
		*at = m->grid_count;
	}
	account_sum_add(&m->grids[*at - 1].on[side], sum);
}

/* The part of an account's row beside its grids. */
static struct account_sum
rest_of(const struct account *a, const struct account_row *row)
{
	struct account_sum sum = account_row_sum(a, row);

	for (size_t i = 0; i < row->shape_count; i++)
		account_sum_take(&sum, row->shapes[i].sum);
	return sum;
}

static void
add_account(struct match *m, int side, size_t r)
{
	const struct account *a = m->sides[side]->all[r];

	for (size_t i = 0; i < a->row_count; i++) {
		const struct account_row *row = &a->rows[i];
		uint32_t set = m->names[m->index[side][r][i]].set;
		struct account_sum rest = rest_of(a, row);

		for (size_t s = 0; s < row->shape_count; s++)
			add_sum(m, side, set, row->shapes[s].grid,
			    row->shapes[s].sum);
		if (account_sum_any(rest))
			add_sum(m, side, set, SPAN(""), rest);
	}
}

/*
 * True if the rest of the other side may have this grid of one side: index of
 * the rest.
 */
static bool
belongs_to_rest(struct match *m, const struct match_grid *g, size_t *rest)
{
	bool on_a = account_sum_any(g->on[SIDE_A]),
	     on_b = account_sum_any(g->on[SIDE_B]);
	uint64_t at;

	if (g->grid.len == 0 || (on_a && on_b))
		return false;
	at = *slot_of(m, g->set, SPAN(""));
	*rest = at - 1;
	return at > 0 && m->grids[at - 1].on[on_a ? SIDE_B : SIDE_A].n > 0;
}

static void
merge_rests(struct match *m)
{
	size_t count = 0, rest;

	for (size_t i = 0; i < m->grid_count; i++) {
		struct match_grid *g = &m->grids[i];

		if (belongs_to_rest(m, g, &rest)) {
			for (int side = 0; side < SIDES; side++)
				account_sum_add(
				    &m->grids[rest].on[side], g->on[side]);
			g->row = UINT32_MAX;
		}
	}
	for (size_t i = 0; i < m->grid_count; i++)
		if (m->grids[i].row != UINT32_MAX)
			m->grids[count++] = m->grids[i];
	m->grid_count = count;
}

static int
by_row_and_grid(const void *x, const void *y)
{
	const struct match_grid *a = x, *b = y;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->set != b->set)
		return a->set < b->set ? -1 : 1;
	return span_cmp(a->grid, b->grid);
}

/* A row for each, of which there was one for each name. */
static void
make_grid_rows(struct match *m)
{
	struct match_row *names = m->rows;
	struct text t = {0};

	m->rows = NULL;
	m->row_count = m->row_cap = 0;
	for (size_t i = 0; i < m->grid_count; i++) {
		struct match_grid *g = &m->grids[i];
		struct match_row r = names[g->row];

		t.len = 0;
		text_add_span(&t, r.name);
		text_add_str(&t, g->grid.len > 0 ? " " : "");
		text_add_span(&t, g->grid);
		r.name = region_copy(&m->region, text_span(&t));
		if (!account_sum_any(g->on[SIDE_A]) ||
		    !account_sum_any(g->on[SIDE_B]))
			r.level = MATCH_ONE_SIDE;
		g->row = (uint32_t)m->row_count;
		*array_add(&m->rows, &m->row_count, &m->row_cap) = r;
	}
	text_free(&t);
	free(names);
}

void
grids_make(struct match *m)
{
	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < m->sides[side]->count; r++)
			add_account(m, side, r);
	merge_rests(m);
	for (size_t i = 0; i < m->grid_count; i++)
		m->grids[i].row = m->names[m->grids[i].set].row;
	if (m->grid_count > 0)
		qsort(m->grids, m->grid_count, sizeof(*m->grids),
		    by_row_and_grid);
	if (m->by == MATCH_BY_GRID)
		make_grid_rows(m);
	map_clear(&m->found);
	for (size_t i = 0; i < m->grid_count; i++) {
		struct match_row *row = &m->rows[m->grids[i].row];

		*slot_of(m, m->grids[i].set, m->grids[i].grid) = i + 1;
		if (row->grids++ == 0)
			row->grid = i;
	}
}

/* The row of a grid, or of the rest that it became a part of. */
static uint32_t
row_of(const struct match *m, uint32_t set, struct span grid)
{
	const uint64_t *at =
	    map_find(&m->found, set, intern_find(&m->texts, grid));

	if (at == NULL)
		at = map_find(&m->found, set, intern_find(&m->texts, SPAN("")));
	return at != NULL ? m->grids[*at - 1].row : 0;
}

void
grids_cells(const struct match *m, int side, size_t r, struct match_cells *c)
{
	const struct account *a = m->sides[side]->all[r];

	for (size_t i = 0; i < a->row_count; i++) {
		const struct account_row *row = &a->rows[i];
		uint32_t set = m->names[m->index[side][r][i]].set;
		struct account_sum rest = rest_of(a, row);

		for (size_t s = 0; s < row->shape_count; s++)
			*array_add(&c->all, &c->count, &c->cap) =
			    (struct match_cell){
				row_of(m, set, row->shapes[s].grid),
				row->shapes[s].sum};
		if (account_sum_any(rest))
			*array_add(&c->all, &c->count, &c->cap) =
			    (struct match_cell){row_of(m, set, SPAN("")), rest};
	}
}
