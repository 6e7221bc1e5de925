/* flows.c - which call launched an operation */

#include "flows.h"

/*
 * A call is dropped when all its operations came, or so many younger ones did;
 * the memory of a dropped call serves another one.
 */
enum { YOUNGER = 1 << 18 };

void
flows_init(struct flows *f)
{
	*f = (struct flows){.join.size = sizeof(struct flow_call)};
}

static void
drop(struct flows *f, struct flow_call *c)
{
	c->waiting = false;
	join_remove(&f->join, &c->call);
	join_give_back(&f->join, &c->call);
}

static struct flow_call *
oldest(const struct flows *f)
{
	return (struct flow_call *)f->join.oldest;
}

static struct flow_call *
find_call(const struct flows *f, int64_t pid, int64_t corr)
{
	return (struct flow_call *)join_find(&f->join, pid, corr);
}

/* numbers go on: a viewer takes flows of one number for flows of one call */
void
flows_reset(struct flows *f)
{
	while (oldest(f) != NULL)
		drop(f, oldest(f));
	join_reset(&f->join);
}

void
flows_free(struct flows *f)
{
	flows_reset(f);
	join_free(&f->join);
}

struct flow_call *
flows_call(struct flows *f, int64_t pid, int64_t corr, int64_t gpu,
    const struct track *track, int64_t ts, int64_t end)
{
	/* the driver's part of a call is on its thread: without a tid */
	const struct join_call call = {
	    .pid = pid, .corr = corr, .ts = ts, .end = end, .count = gpu};
	struct flow_call *c = find_call(f, pid, corr);

	if (c != NULL && join_is_inner(&call, &c->call))
		return NULL;
	if (c != NULL)
		drop(f, c);
	if (oldest(f) != NULL && f->last - oldest(f)->number >= YOUNGER - 1)
		drop(f, oldest(f));
	c = (struct flow_call *)join_new(&f->join);
	*c = (struct flow_call){call, track, true, ++f->last, ts};
	join_add(&f->join, &c->call);
	return c;
}

void
flows_inside(
    struct flow_call *c, const struct track *track, int64_t ts, int64_t end)
{
	if (!c->waiting || c->track != track || c->anchor != ts)
		return;
	if (end <= ts)
		end = ts + 1;
	if (end <= c->call.end)
		c->anchor = end;
}

const struct flow_call *
flows_operation(struct flows *f, int64_t pid, int64_t corr, int64_t *nth)
{
	struct flow_call *c = find_call(f, pid, corr);

	if (c == NULL)
		return NULL;
	*nth = c->call.came++;
	if (c->call.count == NO_ID)
		*nth = *nth == 0 ? SINK_FIRST : SINK_LATER;
	else if (c->call.came == c->call.count)
		drop(f, c);
	return c;
}
