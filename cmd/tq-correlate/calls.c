/* calls.c - the calls that may still launch something */

#include <stdlib.h>

#include "tq/mem.h"

#include "calls.h"
#include "members.h"

static struct call *
new_call(struct calls *cs)
{
	struct call *c = cs->free;
	struct text members;

	if (c == NULL)
		return mem_alloc(sizeof(*c));
	cs->free = c->older;
	members = c->members;
	members.len = 0;
	*c = (struct call){.members = members};
	return c;
}

static void
free_call(struct calls *cs, struct call *c)
{
	c->older = cs->free;
	cs->free = c;
}

static void
append(struct calls *cs, struct call *c)
{
	c->older = cs->newest;
	*(c->older != NULL ? &c->older->newer : &cs->oldest) = c;
	cs->newest = c;
}

static void
take_out(struct calls *cs, struct call *c)
{
	*(c->older != NULL ? &c->older->newer : &cs->oldest) = c->newer;
	*(c->newer != NULL ? &c->newer->older : &cs->newest) = c->older;
}

/* no range that is still to come can be around the start of these */
void
calls_enter_fresh(struct calls *cs)
{
	for (size_t i = 0; i < cs->fresh_count; i++) {
		struct call *c = cs->fresh[i];

		c->scope =
		    ranges_enter(cs->ranges, c->pid, c->tid, c->ts, c->end);
		c->entered = true;
	}
	cs->fresh_count = 0;
}

static void
add_fresh(struct calls *cs, struct call *c)
{
	if (cs->fresh_count == cs->fresh_cap) {
		cs->fresh_cap = cs->fresh_cap * 2 + 16;
		cs->fresh =
		    mem_resize(cs->fresh, cs->fresh_cap, sizeof(*cs->fresh));
	}
	cs->fresh[cs->fresh_count++] = c;
}

static void
forget(struct calls *cs, struct call *c)
{
	if (!c->entered)
		calls_enter(cs);
	map_remove(&cs->map, (uint64_t)c->pid, (uint64_t)c->corr);
	take_out(cs, c);
	ranges_leave(cs->ranges, c->scope);
	if (c->returning)
		c->gone = true;
	else
		free_call(cs, c);
}

/* what operations are told of the call */
static void
write_members(struct call *c, const struct event *ev)
{
	struct text *t = &c->members;

	members_add_id(t, KEY_tid, ev, KEY_tid);
	c->tid_end = t->len;
	if (event_has(ev, KEY_ts))
		members_add_int(t, KEY_api_ts, ev, KEY_ts);
	else
		emit_add_int(t, KEY_api_ts, c->ts);
	c->ts_end = t->len;
	members_add_id(t, KEY_api_dur, ev, KEY_dur);
	c->dur_end = t->len;
	if (event_has(ev, KEY_name))
		emit_add_json(t, KEY_api_name, ev->value[KEY_name]);
	members_end(t);
}

static struct call *
describe(struct calls *cs, const struct event *ev, int64_t ts, int64_t count)
{
	struct call *c = new_call(cs);

	c->pid = event_int(ev, KEY_pid, NO_ID);
	c->tid = event_int(ev, KEY_tid, NO_ID);
	c->corr = event_int(ev, KEY_corr, NO_ID);
	c->ts = ts;
	c->end = end_of_event(ev, ts);
	c->count = count;
	return c;
}

/* is c the driver's part of the call that holds it, or told twice? */
static bool
inside(const struct call *c, const struct call *outer)
{
	return c->tid == outer->tid && c->ts >= outer->ts &&
	       c->end <= outer->end;
}

/* may it still launch something?  *count is of how many, if that is known */
static bool
launches(struct calls *cs, const struct event *ev, int64_t *count)
{
	*count = NO_ID;
	if (!event_has(ev, KEY_corr))
		return false;
	if (!event_has(ev, KEY_gpu))
		return !cs->counting;
	/* then those without a count launched nothing */
	while (!cs->counting && cs->newest != NULL)
		forget(cs, cs->newest);
	cs->counting = true;
	*count = event_int(ev, KEY_gpu, 0);
	return *count > 0;
}

void
calls_add(struct calls *cs, const struct event *ev, int64_t ts)
{
	struct call *c, *other;
	uint64_t *slot;
	int64_t count;

	if (!launches(cs, ev, &count))
		return;
	c = describe(cs, ev, ts, count);
	slot = map_get(&cs->map, (uint64_t)c->pid, (uint64_t)c->corr);
	if ((other = (struct call *)(uintptr_t)*slot) != NULL) {
		if (inside(c, other)) {
			free_call(cs, c);
			return;
		}
		c->ambiguous = true;
		forget(cs, other);
		slot = map_get(&cs->map, (uint64_t)c->pid, (uint64_t)c->corr);
	}
	*slot = (uint64_t)(uintptr_t)c;
	write_members(c, ev);
	append(cs, c);
	add_fresh(cs, c);
	if (cs->map.count > CALLS_PENDING)
		forget(cs, cs->oldest);
}

struct call *
calls_find(const struct calls *cs, int64_t pid, int64_t corr)
{
	const uint64_t *slot =
	    map_find(&cs->map, (uint64_t)pid, (uint64_t)corr);

	return slot != NULL ? (struct call *)(uintptr_t)*slot : NULL;
}

bool
calls_count(struct calls *cs, struct call *c, int64_t device)
{
	uint64_t bit = (uint64_t)1 << ((uint64_t)device & 63);
	bool first = (c->devices & bit) == 0;

	if (!c->entered)
		calls_enter(cs);
	c->came++;
	c->devices |= bit;
	return first;
}

void
calls_done(struct calls *cs, struct call *c, int64_t now)
{
	if (c->count == NO_ID || c->came < c->count || c->returning)
		return;
	if (c->end < now || c->end == INT64_MAX) {
		forget(cs, c);
		return;
	}
	/* until it returned, the driver may tell of the same call */
	c->returning = true;
	ends_add(&cs->returning, c->end, c);
}

void
calls_let_go(struct calls *cs, int64_t ts)
{
	struct call *c;

	while ((c = ends_before(&cs->returning, ts)) != NULL) {
		c->returning = false;
		if (c->gone)
			free_call(cs, c);
		else
			forget(cs, c);
	}
}

void
calls_clear(struct calls *cs)
{
	calls_expire(cs, INT64_MAX);
	while (cs->newest != NULL)
		forget(cs, cs->newest);
	map_clear(&cs->map);
	cs->counting = false;
}

void
calls_free(struct calls *cs)
{
	struct call *c;

	calls_clear(cs);
	map_free(&cs->map);
	ends_free(&cs->returning);
	free(cs->fresh);
	while ((c = cs->free) != NULL) {
		cs->free = c->older;
		text_free(&c->members);
		free(c);
	}
}
