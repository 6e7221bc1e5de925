/* correlate.c - a section as it goes by */

#include "tq/digits.h"
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

static void
operation(struct correlate *c, const struct event *ev, int64_t ts)
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
	size_t from;
	char *p;

	if (event_has(ev, KEY_depth)) {
		output_line(c->to, ev->line);
		return;
	}
	p = text_reserve(&c->to->buf,
	    ev->line.len + (size_t)2 * MEMBERS_INT + MEMBERS_SLACK);
	p = emit_put_open(p, ev->line);
	if (r == NULL)
		p = emit_put_int(p, KEY_depth, 0);
	else {
		from = event_has(ev, KEY_parent) ? r->depth_at : r->middle;
		p = members_put(p, &r->members, from, r->nested);
	}
	emit_put_close(c->to, p);
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

/*
 * The time of the record; all but its last eight digits are mostly those of
 * the record before it.
 */
static int64_t
time_of(struct correlate *c, struct span ts)
{
	enum { LAST = 8, WORD = 8 };
	uint64_t word;

	if (ts.len <= LAST || ts.len > LAST + WORD || *ts.p == '-')
		return event_number(ts);
	memcpy(&word, ts.p, WORD);
	word <<= 8 * (LAST + WORD - ts.len);
	if (word != c->time_word) {
		c->time_word = word;
		c->time_high =
		    event_number((struct span){ts.p, ts.len - LAST}) *
		    DIGITS_EIGHT;
	}
	return c->time_high + (int64_t)words_number(ts.p + ts.len - LAST, LAST);
}

void
correlate_event(struct correlate *c, const struct event *ev)
{
	bool has_ts = event_has(ev, KEY_ts);
	int64_t ts = has_ts ? time_of(c, ev->value[KEY_ts]) : 0;

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
