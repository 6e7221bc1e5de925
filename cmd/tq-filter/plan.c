/*
 * plan.c - the pass that finds out which records stay
 *
 * Whether a host record is inside a range is known when time has gone beyond
 * its start, since of equal starts the shorter comes later: until then it is
 * fresh.  An operation is inside if its call is; the clock of a device may be
 * behind that of the host, so that it may have to wait for the call.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "plan.h"

/* an operation waits for its call so many ns, or records that wait too */
enum { SKEW = 1000000, WAITING = 16384 };

#define NO_RECORD UINT64_MAX

struct waiting {
	uint64_t record;
	int64_t pid, tid, corr, ts, end;
	int64_t api_ts, api_end;  /* of an operation, or NO_ID */
	int64_t dur;              /* or NO_ID */
	struct call *call;        /* of a call that is fresh */
	struct open_range *range; /* likewise, if its thread has it open */
	enum kind kind;
	bool alone;   /* it has what is asked of it alone */
	bool allowed; /* it may stay with others */
};

void
plan_init(struct plan *p, struct select *select, struct where *where,
    const struct expr_symbols *symbols)
{
	enum kind kind = KIND_UNKNOWN;

	*p =
	    (struct plan){.select = select, .where = where, .symbols = symbols};
	p->calls.open = &p->open;
	for (size_t i = 0; i < schema_row_count; i++)
		if (schema_rows[i].key == KEY_NONE)
			kind = schema_rows[i].kind;
		else if (schema_rows[i].key == KEY_corr)
			p->has_corr |= (uint64_t)1 << kind;
}

static bool
is_work(enum kind kind)
{
	return schema_role(kind) == ROLE_WORK;
}

/*
 * What the schema does not give a kind is not looked for, since that would mean
 * to read its lines to the end; and what few records need is read when one
 * does: see whole().
 */
void
plan_keys(const struct plan *p, struct keyset *want)
{
	enum kind kind = KIND_UNKNOWN;

	select_keys(p->select, want);
	for (size_t i = 0; i < schema_row_count; i++) {
		enum key key = schema_rows[i].key;

		if (key == KEY_NONE)
			kind = schema_rows[i].kind;
		else if (schema_kinds[kind].role > ROLE_DEF &&
			 (key == KEY_ts || key == KEY_dur || key == KEY_pid ||
			     key == KEY_corr ||
			     (key == KEY_tid && !is_work(kind))))
			keyset_add(&want[kind], key);
	}
	keyset_add(&want[KIND_UNKNOWN], KEY_ts);
	keyset_add(&want[KIND_UNKNOWN], KEY_pid);
	keyset_add(&want[KIND_UNKNOWN], KEY_tid);
	keyset_add(&want[KIND_api], KEY_gpu);
	keyset_add(&want[KIND_range], KEY_mode);
	if (p->select->depth != NO_ID)
		keyset_add(&want[KIND_range], KEY_domain);
	keyset_add(&want[KIND_gpu_range], KEY_range_ts);
	keyset_add(&want[KIND_gpu_range], KEY_range_dur);
}

/* all of the record at hand, which was read in part */
static const struct event *
whole(struct plan *p, const struct event *ev)
{
	if (event_parse(&p->event, ev->line, NULL))
		return &p->event;
	p->error = p->event.error;
	return ev;
}

/* ---- staying ---- */

/* a host record from ts to end, or an operation from ts, stays */
static void
keep(struct plan *p, const struct waiting *w)
{
	struct section *s = &p->sections[p->section];

	marks_add(&p->keep, w->record);
	if (s->from > w->ts)
		s->from = w->ts;
	if (s->to < w->end && w->corr == NO_ID)
		s->to = w->end;
}

static void
mark(void *marks, uint64_t record)
{
	if (record != NO_RECORD)
		marks_add(marks, record);
}

static void
keep_call(struct plan *p, struct call *call)
{
	struct section *s = &p->sections[p->section];

	if (call->kept)
		return;
	call->kept = true;
	for (struct call *c = call; c != NULL; c = c->other)
		if (c->record != NO_RECORD)
			marks_add(&p->keep, c->record);
	if (s->from > call->ts)
		s->from = call->ts;
	if (s->to < call->end)
		s->to = call->end;
	open_around(call->top, call->ts, call->end, OPEN_KEEP, mark, &p->keep);
}

/* is it chosen, where inside is what is to be said of its place? */
static bool
chosen(struct plan *p, const struct waiting *w, bool inside)
{
	bool yes = w->alone && inside;

	if (p->top != NULL && p->top->collecting) {
		if (yes && w->dur != NO_ID)
			top_add(p->top, w->kind, w->record, w->dur);
		return false;
	}
	if (p->top != NULL)
		yes = marks_has(&p->top->chosen, w->record);
	return yes != p->invert;
}

/* ---- operations ---- */

static bool
inside(struct plan *p, const struct waiting *w, const struct call *call)
{
	const struct where *where = p->where;
	bool whole = true;

	if (where->by_time)
		return where_inside(
		    where, w->pid, NO_ID, w->ts, w->end, &whole);
	if (call != NULL)
		return call->inside;
	if (w->api_ts != NO_ID)
		return where_inside(
		    where, w->pid, w->tid, w->api_ts, w->api_end, &whole);
	if (w->alone && is_work(w->kind) && where_given(where))
		p->orphans++;
	return where_inside(where, w->pid, NO_ID, w->ts, w->end, &whole);
}

static void
operation(struct plan *p, const struct waiting *w, struct call *call)
{
	bool yes = chosen(p, w, inside(p, w, call));

	if (call != NULL && is_work(w->kind))
		call->came++;
	if (yes || (p->closure && w->allowed && call != NULL && call->chosen &&
		       !p->where->by_time)) {
		keep(p, w);
		if (call != NULL && p->closure)
			keep_call(p, call);
	} else if (p->closure && call != NULL && w->allowed && is_work(w->kind))
		open_around(
		    call->top, call->ts, call->end, OPEN_CUT, mark, &p->cut);
}

static void
wait_for_call(struct plan *p, const struct waiting *w)
{
	if (p->op_first > p->op_count) {
		memmove(p->ops, p->ops + p->op_first,
		    p->op_count * sizeof(*p->ops));
		p->op_first = 0;
	}
	if (p->op_first + p->op_count == p->op_cap) {
		p->op_cap = p->op_cap * 2 + 64;
		p->ops = mem_resize(p->ops, p->op_cap, sizeof(*p->ops));
	}
	p->ops[p->op_first + p->op_count++] = *w;
}

static void
let_go(struct plan *p, bool all)
{
	while (p->op_count > 0) {
		const struct waiting *w = &p->ops[p->op_first];
		struct call *call = calls_find(&p->calls, w->pid, w->corr);
		bool ready = call != NULL && call->settled;

		if (!ready && !all && p->now <= time_end(w->ts, SKEW) &&
		    p->op_count <= WAITING)
			return;
		operation(p, w, ready ? call : NULL);
		p->op_first++;
		p->op_count--;
	}
}

/* ---- host records ---- */

static int64_t
thread_of(const struct plan *p, int64_t tid)
{
	return p->where->per_process ? ANY_THREAD : tid;
}

/* the call in hand is a part of another */
static void
settle_inner(struct plan *p, const struct waiting *w, bool yes)
{
	struct call *outer = w->call->outer;

	outer->chosen |= yes;
	if (outer->kept && w->allowed)
		marks_add(&p->keep, w->record);
}

/* what is around the range stays with it; whole: it is wholly inside */
static void
settle_range(struct plan *p, const struct waiting *w, bool yes, bool whole)
{
	struct open_range *top =
	    w->range != NULL ? w->range->below
			     : open_top(&p->open, w->pid, w->tid, w->ts);

	if (where_given(p->where) && !whole)
		marks_add(&p->cut, w->record);
	if (yes && whole)
		keep(p, w);
	if (yes)
		marks_add(&p->keep, w->record);
	if (yes && p->closure)
		open_around(top, w->ts, w->end, OPEN_KEEP, mark, &p->keep);
	open_leave(&p->open, w->range);
}

/* all ranges that it may be in are known */
static void
settle(struct plan *p, const struct waiting *w)
{
	bool whole = true;
	bool in = where_inside(p->where, w->pid, w->tid, w->ts, w->end, &whole);
	struct open_range *top;
	bool yes;

	/* a part of a call is where that is */
	if (w->call != NULL && w->call->outer != NULL)
		in = w->call->outer->inside;
	yes = chosen(p, w, in);
	if (w->kind == KIND_range) {
		settle_range(p, w, yes, in && whole);
		return;
	}
	top = open_top(&p->open, w->pid, thread_of(p, w->tid), w->ts);
	if (w->call != NULL) {
		w->call->top = open_use(top);
		w->call->inside = in;
		w->call->chosen |= yes;
		w->call->settled = true;
		if (w->call->outer != NULL)
			settle_inner(p, w, yes);
	}
	if (!yes)
		return;
	keep(p, w);
	if (w->call != NULL && p->closure)
		keep_call(p, w->call->outer != NULL ? w->call->outer : w->call);
	else if (p->closure)
		open_around(top, w->ts, w->end, OPEN_KEEP, mark, &p->keep);
}

static void
settle_all(struct plan *p)
{
	for (size_t i = 0; i < p->fresh_count; i++)
		settle(p, &p->fresh[i]);
	p->fresh_count = 0;
}

static void
add_fresh(struct plan *p, const struct waiting *w)
{
	if (p->fresh_count == p->fresh_cap) {
		p->fresh_cap = p->fresh_cap * 2 + 16;
		p->fresh =
		    mem_resize(p->fresh, p->fresh_cap, sizeof(*p->fresh));
	}
	p->fresh[p->fresh_count++] = *w;
}

static void
call(struct plan *p, const struct event *ev, struct waiting *w)
{
	struct call c = {.pid = w->pid,
	    .tid = w->tid,
	    .corr = w->corr,
	    .ts = w->ts,
	    .end = w->end,
	    .record = w->allowed ? w->record : NO_RECORD};

	p->counting |= event_has(ev, KEY_gpu);
	c.count = event_int(ev, KEY_gpu, p->counting ? 0 : INT64_MAX);
	if (w->corr != NO_ID)
		w->call = calls_add(&p->calls, &c);
	w->corr = NO_ID; /* it is no operation */
	add_fresh(p, w);
}

static void
range(struct plan *p, const struct event *ev, struct waiting *w)
{
	bool crosses;
	struct open_range added = {.ts = w->ts, .end = w->end}, *r = NULL;

	if (event_has(ev, KEY_mode) &&
	    !span_eq(ev->value[KEY_mode], SPAN("\"push\"")))
		ev = whole(p, ev);
	crosses = event_int(ev, KEY_end_tid, w->tid) != w->tid;
	if (event_has(ev, KEY_domain))
		added.domain = span_hash(ev->value[KEY_domain]);
	added.nests = !crosses && w->end != INT64_MAX;
	if (!crosses || p->where->per_process)
		r = open_add(&p->open, w->pid, thread_of(p, w->tid), &added);
	w->allowed = select_allows(p->select, ev, r != NULL ? r->depth : 0);
	w->alone &= w->allowed;
	if (r != NULL)
		r->record = w->allowed ? w->record : NO_RECORD;

	w->range = open_use(r);
	add_fresh(p, w);
}

/* it stands where its last operation ended, but counts for the host's range */
static void
gpu_range(struct plan *p, const struct event *ev, struct waiting *w)
{
	bool whole = true, in;
	int64_t ts = event_int(ev, KEY_range_ts, w->ts), end = w->end;

	if (event_has(ev, KEY_range_ts))
		end = event_has(ev, KEY_range_dur)
			  ? time_end(ts, event_int(ev, KEY_range_dur, 0))
			  : INT64_MAX;
	if (p->where->by_time) {
		ts = w->ts;
		end = w->end;
	}
	in = where_inside(p->where, w->pid, w->tid, ts, end, &whole);
	if (chosen(p, w, in && (whole || p->where->by_time)))
		marks_add(&p->keep, w->record);
}

/* ---- the pass ---- */

static void
advance(struct plan *p, int64_t ts)
{
	if (ts <= p->now)
		return;
	settle_all(p);
	p->now = ts;
	let_go(p, false);
	calls_trim(&p->calls, ts);
}

static struct waiting
describe(struct plan *p, const struct event *ev)
{
	struct waiting w = {.record = p->record, .kind = ev->kind};

	w.ts = event_int(ev, KEY_ts, p->now == INT64_MIN ? 0 : p->now);
	w.end = event_end(ev, w.ts);
	w.dur = event_int(ev, KEY_dur, NO_ID);
	w.pid = event_int(ev, KEY_pid, NO_ID);
	w.tid = event_int(ev, KEY_tid, NO_ID);
	w.corr = p->has_corr >> ev->kind & 1 ? event_int(ev, KEY_corr, NO_ID)
					     : NO_ID;
	w.api_ts = w.api_end = NO_ID;
	w.allowed = select_allows(p->select, ev, 0);
	w.alone = select_record(p->select, ev, p->symbols);
	return w;
}

/* what tq-correlate told, where the call is not found */
static void
told_before(struct waiting *w, const struct event *ev)
{
	w->tid = event_int(ev, KEY_tid, NO_ID);
	w->api_ts = event_int(ev, KEY_api_ts, NO_ID);
	w->api_end = time_end(w->api_ts, event_int(ev, KEY_api_dur, 0));
}

void
plan_event(struct plan *p, uint64_t n, const struct event *ev)
{
	struct waiting w;
	struct call *c;

	p->record = n;
	if (event_has(ev, KEY_ts) && ev->kind != KIND_gpu_range)
		advance(p, event_int(ev, KEY_ts, 0));
	w = describe(p, ev);
	section_cover(&p->sections[p->section], ev);
	if (ev->kind == KIND_range) {
		range(p, ev, &w);
		return;
	}
	w.alone &= w.allowed;
	if (ev->kind == KIND_gpu_range)
		gpu_range(p, ev, &w);
	else if (ev->kind == KIND_api)
		call(p, ev, &w);
	else if (w.corr != NO_ID) {
		c = calls_find(&p->calls, w.pid, w.corr);
		if (c != NULL && c->settled) {
			operation(p, &w, c);
			return;
		}
		told_before(&w, whole(p, ev));
		wait_for_call(p, &w);
	} else if (is_work(ev->kind)) {
		told_before(&w, whole(p, ev));
		operation(p, &w, NULL);
	} else
		add_fresh(p, &w);
}

void
plan_section(struct plan *p, uint64_t n)
{
	struct section *s;

	if (n >= p->section_cap) {
		p->section_cap = n + n / 2 + 4;
		p->sections = mem_resize(
		    p->sections, p->section_cap, sizeof(*p->sections));
	}
	s = &p->sections[n];
	if (n >= p->section_count) {
		*s = (struct section){.from = INT64_MAX, .to = INT64_MIN};
		p->section_count = n + 1;
	}
	p->section = n;
	p->now = INT64_MIN;
	p->counting = false;
}

void
plan_section_end(struct plan *p)
{
	settle_all(p);
	let_go(p, true);
	calls_clear(&p->calls);
	open_clear(&p->open);
	if (p->top != NULL && p->top->collecting)
		top_section_end(p->top);
}

void
plan_free(struct plan *p)
{
	calls_free(&p->calls);
	open_free(&p->open);
	free(p->keep.words);
	free(p->cut.words);
	free(p->sections);
	free(p->fresh);
	free(p->ops);
	event_free(&p->event);
}
