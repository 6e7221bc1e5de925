/* open.c - the ranges that are open on each thread */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "open.h"

struct open_range *
open_use(struct open_range *r)
{
	if (r != NULL)
		r->users++;
	return r;
}

void
open_leave(struct open *o, struct open_range *r)
{
	while (r != NULL && --r->users == 0) {
		struct open_range *below = r->below;

		r->below = o->free;
		o->free = r;
		r = below;
	}
}

/*
 * Take out of the way down from r what is over, as far as nobody else needs
 * that way: not all of it, so that deep nesting costs no more.
 */
static void
shorten(struct open *o, struct open_range *r, int64_t ts)
{
	for (int step = 0; step < 64 && r->users == 1; step++) {
		struct open_range *below = r->below;

		if (below == NULL)
			return;
		if (below->end < ts && below->users == 1) {
			r->below = open_use(below->below);
			open_leave(o, below);
		} else
			r = below;
	}
}

static struct open_range *
top_of(struct open *o, uint64_t *slot, int64_t ts)
{
	struct open_range *top = (struct open_range *)(uintptr_t)*slot, *r;

	/* those on top that are over are of no use to what comes */
	while ((r = top) != NULL && r->end < ts) {
		top = open_use(r->below);
		open_leave(o, r);
	}
	*slot = (uint64_t)(uintptr_t)top;
	return top;
}

struct open_range *
open_top(struct open *o, int64_t pid, int64_t tid, int64_t ts)
{
	uint64_t *slot = map_find(&o->threads, (uint64_t)pid, (uint64_t)tid);

	return slot != NULL ? top_of(o, slot, ts) : NULL;
}

static uint64_t
length(const struct open_range *r)
{
	return (uint64_t)r->end - (uint64_t)r->ts;
}

/* the shortest of those of its domain that enclose it is the parent */
static int64_t
depth_of(const struct open_range *r)
{
	const struct open_range *parent = NULL;

	if (!r->nests)
		return 0;
	for (const struct open_range *x = r->below; x != NULL; x = x->below)
		if (x->nests && x->domain == r->domain && x->end >= r->end &&
		    (parent == NULL || length(x) < length(parent)))
			parent = x;
	return parent != NULL ? parent->depth + 1 : 0;
}

struct open_range *
open_add(
    struct open *o, int64_t pid, int64_t tid, const struct open_range *added)
{
	uint64_t *slot = map_get(&o->threads, (uint64_t)pid, (uint64_t)tid);
	struct open_range *top = top_of(o, slot, added->ts);
	struct open_range *r = o->free;

	if (r != NULL)
		o->free = r->below;
	else
		r = mem_alloc(sizeof(*r));
	*r = *added;
	r->users = 1;
	r->below = top; /* the thread's use of it passes to r */
	shorten(o, r, added->ts);
	r->depth = depth_of(r);
	*slot = (uint64_t)(uintptr_t)r;
	return r;
}

void
open_around(struct open_range *top, int64_t ts, int64_t end,
    enum open_mark mark, void (*tell)(void *, uint64_t), void *arg)
{
	unsigned char bit = (unsigned char)(1 << mark);
	struct open_range *r, *whole = top; /* from here on, none left out */

	for (r = top; r != NULL && (r->done & bit) == 0; r = r->below)
		if (time_encloses_start(r->ts, r->end, ts, end))
			tell(arg, r->record);
		else
			whole = r->below;
	for (; whole != r; whole = whole->below)
		whole->done |= bit;
}

void
open_clear(struct open *o)
{
	const struct map *m = &o->threads;

	for (size_t i = 0; i < m->size; i++)
		if (m->used[i])
			open_leave(o,
			    (struct open_range *)(uintptr_t)m->slots[i].value);
	map_clear(&o->threads);
}

void
open_free(struct open *o)
{
	struct open_range *r;

	open_clear(o);
	map_free(&o->threads);
	while ((r = o->free) != NULL) {
		o->free = r->below;
		free(r);
	}
}
