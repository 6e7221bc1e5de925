/* merge.c - the rows of all tables in one order, by a heap of cursors */

#include <stdlib.h>

#include "merge.h"
#include "select.h"
#include "tq/base/mem.h"

static inline const struct row_bytes *
row_of(const struct cursor *c)
{
	return &c->rows.ahead[c->rows.at];
}

/* of two that start at the same time */
static bool
before_equal(const struct cursor *x, const struct cursor *y)
{
	const struct row_bytes *a = row_of(x), *b = row_of(y);

	if (a->dur != b->dur)
		return a->dur > b->dur;
	if (x->table != y->table)
		return x->table < y->table;
	return a->rowid < b->rowid;
}

static inline bool
before(const struct head *a, const struct head *b)
{
	if (__builtin_expect(a->ts == b->ts, 0))
		return before_equal(a->cursor, b->cursor);
	return a->ts < b->ts;
}

/* the rows ahead that have a place, which they are told; how many */
static unsigned
select_ahead(struct merge *m, struct cursor *c)
{
	struct source *rows = &c->rows;
	struct row_bytes *kept = rows->ahead;
	int64_t ts, dur;

	for (unsigned i = 0; i < rows->count; i++) {
		if (table_select(m->x, &c->table->when, rows, i, m->window, &ts,
			&dur) != ROW_EVENT)
			continue;
		if (kept != &rows->ahead[i]) {
			*kept = rows->ahead[i];
			rows->row.bytes = NULL; /* it may be that which moved */
		}
		kept->ts = ts;
		kept->dur = dur;
		kept++;
	}
	return (unsigned)(kept - rows->ahead);
}

/* behind the last row ahead: to the next; false at the end */
static bool
refill(struct merge *m, struct cursor *c)
{
	while (source_fill(&c->rows)) {
		c->rows.count = select_ahead(m, c);
		if (c->rows.count > 0)
			return true;
	}
	source_close(&c->rows);
	free(c);
	return false;
}

/* stands behind the heap; no event is that late (select_in_window) */
static const struct head last = {INT64_MAX, NULL};

/* move the head at i down to where the heap is in order again */
static inline void
sift(struct head *heap, size_t count, size_t i)
{
	struct head moving = heap[i];
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

static inline struct head
head_of(struct cursor *c)
{
	return (struct head){row_of(c)->ts, c};
}

/* the rows of strand i */
static void
add_cursor(struct merge *m, struct table *t, size_t i)
{
	struct cursor *c = mem_alloc(sizeof(*c));

	c->table = t;
	table_rows(&c->rows, m->x, t, i);
	if (refill(m, c))
		m->heads[m->count++] = head_of(c);
}

void
merge_open(struct merge *m, struct nsys *x, struct table *tables, size_t count,
    const struct window *w)
{
	*m = (struct merge){.x = x, .window = w};
	m->heads = mem_alloc(sizeof(*m->heads));
	for (size_t i = 0; i < count; i++) {
		struct table *t = &tables[i];
		size_t strands = t->unsorted ? t->rows > 0 : t->strand_count;

		m->heads = mem_resize(
		    m->heads, m->count + strands + 1, sizeof(*m->heads));
		for (size_t k = 0; k < strands; k++)
			add_cursor(m, t, k);
	}
	m->heads[m->count] = last;
	for (size_t i = m->count / 2; i-- > 0;)
		sift(m->heads, m->count, i);
}

/* the row at hand is done with */
static inline void
advance(struct merge *m)
{
	struct cursor *c = m->heads->cursor;

	if (++c->rows.at < c->rows.count || refill(m, c)) {
		m->heads[0] = head_of(c);
	} else {
		m->heads[0] = m->heads[--m->count];
		m->heads[m->count] = last;
	}
	sift(m->heads, m->count, 0);
}

struct cursor *
merge_next(struct merge *m)
{
	struct cursor *c;

	if (m->started && m->count > 0)
		advance(m);
	m->started = true;
	if (m->count == 0)
		return NULL;
	c = m->heads->cursor;
	source_set(&c->rows, c->rows.at);
	return c;
}

void
merge_close(struct merge *m)
{
	for (size_t i = 0; i < m->count; i++) {
		source_close(&m->heads[i].cursor->rows);
		free(m->heads[i].cursor);
	}
	free(m->heads);
}
