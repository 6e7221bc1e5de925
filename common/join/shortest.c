/*
 * shortest.c - ranges by their end
 *
 * A treap: a search tree by end, in which priorities that are drawn by chance
 * decrease from each node to its children, so that it is about as deep as a
 * balanced tree.  Each node has the best of its subtree.
 */

#include <stdlib.h>

#include "shortest.h"
#include "tq/base/mem.h"

struct shortest_node {
	struct shortest_node *left, *right;
	const struct shortest_node *best;
	void *range;
	int64_t ts, end;
	uint64_t number, priority;
	bool older; /* is better than an equal one that is younger */
};

struct shortest {
	struct shortest_node *root;
	struct shortest_node *spare; /* chained by right */
	uint64_t count;              /* of ranges that were added */
	bool older;
};

/* unsigned, so that no pair of times overflows it */
static uint64_t
length(const struct shortest_node *n)
{
	return (uint64_t)n->end - (uint64_t)n->ts;
}

/* both may be NULL */
static const struct shortest_node *
better(const struct shortest_node *a, const struct shortest_node *b)
{
	bool younger;

	if (a == NULL || b == NULL)
		return a != NULL ? a : b;
	if (length(a) != length(b))
		return length(a) < length(b) ? a : b;
	younger = a->ts != b->ts ? a->ts > b->ts : a->number > b->number;
	return younger != a->older ? a : b;
}

static const struct shortest_node *
best_of(const struct shortest_node *n)
{
	return n != NULL ? n->best : NULL;
}

static void
update(struct shortest_node *n)
{
	n->best = better(n, better(best_of(n->left), best_of(n->right)));
}

/* the order of the tree: by end, and then by address */
static bool
is_before(const struct shortest_node *n, int64_t end, const void *range)
{
	return n->end != end ? n->end < end
			     : (uintptr_t)n->range < (uintptr_t)range;
}

/* nodes before (end, range) to left, all others to right */
static void
split(struct shortest_node *n, int64_t end, const void *range,
    struct shortest_node **left, struct shortest_node **right)
{
	if (n == NULL)
		*left = *right = NULL;
	else if (is_before(n, end, range)) {
		split(n->right, end, range, &n->right, right);
		*left = n;
		update(n);
	} else {
		split(n->left, end, range, left, &n->left);
		*right = n;
		update(n);
	}
}

/* all of a is before all of b */
static struct shortest_node *
merge(struct shortest_node *a, struct shortest_node *b)
{
	if (a == NULL || b == NULL)
		return a != NULL ? a : b;
	if (a->priority > b->priority) {
		a->right = merge(a->right, b);
		update(a);
		return a;
	}
	b->left = merge(a, b->left);
	update(b);
	return b;
}

struct shortest *
shortest_new(bool older)
{
	struct shortest *s = mem_alloc(sizeof(*s));

	s->older = older;
	return s;
}

/* as good as drawn by chance, and the same in each run */
static uint64_t
mix(uint64_t n)
{
	n *= 0x9e3779b97f4a7c15u;
	n = (n ^ n >> 32) * 0xd6e8feb86659fd93u;
	return n ^ n >> 29;
}

void
shortest_add(struct shortest *s, void *range, int64_t ts, int64_t end)
{
	struct shortest_node *n = s->spare, *left, *right;

	if (n != NULL)
		s->spare = n->right;
	else
		n = mem_alloc(sizeof(*n));
	*n = (struct shortest_node){.range = range,
	    .ts = ts,
	    .end = end,
	    .number = s->count++,
	    .older = s->older};
	n->priority = mix(s->count);
	n->best = n;
	split(s->root, end, range, &left, &right);
	s->root = merge(merge(left, n), right);
}

static struct shortest_node *
without(
    struct shortest *s, struct shortest_node *n, const void *range, int64_t end)
{
	if (n->range == range && n->end == end) {
		struct shortest_node *rest = merge(n->left, n->right);

		n->right = s->spare;
		s->spare = n;
		return rest;
	}
	if (is_before(n, end, range))
		n->right = without(s, n->right, range, end);
	else
		n->left = without(s, n->left, range, end);
	update(n);
	return n;
}

void
shortest_remove(struct shortest *s, const void *range, int64_t end)
{
	s->root = without(s, s->root, range, end);
}

void *
shortest_find(const struct shortest *s, int64_t end)
{
	const struct shortest_node *n = s->root, *best = NULL;

	while (n != NULL)
		if (n->end >= end) {
			best = better(best, better(n, best_of(n->right)));
			n = n->left;
		} else
			n = n->right;
	return best != NULL ? best->range : NULL;
}

static void
free_nodes(struct shortest_node *n)
{
	while (n != NULL) {
		struct shortest_node *right = n->right;

		free_nodes(n->left);
		free(n);
		n = right;
	}
}

void
shortest_free(struct shortest *s)
{
	if (s == NULL)
		return;
	free_nodes(s->root);
	for (struct shortest_node *n = s->spare; n != NULL;) {
		struct shortest_node *next = n->right;

		free(n);
		n = next;
	}
	free(s);
}
