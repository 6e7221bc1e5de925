/* calls.c - the calls that may still launch something */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "calls.h"
#include "members.h"

/* ---- by process and correlation id ---- */

enum {
	BUCKETS_BITS = 6,   /* of the smallest table */
	BUCKETS_KEPT = 4096 /* more are not kept for the next section */
};

static struct call **
bucket(const struct calls *cs, int64_t pid, int64_t corr)
{
	uint64_t h = (uint64_t)pid * 0xd6e8feb86659fd93u +
		     (uint64_t)corr * 0x9e3779b97f4a7c15u;

	return &cs->buckets[h >> cs->shift];
}

static void
put_in(struct calls *cs, struct call *c)
{
	struct call **first = bucket(cs, c->pid, c->corr);

	c->next = *first;
	*first = c;
}

static void
grow(struct calls *cs)
{
	cs->shift = cs->size > 0 ? cs->shift - 1 : 64 - BUCKETS_BITS;
	cs->size = (size_t)1 << (64 - cs->shift);
	free(cs->buckets);
	cs->buckets = mem_alloc(cs->size * sizeof(*cs->buckets));
	for (struct call *c = cs->oldest; c != NULL; c = c->newer)
		put_in(cs, c);
}

struct call *
calls_find(const struct calls *cs, int64_t pid, int64_t corr)
{
	struct call *c;

	if (cs->held == 0)
		return NULL;
	for (c = *bucket(cs, pid, corr); c != NULL; c = c->next)
		if (c->corr == corr && c->pid == pid)
			break;
	return c;
}

static void
append(struct calls *cs, struct call *c)
{
	if (cs->held * 2 >= cs->size) /* mostly one in a bucket */
		grow(cs);
	cs->held++;
	put_in(cs, c);
	c->newer = NULL;
	c->older = cs->newest;
	*(c->older != NULL ? &c->older->newer : &cs->oldest) = c;
	cs->newest = c;
}

static void
take_out(struct calls *cs, struct call *c)
{
	struct call **in = bucket(cs, c->pid, c->corr);

	while (*in != c)
		in = &(*in)->next;
	*in = c->next;
	cs->held--;
	*(c->older != NULL ? &c->older->newer : &cs->oldest) = c->newer;
	*(c->newer != NULL ? &c->newer->older : &cs->newest) = c->older;
}

/* ---- the life of a call ---- */

static struct call *
new_call(struct calls *cs)
{
	struct call *c = cs->free;

	if (c == NULL)
		return mem_alloc(sizeof(*c));
	cs->free = c->older;
	c->scope = NULL;
	c->entered = c->ambiguous = c->alone = false;
	c->returning = c->gone = false;
	c->came = 0;
	c->devices = 0;
	return c;
}

static void
free_call(struct calls *cs, struct call *c)
{
	c->older = cs->free;
	cs->free = c;
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
	enum { INTS = 3 };
	struct text *t = &c->members;
	char *p;

	t->len = 0;
	p = text_reserve(
	    t, INTS * MEMBERS_INT + members_room(ev, KEY_name) + MEMBERS_SLACK);
	p = members_put_id(p, KEY_tid, ev, KEY_tid);
	c->tid_end = (size_t)(p - t->p);
	p = members_put_ts(p, KEY_api_ts, ev, c->ts);
	c->ts_end = (size_t)(p - t->p);
	p = members_put_id(p, KEY_api_dur, ev, KEY_dur);
	c->dur_end = (size_t)(p - t->p);
	if (event_has(ev, KEY_name))
		p = members_put_json(p, KEY_api_name, ev->value[KEY_name]);
	text_end(t, p);
}

static struct call *
describe(struct calls *cs, const struct event *ev, int64_t ts, int64_t count)
{
	struct call *c = new_call(cs);

	c->pid = event_int(ev, KEY_pid, NO_ID);
	c->tid = event_int(ev, KEY_tid, NO_ID);
	c->corr = event_int(ev, KEY_corr, NO_ID);
	c->ts = ts;
	c->end = event_end(ev, ts);
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

/* the producer counts: then calls without a count launched nothing */
static void
start_counting(struct calls *cs)
{
	while (!cs->counting && cs->newest != NULL)
		forget(cs, cs->newest);
	cs->counting = true;
}

void
calls_take_in(struct calls *cs, const struct event *ev, int64_t ts)
{
	struct call *c, *other;
	int64_t count = NO_ID;

	if (event_has(ev, KEY_gpu)) {
		start_counting(cs);
		if ((count = event_small_int(ev, KEY_gpu, 0)) <= 0)
			return;
	}
	c = describe(cs, ev, ts, count);
	if ((other = calls_find(cs, c->pid, c->corr)) != NULL) {
		if (inside(c, other)) {
			free_call(cs, c);
			return;
		}
		c->ambiguous = true;
		forget(cs, other);
	}
	write_members(c, ev);
	append(cs, c);
	add_fresh(cs, c);
	if (cs->held > CALLS_PENDING)
		forget(cs, cs->oldest);
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

	while (ends_any(&cs->returning, ts)) {
		c = ends_take(&cs->returning);
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
	if (cs->size > BUCKETS_KEPT) { /* not what one section needed */
		free(cs->buckets);
		cs->buckets = NULL;
		cs->size = 0;
	}
	cs->counting = false;
}

void
calls_free(struct calls *cs)
{
	struct call *c;

	calls_clear(cs);
	free(cs->buckets);
	ends_free(&cs->returning);
	free(cs->fresh);
	while ((c = cs->free) != NULL) {
		cs->free = c->older;
		text_free(&c->members);
		free(c);
	}
}
