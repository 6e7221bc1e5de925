/* path_rows.c - rows that are paths of ranges */

#include <stdlib.h>

#include "path_rows.h"
#include "tq/base/array.h"
#include "tq/line/json.h"

void
path_rows_add_name(struct text *t, struct span path)
{
	const char *p = path.p + 1, *end = path.p + path.len, *error;
	bool first = true;

	while (p < end && *p == '"') {
		const char *next = json_string(p, end, &error);

		if (next == NULL)
			return;
		text_add_str(t, first ? "" : " > ");
		json_decode(t, (struct span){p, (size_t)(next - p)});
		first = false;
		p = next + 1;
	}
}

/* Operations launched in no range. */
static struct account_sum
outside(const struct account *a)
{
	struct account_sum sum = {0};

	for (size_t i = 0; i < a->row_count; i++)
		account_sum_add(&sum, account_row_sum(a, &a->rows[i]));
	for (size_t i = 0; i < a->path_count; i++)
		account_sum_take(&sum, a->paths[i].work);
	return sum;
}

static struct span
path_text(struct text *t, const struct account *a, size_t index)
{
	t->len = 0;
	account_path_add(t, a, index);
	return text_span(t);
}

/* The number of a path with work, and which sides have it. */
static void
add_path(struct match *m, int side, struct span path, struct account_sum work)
{
	if (account_sum_any(work))
		*map_get(&m->found, intern_get(&m->texts, path), 0) |= 1U
								       << side;
}

static int
by_path(const void *x, const void *y, void *texts)
{
	const struct intern *in = texts;

	return span_cmp(intern_text(in, *(const uint32_t *)x),
	    intern_text(in, *(const uint32_t *)y));
}

static void
add_row(struct match *m, uint32_t number)
{
	struct span path = intern_text(&m->texts, number);
	uint64_t *found = map_get(&m->found, number, 0);
	struct match_row r = {.kind = KIND_range,
	    .level = *found == 3 ? MATCH_FULL : MATCH_ONE_SIDE};
	struct text t = {0};

	if (path.len == 0)
		text_add_str(&t, "[no range]");
	else
		path_rows_add_name(&t, path);
	r.name = region_copy(&m->region, text_span(&t));
	*found = m->row_count;
	*array_add(&m->rows, &m->row_count, &m->row_cap) = r;
	text_free(&t);
}

void
path_rows_make(struct match *m)
{
	uint32_t *order;
	struct text path = {0};

	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < m->sides[side]->count; r++) {
			const struct account *a = m->sides[side]->all[r];

			for (size_t i = 0; i < a->path_count; i++)
				add_path(m, side, path_text(&path, a, i),
				    a->paths[i].work);
			add_path(m, side, SPAN(""), outside(a));
		}
	order = mem_resize(NULL, m->texts.count + 1, sizeof(*order));
	for (uint32_t i = 0; i < m->texts.count; i++)
		order[i] = i;
	qsort_r(order, m->texts.count, sizeof(*order), by_path, &m->texts);
	for (size_t i = 0; i < m->texts.count; i++)
		add_row(m, order[i]);
	free(order);
	text_free(&path);
}

static void
add_cell(const struct match *m, struct span path, struct account_sum work,
    struct match_cells *c)
{
	const uint64_t *row;

	if (!account_sum_any(work))
		return;
	row = map_find(&m->found, intern_find(&m->texts, path), 0);
	*array_add(&c->all, &c->count, &c->cap) =
	    (struct match_cell){(uint32_t)*row, work};
}

void
path_rows_cells(
    const struct match *m, const struct account *a, struct match_cells *c)
{
	struct text path = {0};

	for (size_t i = 0; i < a->path_count; i++)
		add_cell(m, path_text(&path, a, i), a->paths[i].work, c);
	add_cell(m, SPAN(""), outside(a), c);
	text_free(&path);
}
