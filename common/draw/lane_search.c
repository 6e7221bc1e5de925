/* lane_search.c - the first of many lanes that may take a slice */

#include <stdlib.h>

#include "lane_search.h"
#include "tq/base/mem.h"

enum { FIRST = 16 }; /* lanes of the smallest tree */

/* of a lane, or of all lanes below a node */
struct lane_block {
	int64_t free_at; /* slices that start there or later may fit */
	int64_t holds;   /* and so may slices that end there or earlier */
};

static const struct lane_block unknown = {INT64_MIN, INT64_MAX};

static struct lane_block
either(struct lane_block a, struct lane_block b)
{
	return (struct lane_block){
	    a.free_at < b.free_at ? a.free_at : b.free_at,
	    a.holds > b.holds ? a.holds : b.holds};
}

static void
grow(struct lane_search *s)
{
	size_t old = s->cap;
	struct lane_block *tree;

	s->cap = old > 0 ? old * 2 : FIRST;
	tree = mem_resize(NULL, s->cap * 2, sizeof(*tree));
	for (size_t i = 0; i < s->cap; i++)
		tree[s->cap + i] = i < old ? s->tree[old + i] : unknown;
	for (size_t i = s->cap; --i > 0;)
		tree[i] = either(tree[i * 2], tree[i * 2 + 1]);
	free(s->tree);
	s->tree = tree;
}

static bool
may_take(struct lane_block b, int64_t start, int64_t end)
{
	return b.free_at <= start || b.holds >= end;
}

size_t
lane_search_first(
    struct lane_search *s, size_t i, size_t count, int64_t start, int64_t end)
{
	while (s->cap <= count)
		grow(s);
	i += s->cap;
	while (!may_take(s->tree[i], start, end))
		/* to the right, as far up as nothing before it is below */
		for (i++; i % 2 == 0;)
			i /= 2;
	while (i < s->cap) {
		i *= 2;
		i += !may_take(s->tree[i], start, end);
	}
	return i - s->cap;
}

void
lane_search_block(struct lane_search *s, size_t lane, int64_t end, bool solid)
{
	size_t i = s->cap + lane;

	s->tree[i] = (struct lane_block){end, solid ? INT64_MIN : end};
	while ((i /= 2) > 0)
		s->tree[i] = either(s->tree[i * 2], s->tree[i * 2 + 1]);
}

void
lane_search_free(struct lane_search *s)
{
	free(s->tree);
	*s = (struct lane_search){0};
}
