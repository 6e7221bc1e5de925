/* operations.c - operations and their calls */

#include "tq/io/emit.h"

#include "members.h"
#include "operations.h"

/*
 * The clock of a device may be behind that of the host, so that an operation
 * seems to start before its call.  It waits for the call until time went
 * SKEW beyond it, or HELD_LINES lines wait.
 */
enum { SKEW = 1000000, HELD_LINES = 16384 };

/* what it tells of the call but when that was, it tells itself */
static char *
put_call(char *p, const struct op *op, const struct call *call)
{
	const struct keyset *has = &op->has;
	const struct text *members = &call->members;

	if (!keyset_has(has, KEY_tid) && !keyset_has(has, KEY_api_dur) &&
	    !keyset_has(has, KEY_api_name))
		return members_put(p, members, 0, members->len);
	if (!keyset_has(has, KEY_tid))
		p = members_put(p, members, 0, call->tid_end);
	p = members_put(p, members, call->tid_end, call->ts_end);
	if (!keyset_has(has, KEY_api_dur))
		p = members_put(p, members, call->ts_end, call->dur_end);
	if (!keyset_has(has, KEY_api_name))
		p = members_put(p, members, call->dur_end, members->len);
	return p;
}

static char *
put_scope(char *p, const struct op *op, const struct scope *scope)
{
	const struct range *r = scope->ranges[scope->count - 1];

	if (!keyset_has(&op->has, KEY_range))
		p = members_put(p, &r->members, r->id_at, r->middle);
	if (scope->path.len > 0 && !keyset_has(&op->has, KEY_path))
		p = members_put_text(p, KEY_path, &scope->path);
	return p;
}

static void
annotate(struct output *o, const struct op *op, const struct call *call)
{
	const struct scope *scope = call->scope;
	size_t room = op->line.len + call->members.len + MEMBERS_SLACK;
	char *p;

	if (scope != NULL)
		room += MEMBERS_INT + EMIT_KEY_ROOM + scope->path.len;
	p = emit_put_open(text_reserve(&o->buf, room), op->line);
	p = put_call(p, op, call);
	if (scope != NULL && scope->count > 0)
		p = put_scope(p, op, scope);
	emit_put_close(o, p);
}

/* the first operation of a call is known for one of several by the second */
static void
tally_graph(struct tally *t, const struct op *op, struct call *call)
{
	if (op->graph || call->count > 1 || call->came > 1)
		t->by_graph++;
	else
		call->alone = true;
	if (call->came == 2 && call->alone)
		t->by_graph++;
}

static void
resolve(struct correlate *c, const struct op *op, struct call *call)
{
	bool first = calls_count(&c->calls, call, op->device);

	c->tally.resolved++;
	c->tally.ambiguous += call->ambiguous;
	tally_graph(&c->tally, op, call);
	ranges_charge(call->scope, call->end, op, first);
	if (keyset_has(&op->has, KEY_api_ts))
		output_line(c->to, op->line);
	else
		annotate(c->to, op, call);
	calls_done(&c->calls, call, c->now);
}

static void
pass(struct correlate *c, const struct op *op)
{
	if (keyset_has(&op->has, KEY_api_ts)) {
		c->tally.resolved++;
		c->tally.by_graph += op->graph;
	} else
		c->tally.unresolved++;
	output_line(c->to, op->line);
}

/* is it known which ranges are around the call? */
static bool
ready(const struct call *call)
{
	return call != NULL && call->entered;
}

void
operations_add(struct correlate *c, const struct event *ev, int64_t ts)
{
	struct op op;
	struct call *call;

	op_set(&op, ev, ts);
	if (!event_has(ev, KEY_corr)) {
		pass(c, &op);
		return;
	}
	call = calls_find(&c->calls, op.pid, op.corr);
	if (!hold_waits(&c->hold) && ready(call)) {
		resolve(c, &op, call);
		return;
	}
	hold_add(&c->hold, &op);
	c->to = &c->hold.lines;
}

static bool
gave_up(const struct correlate *c, const struct op *op)
{
	return c->now > time_end(op->ts, SKEW) ||
	       hold_lines(&c->hold) > HELD_LINES;
}

void
operations_let_go(struct correlate *c, bool all)
{
	c->to = c->out;
	while (hold_waits(&c->hold)) {
		struct op op = *hold_first(&c->hold);
		struct call *call = calls_find(&c->calls, op.pid, op.corr);

		if (!ready(call) && !all && !gave_up(c, &op)) {
			c->to = &c->hold.lines;
			return;
		}
		hold_take(&c->hold, c->out);
		if (call != NULL)
			resolve(c, &op, call);
		else
			pass(c, &op);
	}
	hold_finish(&c->hold, c->out);
}

void
operations_bound(struct correlate *c)
{
	if (hold_lines(&c->hold) > HELD_LINES)
		operations_let_go(c, false);
}
