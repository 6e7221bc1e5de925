/* range_chain.c - the ranges that are open on each thread */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "range_chain.h"

enum { LOOKED_AT = 64 }; /* the most ranges of a chain for one new range */

struct chained_range *
range_chain_use(struct chained_range *r)
{
	if (r != NULL)
		r->users++;
	return r;
}

void
range_chain_leave(struct range_chain *c, struct chained_range *r)
{
	while (r != NULL && --r->users == 0) {
		struct chained_range *below = r->below;

		r->below = c->free;
		c->free = r;
		r = below;
	}
}

/*
 * Take ranges that are over out of the chain of r, as far as nothing else uses
 * the chain, and not to its end: so deep nesting costs no more.
 */
static void
shorten(struct range_chain *c, struct chained_range *r, int64_t ts)
{
	for (int i = 0; i < LOOKED_AT && r->users == 1; i++) {
		struct chained_range *below = r->below;

		if (below == NULL)
			return;
		if (below->end < ts && below->users == 1) {
			r->below = range_chain_use(below->below);
			range_chain_leave(c, below);
		} else
			r = below;
	}
}

static struct chained_range *
top_of(struct range_chain *c, struct nesting_thread *t, int64_t ts)
{
	struct chained_range *top = t->around, *r;

	/* records to come do not start in those on top that are over */
	while ((r = top) != NULL && r->end < ts) {
		top = range_chain_use(r->below);
		range_chain_leave(c, r);
	}
	t->around = top;
	return top;
}

struct chained_range *
range_chain_top(struct range_chain *c, int64_t pid, int64_t tid, int64_t ts)
{
	struct nesting_thread *t = nesting_find(&c->nesting, pid, tid);

	return t != NULL ? top_of(c, t, ts) : NULL;
}

static uint64_t
length(const struct chained_range *r)
{
	return (uint64_t)r->end - (uint64_t)r->ts;
}

/* the shortest range of its domain that encloses it is the parent */
static int64_t
depth_of(const struct chained_range *r)
{
	const struct chained_range *parent = NULL;

	if (!r->nests)
		return 0;
	for (const struct chained_range *x = r->below; x != NULL; x = x->below)
		if (x->nests && x->domain == r->domain && x->end >= r->end &&
		    (parent == NULL || length(x) < length(parent)))
			parent = x;
	return parent != NULL ? parent->depth + 1 : 0;
}

struct chained_range *
range_chain_add(struct range_chain *c, int64_t pid, int64_t tid,
    const struct chained_range *added)
{
	struct nesting_thread *t = nesting_thread(&c->nesting, pid, tid);
	struct chained_range *top = top_of(c, t, added->ts);
	struct chained_range *r = c->free;

	if (r != NULL)
		c->free = r->below;
	else
		r = mem_alloc(sizeof(*r));
	*r = *added;
	r->users = 1;
	r->below = top; /* the thread's use of it passes to r */
	shorten(c, r, added->ts);
	r->depth = depth_of(r);
	t->around = r;
	return r;
}

void
range_chain_mark(struct chained_range *top, int64_t ts, int64_t end,
    enum chain_mark mark, void (*add)(void *, uint64_t), void *arg)
{
	unsigned char bit = (unsigned char)(1 << mark);
	struct chained_range *r, *whole = top; /* none from here on left out */

	for (r = top; r != NULL && (r->done & bit) == 0; r = r->below)
		if (time_encloses_start(r->ts, r->end, ts, end))
			add(arg, r->record);
		else
			whole = r->below;
	for (; whole != r; whole = whole->below)
		whole->done |= bit;
}

void
range_chain_clear(struct range_chain *c)
{
	for (struct nesting_thread *t = c->nesting.first; t != NULL;
	     t = t->next)
		range_chain_leave(c, t->around);
	nesting_clear(&c->nesting);
}

void
range_chain_free(struct range_chain *c)
{
	struct chained_range *r;

	range_chain_clear(c);
	nesting_free(&c->nesting);
	while ((r = c->free) != NULL) {
		c->free = r->below;
		free(r);
	}
}
