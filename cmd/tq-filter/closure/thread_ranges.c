/* thread_ranges.c - the ranges of each thread */

#include <stdlib.h>

#include "tq/base/lower_bound.h"
#include "tq/base/mem.h"
#include "tq/base/time.h"

#include "thread_ranges.h"

enum {
	BLOCK = 8,        /* ranges */
	FIRST = 4 * BLOCK /* of a thread for which there is room at first */
};

struct marked_range {
	int64_t ts, end;
	uint64_t number, record;
	bool reached[THREAD_MARKS];
};

/*
 * Node i of a tree is over the nodes 2 * i and 2 * i + 1; the last nodes, as
 * many as there are blocks, are over a block each.
 */
struct reach_tree {
	int64_t *reach; /* of each node: no range that ends later is left */
	size_t count;   /* of ranges in it; 0: all is void */
};

struct ranges_of_thread {
	struct marked_range *all;
	size_t count, room; /* room: a power of two */
	struct reach_tree tree[THREAD_MARKS];

	/* ranges below that number that end there or later are reached */
	struct {
		uint64_t before;
		int64_t least;
	} done[THREAD_MARKS];
};

/* a mark, on its way to the ranges */
struct marking {
	struct ranges_of_thread *r;
	int64_t *reach;
	enum thread_mark mark;
	int64_t ts, least; /* start of the ranges at most, their end at least */
	size_t before;     /* index of a range */
	bool late;         /* a range started behind ts: one is out of order */
	struct record_set *to;
};

static struct ranges_of_thread *
of_thread(const struct nesting_thread *t)
{
	return t != NULL ? t->around : NULL;
}

struct ranges_of_thread *
thread_ranges_find(struct thread_ranges *t, int64_t pid, int64_t tid)
{
	return of_thread(nesting_find(&t->nesting, pid, tid));
}

/* ---- the trees ---- */

static size_t
node_of(const struct ranges_of_thread *r, size_t i)
{
	return (r->room + i) / BLOCK;
}

static int64_t
reach_of_block(
    const struct ranges_of_thread *r, enum thread_mark mark, size_t i)
{
	const struct marked_range *x = &r->all[i];
	size_t n = r->count > i ? r->count - i : 0;
	int64_t reach = INT64_MIN;

	for (n = n < BLOCK ? n : BLOCK; n > 0; n--, x++)
		if (!x->reached[mark] && x->end > reach)
			reach = x->end;
	return reach;
}

static void
update_node(int64_t *reach, size_t i)
{
	int64_t left = reach[i * 2], right = reach[i * 2 + 1];

	reach[i] = left > right ? left : right;
}

static void
make_tree(struct ranges_of_thread *r, enum thread_mark mark)
{
	struct reach_tree *t = &r->tree[mark];

	t->reach = mem_resize(t->reach, r->room / BLOCK * 2, sizeof(*t->reach));
	for (size_t i = 0; i < r->room; i += BLOCK)
		t->reach[node_of(r, i)] = reach_of_block(r, mark, i);
	for (size_t i = r->room / BLOCK; --i > 0;)
		update_node(t->reach, i);
	t->count = r->count;
}

/* the tree gets all ranges */
static int64_t *
complete_tree(struct ranges_of_thread *r, enum thread_mark mark)
{
	struct reach_tree *t = &r->tree[mark];

	if (t->count == 0)
		make_tree(r, mark);
	for (; t->count < r->count; t->count++) {
		int64_t end = r->all[t->count].end;

		for (size_t k = node_of(r, t->count);
		     k > 0 && t->reach[k] < end; k /= 2)
			t->reach[k] = end;
	}
	return t->reach;
}

/* room for another range, and then for as many as there are */
static void
make_room(struct ranges_of_thread *r, int64_t horizon)
{
	size_t n = 0;

	for (size_t i = 0; i < r->count; i++)
		if (r->all[i].end >= horizon)
			r->all[n++] = r->all[i];
	r->count = n;
	while (r->room < FIRST || n > r->room / 2)
		r->room = r->room > 0 ? r->room * 2 : FIRST;
	r->all = mem_resize(r->all, r->room, sizeof(*r->all));
	for (enum thread_mark m = 0; m < THREAD_MARKS; m++)
		r->tree[m].count = 0;
}

/* ---- ranges ---- */

void
thread_ranges_add(struct thread_ranges *t, int64_t pid, int64_t tid, int64_t ts,
    int64_t end, uint64_t record, int64_t horizon)
{
	struct nesting_thread *thread = nesting_thread(&t->nesting, pid, tid);
	struct ranges_of_thread *r = of_thread(thread);

	if (r == NULL)
		thread->around = r = mem_alloc(sizeof(*r));
	if (r->count == r->room)
		make_room(r, horizon);
	r->all[r->count++] = (struct marked_range){
	    .ts = ts, .end = end, .number = t->count++, .record = record};
}

static void
reach_range(struct marking *m, struct marked_range *x)
{
	if (x->end < m->least || x->reached[m->mark])
		return;
	if (x->ts > m->ts)
		m->late = true;
	else {
		record_set_add(m->to, x->record);
		x->reached[m->mark] = true;
	}
}

static void
reach_block(struct marking *m, size_t node, size_t low)
{
	size_t n = m->before - low;

	n = n < BLOCK ? n : BLOCK;
	for (size_t i = 0; i < n; i++)
		reach_range(m, &m->r->all[low + i]);
	m->reach[node] = reach_of_block(m->r, m->mark, low);
}

/* the node is over size ranges, from low on */
static void
reach_node(struct marking *m, size_t node, size_t low, size_t size)
{
	if (m->reach[node] < m->least || low >= m->before)
		return;
	if (size == BLOCK) {
		reach_block(m, node, low);
		return;
	}
	size /= 2; /* so often as room has bits */
	reach_node(m, node * 2, low, size);
	reach_node(m, node * 2 + 1, low + size, size);
	update_node(m->reach, node);
}

/* index of the first range with that number or more: near the end, mostly */
static size_t
index_of(const struct ranges_of_thread *r, uint64_t number)
{
	size_t n = 1, i;

	while (n <= r->count && r->all[r->count - n].number >= number)
		n *= 2;
	i = n <= r->count ? r->count - n + 1 : 0;
	LOWER_BOUND(i, i, r->count - n / 2, r->all[i].number < number);
	return i;
}

/*
 * Marks come in order of time, mostly.  Then all ranges below the number are
 * done, and the search is for ranges that came since: each is looked at but
 * once.  The tree takes note of that when it is searched.
 */
static void
reach_latest(struct marking *m, uint64_t number)
{
	struct marked_range *first = m->r->all, *x = first + m->before;

	for (; x > first && x[-1].number >= number; x--)
		reach_range(m, &x[-1]);
}

void
thread_ranges_mark(struct ranges_of_thread *r, uint64_t before, int64_t ts,
    int64_t end, enum thread_mark mark, struct record_set *marks)
{
	struct marking m = {.r = r, .mark = mark, .ts = ts, .to = marks};
	bool later;

	if (r == NULL)
		return;
	/* see time_encloses_start() */
	m.least = ts < end ? ts + 1 : ts;
	later = r->done[mark].least <= m.least;
	if (later && r->done[mark].before >= before)
		return;
	m.before = index_of(r, before);
	if (later && r->done[mark].before > 0)
		reach_latest(&m, r->done[mark].before);
	else {
		m.reach = complete_tree(r, mark);
		reach_node(&m, 1, 0, r->room);
	}
	if (m.late)
		r->done[mark].before = 0;
	else if (r->done[mark].before <= before) {
		r->done[mark].before = before;
		r->done[mark].least = m.least;
	}
}

/* ---- life ---- */

void
thread_ranges_clear(struct thread_ranges *t)
{
	for (struct nesting_thread *x = t->nesting.first; x != NULL;
	     x = x->next) {
		struct ranges_of_thread *r = of_thread(x);

		if (r == NULL)
			continue;
		free(r->all);
		for (enum thread_mark m = 0; m < THREAD_MARKS; m++)
			free(r->tree[m].reach);
		free(r);
	}
	nesting_clear(&t->nesting);
	t->count = 0;
}

void
thread_ranges_free(struct thread_ranges *t)
{
	thread_ranges_clear(t);
	nesting_free(&t->nesting);
}
