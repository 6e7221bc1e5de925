/* row_merge.c - the rows of all tables in one order, by a heap of cursors */

#include <stdlib.h>

#include "row_merge.h"
#include "nsys/event_index.h"
#include "nsys/event_select.h"
#include "tq/base/mem.h"

static inline const struct row_bytes *
row_of(const struct merge_cursor *c)
{
	return &c->rows.ahead[c->rows.at];
}

/* of two that start at the same time */
static bool
before_equal(const struct merge_cursor *x, const struct merge_cursor *y)
{
	const struct row_bytes *a = row_of(x), *b = row_of(y);

	if (a->dur != b->dur)
		return a->dur > b->dur;
	if (x->table != y->table)
		return x->table < y->table;
	return a->rowid < b->rowid;
}

static inline bool
before(const struct merge_head *a, const struct merge_head *b)
{
	if (__builtin_expect(a->ts == b->ts, 0))
		return before_equal(a->cursor, b->cursor);
	return a->ts < b->ts;
}

/* keep the rows ahead that are events, with their times; how many */
static unsigned
select_ahead(struct row_merge *m, struct merge_cursor *c)
{
	struct row_source *rows = &c->rows;
	struct row_bytes *kept = rows->ahead;
	int64_t ts, dur;

	for (unsigned i = 0; i < rows->count; i++) {
		if (event_select(m->x->shift, &c->table->times, rows, i,
			m->window, &ts, &dur) != ROW_EVENT)
			continue;
		if (kept != &rows->ahead[i]) {
			*kept = rows->ahead[i];
			rows->row.bytes = NULL; /* it may have moved */
		}
		kept->ts = ts;
		kept->dur = dur;
		kept++;
	}
	return (unsigned)(kept - rows->ahead);
}

/* read the next rows ahead; false at the end */
static bool
refill(struct row_merge *m, struct merge_cursor *c)
{
	while (row_source_fill(&c->rows)) {
		c->rows.count = select_ahead(m, c);
		if (c->rows.count > 0)
			return true;
	}
	row_source_close(&c->rows);
	free(c);
	return false;
}

/* stands behind the heap; no event is that late (time_window_overlaps) */
static const struct merge_head last = {INT64_MAX, NULL};

/* move the head at i down to where the heap is in order again */
static inline void
sift(struct merge_head *heap, size_t count, size_t i)
{
	struct merge_head moving = heap[i];
	size_t child;

	while ((child = 2 * i + 1) < count) {
		child += before(&heap[child + 1], &heap[child]);
		if (!before(&heap[child], &moving))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moving;
}

static inline struct merge_head
head_of(struct merge_cursor *c)
{
	return (struct merge_head){row_of(c)->ts, c};
}

/* the rows of chain i */
static void
add_cursor(struct row_merge *m, struct event_table *t, size_t i)
{
	struct merge_cursor *c = mem_alloc(sizeof(*c));

	c->table = t;
	event_index_open(&c->rows, m->x, t, i);
	if (refill(m, c))
		m->heads[m->count++] = head_of(c);
}

void
row_merge_open(struct row_merge *m, struct nsys *x, struct event_table *tables,
    size_t count, const struct time_window *w)
{
	*m = (struct row_merge){.x = x, .window = w};
	m->heads = mem_alloc(sizeof(*m->heads));
	for (size_t i = 0; i < count; i++) {
		struct event_table *t = &tables[i];
		size_t chains =
		    t->unsorted ? event_table_rows(t) > 0 : t->chain_count;

		m->heads = mem_resize(
		    m->heads, m->count + chains + 1, sizeof(*m->heads));
		for (size_t k = 0; k < chains; k++)
			add_cursor(m, t, k);
	}
	m->heads[m->count] = last;
	for (size_t i = m->count / 2; i-- > 0;)
		sift(m->heads, m->count, i);
}

/* the first row of the heap has been written */
static inline void
advance(struct row_merge *m)
{
	struct merge_cursor *c = m->heads->cursor;

	if (++c->rows.at < c->rows.count || refill(m, c)) {
		m->heads[0] = head_of(c);
	} else {
		m->heads[0] = m->heads[--m->count];
		m->heads[m->count] = last;
	}
	sift(m->heads, m->count, 0);
}

struct merge_cursor *
row_merge_next(struct row_merge *m)
{
	struct merge_cursor *c;

	if (m->started && m->count > 0)
		advance(m);
	m->started = true;
	if (m->count == 0)
		return NULL;
	c = m->heads->cursor;
	row_source_set(&c->rows, c->rows.at);
	return c;
}

void
row_merge_close(struct row_merge *m)
{
	for (size_t i = 0; i < m->count; i++) {
		row_source_close(&m->heads[i].cursor->rows);
		free(m->heads[i].cursor);
	}
	free(m->heads);
}
