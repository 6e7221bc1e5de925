/* row_merge.c - the rows of all tables in one order, by a heap of cursors */

#include <stdlib.h>

#include "row_merge.h"
#include "tq/base/array.h"

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
	if (a->number != b->number)
		return a->number < b->number;
	return a->rowid < b->rowid;
}

static inline bool
before(const struct merge_head *a, const struct merge_head *b)
{
	if (__builtin_expect(a->ts == b->ts, 0))
		return before_equal(a->cursor, b->cursor);
	return a->ts < b->ts;
}

/* read the next rows ahead; false at the end */
static bool
refill(struct row_merge *m, struct merge_cursor *c)
{
	while (row_source_fill(&c->rows)) {
		c->rows.count = m->select(m->arg, c);
		if (c->rows.count > 0)
			return true;
	}
	row_source_close(&c->rows);
	free(c);
	return false;
}

/* stands twice behind the heap; no event is that late (time_window_overlaps) */
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

struct merge_cursor *
row_merge_add(struct row_merge *m, void *table, unsigned number)
{
	struct merge_cursor *c = mem_alloc(sizeof(*c));

	c->table = table;
	c->number = number;
	array_add(&m->heads, &m->count, &m->cap)->cursor = c;
	return c;
}

/*
 * read the first rows of all cursors, and make a heap of the cursors that have
 * any
 */
static void
start(struct row_merge *m)
{
	size_t count = m->count;

	m->started = true;
	m->count = 0;
	for (size_t i = 0; i < count; i++) {
		struct merge_cursor *c = m->heads[i].cursor;

		if (refill(m, c))
			m->heads[m->count++] = head_of(c);
	}
	for (int i = 0; i < 2; i++) /* makes room for them */
		*array_add(&m->heads, &count, &m->cap) = last;
	m->heads[m->count] = m->heads[m->count + 1] = last;
	for (size_t i = m->count / 2; i-- > 0;)
		sift(m->heads, m->count, i);
}

/* the first row of the heap has been written */
static inline void
advance(struct row_merge *m)
{
	struct merge_head *heap = m->heads;
	struct merge_cursor *c = heap->cursor;

	if (++c->rows.at < c->rows.count || refill(m, c)) {
		heap[0].ts = row_of(c)->ts;
		/* as a rule it stays in front */
		if (heap[0].ts < heap[1].ts && heap[0].ts < heap[2].ts)
			return;
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

	if (!m->started)
		start(m);
	else if (m->count > 0)
		advance(m);
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
