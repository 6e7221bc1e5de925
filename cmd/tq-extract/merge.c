/* merge.c - the rows of all tables in one order, by a heap of cursors */

#include <stdlib.h>

#include "merge.h"
#include "tq/mem.h"

static bool
before(const struct cursor *a, const struct cursor *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts;
	if (a->dur != b->dur)
		return a->dur > b->dur;
	return a->number < b->number;
}

/* to the next row that has a place; false at the end */
static bool
advance(struct merge *m, struct cursor *c)
{
	while (source_next(c->rows))
		if (table_select(m->x, c->table, c->rows->cells, m->window,
			&c->ts, &c->dur) == ROW_EVENT)
			return true;
	table_close(c->rows);
	return false;
}

/* move the cursor at i down to where the heap is in order again */
static void
sift(struct merge *m, size_t i)
{
	struct cursor moving = m->cursors[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= m->count)
			break;
		if (child + 1 < m->count &&
		    before(&m->cursors[child + 1], &m->cursors[child]))
			child++;
		if (!before(&m->cursors[child], &moving))
			break;
		m->cursors[i] = m->cursors[child];
		i = child;
	}
	m->cursors[i] = moving;
}

void
merge_open(struct merge *m, struct export *x, struct table *tables,
    size_t count, const struct window *w)
{
	size_t opened = 0;

	*m = (struct merge){.x = x, .window = w};
	for (size_t i = 0; i < count; i++) {
		struct table *t = &tables[i];
		size_t runs =
		    t->unsorted && t->start >= 0 ? t->rows > 0 : t->run_count;

		m->cursors = mem_resize(
		    m->cursors, m->count + runs + 1, sizeof(*m->cursors));
		for (size_t r = 0; r < runs; r++) {
			struct cursor *c = &m->cursors[m->count];

			*c = (struct cursor){.table = t,
			    .rows = table_rows(x, t, r),
			    .number = opened++};
			m->count += advance(m, c);
		}
	}
	for (size_t i = m->count / 2; i-- > 0;)
		sift(m, i);
}

struct cursor *
merge_next(struct merge *m)
{
	/* the row that was given last is done with */
	if (m->started && m->count > 0) {
		if (!advance(m, &m->cursors[0]))
			m->cursors[0] = m->cursors[--m->count];
		if (m->count > 1)
			sift(m, 0);
	}
	m->started = true;
	return m->count > 0 ? &m->cursors[0] : NULL;
}

void
merge_close(struct merge *m)
{
	for (size_t i = 0; i < m->count; i++)
		table_close(m->cursors[i].rows);
	free(m->cursors);
}
