/* correlate.c - a section as it goes by */

#include "tq/emit.h"

#include "correlate.h"
#include "members.h"

/*
 * The clock of a device may be behind that of the host, so that an operation
 * seems to start before its call.  It waits for the call until time went
 * SKEW beyond it, or HELD_LINES lines wait.
 */
enum { SKEW = 1000000, HELD_LINES = 16384 };

/* ---- what is asked of the records ---- */

static struct keyset wanted[KIND_COUNT + 1];

static void
ask(struct keyset *set, const enum key *keys, size_t count)
{
	for (size_t i = 0; i < count; i++)
		keyset_add(set, keys[i]);
}

#define ASK(kind, keys) ask(&wanted[kind], keys, sizeof(keys) / sizeof(*(keys)))

const struct keyset *
correlate_keys(void)
{
	static const enum key work[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
	    KEY_corr, KEY_device, KEY_graph, KEY_graph_node, KEY_api_ts,
	    KEY_api_dur, KEY_api_name, KEY_range, KEY_path};
	static const enum key call[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
	    KEY_corr, KEY_name, KEY_gpu, KEY_open};
	static const enum key range[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
	    KEY_name, KEY_id, KEY_domain, KEY_category, KEY_color, KEY_end_tid,
	    KEY_open, KEY_cut, KEY_parent, KEY_depth};
	static const enum key time[] = {KEY_ts};

	for (size_t i = 0; i < KIND_COUNT; i++)
		switch (schema_kinds[i].role) {
		case ROLE_FRAME:
		case ROLE_DEF:
			break;
		case ROLE_WORK:
			ASK(i, work);
			break;
		case ROLE_LAUNCH:
			ASK(i, call);
			break;
		case ROLE_RANGE:
			ASK(i, range);
			break;
		case ROLE_EVENT:
			ASK(i, time);
			break;
		}
	ASK(KIND_UNKNOWN, time);
	return wanted;
}

/* ---- operations ---- */

/* what it tells of the call but when that was, it tells itself */
static void
add_call(struct output *o, const struct op *op, const struct call *call)
{
	const struct keyset *has = &op->has;
	const struct text *members = &call->members;

	if (!keyset_has(has, KEY_tid) && !keyset_has(has, KEY_api_dur) &&
	    !keyset_has(has, KEY_api_name)) {
		members_write(o, members, 0, members->len);
		return;
	}
	if (!keyset_has(has, KEY_tid))
		members_write(o, members, 0, call->tid_end);
	members_write(o, members, call->tid_end, call->ts_end);
	if (!keyset_has(has, KEY_api_dur))
		members_write(o, members, call->ts_end, call->dur_end);
	if (!keyset_has(has, KEY_api_name))
		members_write(o, members, call->dur_end, members->len);
}

static void
annotate(struct output *o, const struct op *op, const struct call *call)
{
	const struct scope *scope = call->scope;
	const struct keyset *has = &op->has;

	emit_reopen(o, op->line);
	add_call(o, op, call);
	if (scope != NULL && scope->count > 0) {
		const struct range *r = scope->ranges[scope->count - 1];

		if (!keyset_has(has, KEY_range))
			members_write(o, &r->members, r->id_at, r->middle);
		if (scope->path.len > 0 && !keyset_has(has, KEY_path))
			emit_json(o, KEY_path, text_span(&scope->path));
	}
	emit_close(o);
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
	ranges_charge(
	    call->scope, call->end, op->device, op->ts, op->end, first);
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

static struct op
op_of(const struct event *ev, int64_t ts)
{
	return (struct op){
	    .ts = ts,
	    .end = end_of(ts, event_int(ev, KEY_dur, 0)),
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .corr = event_int(ev, KEY_corr, NO_ID),
	    .device = event_int(ev, KEY_device, NO_ID),
	    .has = ev->has,
	    .graph = event_has(ev, KEY_graph) || event_has(ev, KEY_graph_node),
	    .line = ev->line,
	};
}

/* is it known which ranges are around the call? */
static bool
ready(const struct call *call)
{
	return call != NULL && call->entered;
}

static void
operation(struct correlate *c, const struct event *ev, int64_t ts)
{
	struct op op = op_of(ev, ts);
	struct call *call;

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
	return c->now > end_of(op->ts, SKEW) ||
	       hold_lines(&c->hold) > HELD_LINES;
}

/* let go what does not have to wait any longer, or all of what waits */
static void
let_go(struct correlate *c, bool all)
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

/* ---- everything else ---- */

static void
range(struct correlate *c, const struct event *ev, int64_t ts)
{
	const struct range *r = ranges_add(&c->ranges, ev, ts);
	struct output *o = c->to;

	if (event_has(ev, KEY_depth)) {
		output_line(o, ev->line);
		return;
	}
	emit_reopen(o, ev->line);
	if (r == NULL)
		emit_int(o, KEY_depth, 0);
	else
		members_write(o, &r->members,
		    event_has(ev, KEY_parent) ? r->depth_at : r->middle,
		    r->nested);
	emit_close(o);
}

static void
advance(struct correlate *c, int64_t ts)
{
	if (ts <= c->now)
		return;
	calls_enter(&c->calls);
	c->now = ts;
	if (hold_waits(&c->hold))
		let_go(c, false);
	calls_expire(&c->calls, ts);
	ranges_expire(&c->ranges, ts);
}

void
correlate_event(struct correlate *c, const struct event *ev)
{
	bool has_ts = event_has(ev, KEY_ts);
	int64_t ts = event_int(ev, KEY_ts, 0);

	/* a summary does not stand where its time is */
	if (has_ts && ev->kind != KIND_gpu_range)
		advance(c, ts);
	switch (schema_role(ev->kind)) {
	case ROLE_WORK:
		operation(c, ev, has_ts ? ts : c->now);
		break;
	case ROLE_RANGE:
		range(c, ev, ts);
		break;
	case ROLE_LAUNCH:
		calls_add(&c->calls, ev, ts);
		output_line(c->to, ev->line);
		break;
	default:
		output_line(c->to, ev->line);
	}
	if (hold_lines(&c->hold) > HELD_LINES)
		let_go(c, false);
}

/* ---- a section ---- */

void
correlate_init(
    struct correlate *c, struct output *out, bool per_process, bool paths)
{
	*c = (struct correlate){.out = out, .to = out, .now = INT64_MIN};
	c->ranges.out = &c->to;
	c->ranges.per_process = per_process;
	c->ranges.paths = paths;
	c->calls.ranges = &c->ranges;
}

void
correlate_finish(struct correlate *c)
{
	if (hold_waits(&c->hold))
		let_go(c, true);
	calls_enter(&c->calls);
	ranges_write(&c->ranges);
}

void
correlate_reset(struct correlate *c)
{
	calls_clear(&c->calls);
	ranges_clear(&c->ranges);
	c->tally = (struct tally){0};
	c->now = INT64_MIN;
}

void
correlate_free(struct correlate *c)
{
	hold_free(&c->hold);
	calls_free(&c->calls);
	ranges_free(&c->ranges);
}
