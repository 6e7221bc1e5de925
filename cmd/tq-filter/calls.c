/* calls.c - the calls that may still launch something */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "calls.h"

static void
give_back(struct calls *cs, struct call *c)
{
	open_leave(cs->open, c->top);
	c->older = cs->free;
	cs->free = c;
}

static void
forget(struct calls *cs, struct call *c)
{
	const uint64_t *slot =
	    map_find(&cs->map, (uint64_t)c->pid, (uint64_t)c->corr);

	if (slot != NULL && (struct call *)(uintptr_t)*slot == c)
		map_remove(&cs->map, (uint64_t)c->pid, (uint64_t)c->corr);
	*(c->older != NULL ? &c->older->newer : &cs->oldest) = c->newer;
	*(c->newer != NULL ? &c->newer->older : &cs->newest) = c->older;
	cs->count--;
	for (struct call *other = c->other; other != NULL;) {
		struct call *next = other->other;

		give_back(cs, other);
		other = next;
	}
	give_back(cs, c);
}

static struct call *
copy(struct calls *cs, const struct call *from)
{
	struct call *c = cs->free;

	if (c != NULL)
		cs->free = c->older;
	else
		c = mem_alloc(sizeof(*c));
	*c = *from;
	return c;
}

/* is it the driver's part of outer, or outer told twice? */
static bool
inside(const struct call *c, const struct call *outer)
{
	return c->tid == outer->tid && c->ts >= outer->ts &&
	       c->end <= outer->end;
}

struct call *
calls_add(struct calls *cs, const struct call *from)
{
	struct call *c = copy(cs, from);
	uint64_t *slot = map_get(&cs->map, (uint64_t)c->pid, (uint64_t)c->corr);
	struct call *outer = (struct call *)(uintptr_t)*slot;

	c->other = c->outer = c->older = c->newer = NULL;
	if (outer != NULL && inside(c, outer)) {
		c->other = outer->other;
		c->outer = outer;
		outer->other = c;
		return c;
	}
	*slot = (uint64_t)(uintptr_t)c;
	c->older = cs->newest;
	*(c->older != NULL ? &c->older->newer : &cs->oldest) = c;
	cs->newest = c;
	cs->count++;
	return c;
}

struct call *
calls_find(const struct calls *cs, int64_t pid, int64_t corr)
{
	const uint64_t *slot =
	    map_find(&cs->map, (uint64_t)pid, (uint64_t)corr);

	return slot != NULL ? (struct call *)(uintptr_t)*slot : NULL;
}

static bool
complete(const struct call *c, int64_t now)
{
	return c->settled && time_end(c->end, CALLS_LINGER) < now &&
	       c->came >= c->count;
}

void
calls_trim(struct calls *cs, int64_t now)
{
	struct call *next;

	while (cs->oldest != NULL && complete(cs->oldest, now))
		forget(cs, cs->oldest);
	if (cs->count <= CALLS_PENDING)
		return;
	for (struct call *c = cs->oldest; c != NULL; c = next) {
		next = c->newer;
		if (complete(c, now))
			forget(cs, c);
	}
	/* not one by one, since all were looked at */
	for (struct call *c = cs->oldest;
	     cs->count > CALLS_PENDING / 4 * 3 && c != NULL; c = next) {
		next = c->newer;
		if (c->settled)
			forget(cs, c);
	}
}

void
calls_clear(struct calls *cs)
{
	while (cs->newest != NULL)
		forget(cs, cs->newest);
	map_clear(&cs->map);
}

void
calls_free(struct calls *cs)
{
	struct call *c;

	calls_clear(cs);
	map_free(&cs->map);
	while ((c = cs->free) != NULL) {
		cs->free = c->older;
		free(c);
	}
}
