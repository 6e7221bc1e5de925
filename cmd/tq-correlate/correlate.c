/* correlate.c - a section as it goes by */

#include "tq/base/digits.h"
#include "tq/io/emit.h"

#include "correlate.h"
#include "members.h"
#include "operations.h"

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

/* ---- records ---- */

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
		operations_let_go(c, false);
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

	if (ts.len <= LAST || ts.len > LAST + WORD)
		return event_number(ts);
	memcpy(&word, ts.p, WORD);
	word <<= 8 * (LAST + WORD - ts.len);
	if (word != c->time_word) {
		if (*ts.p == '-')
			return event_number(ts);
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
		operations_add(c, ev, has_ts ? ts : c->now);
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
	if (hold_waits(&c->hold))
		operations_bound(c);
}

/* ---- a section ---- */

void
correlate_init(
    struct correlate *c, struct output *out, bool per_process, bool paths)
{
	*c = (struct correlate){.out = out, .to = out, .now = INT64_MIN};
	c->ranges.out = &c->to;
	c->ranges.ends = c->calls.returning = ENDS_NONE;
	c->ranges.per_process = per_process;
	c->ranges.paths = paths;
	c->calls.ranges = &c->ranges;
}

void
correlate_finish(struct correlate *c)
{
	if (hold_waits(&c->hold))
		operations_let_go(c, true);
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
