/* flows.c - which call launched an operation */

#include <stdlib.h>

#include "flows.h"
#include "tq/base/mem.h"
#include "tq/draw/sink.h"

enum { WAITING = 1 << 18 }; /* calls, at most */

void
flows_free(struct flows *a)
{
	free(a->call);
	map_free(&a->calls);
	*a = (struct flows){0};
}

void
flows_reset(struct flows *a)
{
	map_clear(&a->calls);
	/* numbers go on, so that an old one is not taken for a new call */
	a->first = a->next;
	a->counted = false;
}

static struct flow_call *
call_of(struct flows *a, uint64_t number)
{
	return &a->call[number & (a->cap - 1)];
}

/* a call that does not wait any more has no track */
static void
drop(struct flows *a, uint64_t number)
{
	struct flow_call *c = call_of(a, number);

	map_remove(&a->calls, (uint64_t)c->pid, (uint64_t)c->corr);
	c->track = NULL;
}

static void
grow(struct flows *a)
{
	struct flows old = *a;

	a->cap = old.cap > 0 ? old.cap * 2 : 256;
	a->call = mem_resize(NULL, a->cap, sizeof(*a->call));
	for (uint64_t i = a->first; i < a->next; i++)
		*call_of(a, i) = *call_of(&old, i);
	free(old.call);
}

static void
make_room(struct flows *a)
{
	while (a->first < a->next && call_of(a, a->first)->track == NULL)
		a->first++;
	if (a->next - a->first < a->cap)
		return;
	if (a->cap < WAITING)
		grow(a);
	else
		drop(a, a->first++);
}

/* does the call lie in another one that waits under the same id? */
static bool
is_inner(struct flows *a, uint64_t known, int64_t ts, int64_t end)
{
	const struct flow_call *outer = call_of(a, known);

	return outer->ts <= ts && end <= outer->end;
}

uint64_t
flows_call(struct flows *a, int64_t pid, int64_t corr, int64_t gpu,
    const void *track, int64_t ts, int64_t end)
{
	uint64_t *known;

	if (!flows_launches(a, gpu))
		return 0;
	if (a->next == 0)
		a->first = a->next = 1; /* 0 is no call */
	known = map_get(&a->calls, (uint64_t)pid, (uint64_t)corr);
	if (*known != 0) {
		if (is_inner(a, *known, ts, end))
			return 0;
		call_of(a, *known)->track = NULL;
	}
	*known = a->next;
	make_room(a);
	*call_of(a, a->next) = (struct flow_call){
	    .track = track,
	    .ts = ts,
	    .end = end,
	    .anchor = ts,
	    .pid = pid,
	    .corr = corr,
	    .left = gpu < INT32_MAX ? (int32_t)gpu : INT32_MAX,
	    .nth = gpu == FLOWS_UNKNOWN ? SINK_FIRST : 0,
	};
	return a->next++;
}

void
flows_inside(struct flows *a, uint64_t number, int64_t ts, int64_t end)
{
	struct flow_call *c;

	if (number < a->first || number >= a->next)
		return;
	c = call_of(a, number);
	if (c->track == NULL || c->anchor != ts)
		return;
	if (end <= ts)
		end = ts + 1;
	if (end <= c->end)
		c->anchor = end;
}

uint64_t
flows_operation(
    struct flows *a, int64_t pid, int64_t corr, struct flow_call *call)
{
	uint64_t *known = map_find(&a->calls, (uint64_t)pid, (uint64_t)corr);
	struct flow_call *c;
	uint64_t number;

	if (known == NULL)
		return 0;
	number = *known;
	c = call_of(a, number);
	*call = *c;
	if (c->left == FLOWS_UNKNOWN) {
		c->nth = SINK_LATER;
		return number;
	}
	c->nth++;
	if (--c->left == 0)
		drop(a, number);
	return number;
}
