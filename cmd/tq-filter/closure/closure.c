/*
 * closure.c - the pass that finds out which records stay
 *
 * Which ranges a host record is in is known when time has gone beyond its
 * start, since of equal starts the shorter comes later: until then it waits in
 * same_time.  An operation is inside the selection if its call is; since the
 * clock of a device may be behind the host's, it may have to wait for the call.
 */

#include <stdlib.h>

#include "tq/base/array.h"

#include "closure.h"

/* ---- the depth of a range ---- */

struct deep_range {
	int64_t ts, depth;
	struct nesting_stack *stack; /* that it is on */
	struct deep_range *next;     /* of the spare ones */
};

static void
give_back(struct range_depth *d, struct deep_range *r)
{
	r->next = d->spare;
	d->spare = r;
}

static struct deep_range *
new_range(struct range_depth *d)
{
	struct deep_range *r = d->spare;

	if (r == NULL)
		return mem_alloc(sizeof(*r));
	d->spare = r->next;
	return r;
}

/* add a range, which has an end, and return its depth */
static int64_t
add_depth(struct range_depth *d, int64_t pid, int64_t tid, struct span domain,
    int64_t ts, int64_t end)
{
	struct nesting_thread *t = nesting_thread(&d->nesting, pid, tid);
	struct deep_range *r = new_range(d);
	const struct deep_range *parent;

	while (expiry_due(&d->expiry, ts)) {
		struct deep_range *over = expiry_take(&d->expiry);

		nesting_remove(over->stack, over, over->ts);
		give_back(d, over);
	}
	r->ts = ts;
	r->stack = &nesting_domain(&d->nesting, t, domain)->stack;
	parent = nesting_parent(r->stack, ts, end);
	r->depth = parent != NULL ? parent->depth + 1 : 0;
	nesting_push(r->stack, r, ts, end);
	expiry_add(&d->expiry, end, r);
	return r->depth;
}

/* forget all ranges */
static void
clear_depths(struct range_depth *d)
{
	while (expiry_due(&d->expiry, INT64_MAX))
		give_back(d, expiry_take(&d->expiry));
	nesting_clear(&d->nesting);
}

static void
free_depths(struct range_depth *d)
{
	struct deep_range *r;

	clear_depths(d);
	expiry_free(&d->expiry);
	nesting_free(&d->nesting);
	while ((r = d->spare) != NULL) {
		d->spare = r->next;
		free(r);
	}
}

/* ---- the closure ---- */

#define NO_RECORD UINT64_MAX

struct undecided {
	uint64_t record;
	int64_t pid, tid, corr, ts, end;
	int64_t api_ts, api_end;   /* of an operation, or NO_ID */
	int64_t dur;               /* or NO_ID */
	struct closure_call *call; /* of a call in same_time */
	uint64_t before; /* ranges with a number below may be around a range */
	enum kind kind;
	bool matches; /* by its own keys */
	bool allowed; /* it may stay with others */
};

void
closure_init(struct closure *c, struct selection *selection,
    struct where *where, const struct expr_symbols *symbols)
{
	enum kind kind = KIND_UNKNOWN;

	*c = (struct closure){
	    .selection = selection, .where = where, .symbols = symbols};
	c->depth = RANGE_DEPTH_EMPTY;
	c->calls.join.size = sizeof(struct closure_call);
	for (size_t i = 0; i < schema_row_count; i++)
		if (schema_rows[i].key == KEY_NONE)
			kind = schema_rows[i].kind;
		else if (schema_rows[i].key == KEY_corr)
			c->has_corr |= (uint64_t)1 << kind;
}

static bool
is_work(enum kind kind)
{
	return schema_role(kind) == ROLE_WORK;
}

/*
 * A key that the kind lacks in the schema is not read, since the parser would
 * read each line of the kind to its end; see read_in_full() for keys that few
 * records need.
 */
void
closure_keys(const struct closure *c, struct keyset *want)
{
	enum kind kind = KIND_UNKNOWN;

	selection_keys(c->selection, want);
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
	if (c->selection->depth != NO_ID)
		keyset_add(&want[KIND_range], KEY_domain);
	keyset_add(&want[KIND_gpu_range], KEY_range_ts);
	keyset_add(&want[KIND_gpu_range], KEY_range_dur);
}

/* all keys of the current record, which was read in part */
static const struct event *
read_in_full(struct closure *c, const struct event *ev)
{
	if (event_parse(&c->event, ev->line, NULL))
		return &c->event;
	c->error = c->event.error;
	return ev;
}

/* ---- staying ---- */

/* a host record from ts to end, or an operation from ts, stays */
static void
keep_record(struct closure *c, const struct undecided *u)
{
	struct section *s = &c->sections[c->section];

	record_set_add(&c->keep, u->record);
	if (s->from > u->ts)
		s->from = u->ts;
	if (s->to < u->end && u->corr == NO_ID)
		s->to = u->end;
}

static void
add_mark(void *marks, uint64_t record)
{
	if (record != NO_RECORD)
		record_set_add(marks, record);
}

static void
keep_call(struct closure *c, struct closure_call *call)
{
	struct section *s = &c->sections[c->section];
	int64_t ts = call->call.ts, end = call->call.end;

	if (call->kept)
		return;
	call->kept = true;
	for (struct closure_call *x = call; x != NULL; x = x->inner)
		add_mark(&c->keep, x->record);
	if (s->from > ts)
		s->from = ts;
	if (s->to < end)
		s->to = end;
	thread_ranges_mark(
	    call->ranges, call->before, ts, end, MARK_KEEP, &c->keep);
}

/* true if the record is chosen; inside: it lies in the selected time */
static bool
is_chosen(struct closure *c, const struct undecided *u, bool inside)
{
	bool yes = u->matches && inside;

	if (c->top != NULL && c->top->collecting) {
		if (yes && u->dur != NO_ID)
			top_add(c->top, u->kind, u->record, u->dur);
		return false;
	}
	if (c->top != NULL)
		yes = record_set_has(&c->top->chosen, u->record);
	return yes != c->invert;
}

/* ---- operations ---- */

static bool
is_inside(struct closure *c, const struct undecided *u,
    const struct closure_call *call)
{
	const struct where *where = c->where;
	bool whole = true;

	if (u->matches && is_work(u->kind))
		c->operations++;
	if (where->by_time)
		return where_inside(
		    where, u->pid, NO_ID, u->ts, u->end, &whole);
	if (call != NULL)
		return call->inside;
	if (u->api_ts != NO_ID)
		return where_inside(
		    where, u->pid, u->tid, u->api_ts, u->api_end, &whole);
	if (u->matches && is_work(u->kind) && where_given(where))
		c->orphans++;
	return where_inside(where, u->pid, NO_ID, u->ts, u->end, &whole);
}

static void
decide_operation(
    struct closure *c, const struct undecided *u, struct closure_call *call)
{
	bool yes = is_chosen(c, u, is_inside(c, u, call));
	bool closes = c->on && call != NULL;

	if (call != NULL && is_work(u->kind))
		call->call.came++;
	if (closes && u->allowed && call->chosen && !c->where->by_time)
		yes = true;
	if (yes)
		keep_record(c, u);
	if (yes && closes)
		keep_call(c, call);
	else if (closes && u->allowed && is_work(u->kind))
		thread_ranges_mark(call->ranges, call->before, call->call.ts,
		    call->call.end, MARK_CUT, &c->cut);
}

static void
wait_for_call(struct closure *c, const struct undecided *u)
{
	if (c->pending_first > c->pending_count) {
		memmove(c->pending, c->pending + c->pending_first,
		    c->pending_count * sizeof(*c->pending));
		c->pending_first = 0;
	}
	c->pending = mem_more(c->pending, c->pending_first + c->pending_count,
	    &c->pending_cap, sizeof(*c->pending));
	c->pending[c->pending_first + c->pending_count++] = *u;
}

/* decide the operations that need not wait longer; all: every operation */
static void
release_pending(struct closure *c, bool all)
{
	while (c->pending_count > 0) {
		const struct undecided *u = &c->pending[c->pending_first];
		struct closure_call *call =
		    closure_calls_find(&c->calls, u->pid, u->corr);
		bool ready = call != NULL && call->settled;

		if (!ready && !all &&
		    !join_gives_up(u->ts, c->now, c->pending_count))
			return;
		decide_operation(c, u, ready ? call : NULL);
		c->pending_first++;
		c->pending_count--;
	}
}

/* ---- host records ---- */

static int64_t
thread_of(const struct closure *c, int64_t tid)
{
	return c->where->per_process ? NESTING_ALL_THREADS : tid;
}

/* the driver's part of a call is chosen, or not */
static void
settle_inner(struct closure *c, const struct undecided *u, bool yes)
{
	struct closure_call *outer = u->call->outer;

	outer->chosen |= yes;
	if (outer->kept && u->allowed)
		record_set_add(&c->keep, u->record);
}

/* the ranges that are around a host record from ts to end stay with it */
static void
keep_ranges(struct closure *c, const struct undecided *u, uint64_t before)
{
	thread_ranges_mark(
	    thread_ranges_find(&c->ranges, u->pid, thread_of(c, u->tid)),
	    before, u->ts, u->end, MARK_KEEP, &c->keep);
}

/* the ranges around a range stay with it; whole: all of it is inside */
static void
settle_range(struct closure *c, const struct undecided *u, bool yes, bool whole)
{
	if (where_given(c->where) && !whole)
		record_set_add(&c->cut, u->record);
	if (yes && whole)
		keep_record(c, u);
	if (yes)
		record_set_add(&c->keep, u->record);
	if (yes && c->on)
		keep_ranges(c, u,
		    u->before < c->ranges.count ? u->before : c->ranges.count);
}

/* the decisions on a call's records are known from now on */
static void
settle_call(struct closure *c, const struct undecided *u, bool inside, bool yes)
{
	u->call->ranges =
	    thread_ranges_find(&c->ranges, u->pid, thread_of(c, u->tid));
	u->call->before = c->ranges.count;
	u->call->inside = inside;
	u->call->chosen |= yes;
	u->call->settled = true;
	if (u->call->outer != NULL)
		settle_inner(c, u, yes);
}

/* all ranges that the record may be in are known */
static void
settle(struct closure *c, const struct undecided *u)
{
	bool whole = true;
	bool inside =
	    where_inside(c->where, u->pid, u->tid, u->ts, u->end, &whole);
	struct closure_call *call = u->call;
	bool yes;

	/* the driver's part of a call is where the call is */
	if (call != NULL && call->outer != NULL)
		inside = call->outer->inside;
	yes = is_chosen(c, u, inside);
	if (u->kind == KIND_range) {
		settle_range(c, u, yes, inside && whole);
		return;
	}
	if (call != NULL)
		settle_call(c, u, inside, yes);
	if (!yes)
		return;
	keep_record(c, u);
	if (call != NULL && c->on)
		keep_call(c, call->outer != NULL ? call->outer : call);
	else if (c->on)
		keep_ranges(c, u, c->ranges.count);
}

static void
settle_all(struct closure *c)
{
	for (size_t i = 0; i < c->same_time_count; i++)
		settle(c, &c->same_time[i]);
	c->same_time_count = 0;
}

static void
add_same_time(struct closure *c, const struct undecided *u)
{
	*array_add(&c->same_time, &c->same_time_count, &c->same_time_cap) = *u;
}

static void
add_call(struct closure *c, const struct event *ev, struct undecided *u)
{
	struct closure_call call = {.call = {.pid = u->pid,
					.tid = u->tid,
					.corr = u->corr,
					.ts = u->ts,
					.end = u->end,
					.count = join_expected(&c->calls.join,
					    event_int(ev, KEY_gpu, NO_ID))},
	    .record = u->allowed ? u->record : NO_RECORD};

	if (u->corr != NO_ID)
		u->call = closure_calls_add(&c->calls, &call);
	u->corr = NO_ID; /* it is no operation */
	add_same_time(c, u);
}

/* the time from which on ranges around a record are looked up */
static int64_t
horizon(const struct closure *c)
{
	const struct join_call *oldest = c->calls.join.oldest;

	return oldest != NULL && oldest->ts < c->now ? oldest->ts : c->now;
}

static int64_t
depth_of(struct closure *c, const struct event *ev, const struct undecided *u,
    bool crosses)
{
	if (c->selection->depth == NO_ID || crosses || u->end == INT64_MAX)
		return 0;
	return add_depth(&c->depth, u->pid, thread_of(c, u->tid),
	    event_has(ev, KEY_domain) ? ev->value[KEY_domain] : SPAN(""), u->ts,
	    u->end);
}

static void
add_range(struct closure *c, const struct event *ev, struct undecided *u)
{
	bool crosses;

	if (event_has(ev, KEY_mode) && !event_is(ev, KEY_mode, SPAN("push")))
		ev = read_in_full(c, ev);
	crosses = event_int(ev, KEY_end_tid, u->tid) != u->tid;
	u->allowed =
	    selection_allows(c->selection, ev, depth_of(c, ev, u, crosses));
	u->matches &= u->allowed;
	u->before =
	    crosses && !c->where->per_process ? UINT64_MAX : c->ranges.count;
	if (u->allowed && (!crosses || c->where->per_process))
		thread_ranges_add(&c->ranges, u->pid, thread_of(c, u->tid),
		    u->ts, u->end, u->record, horizon(c));
	add_same_time(c, u);
}

/*
 * A gpu-range stands where its last operation ended, but is inside if the
 * host's range is.
 */
static void
decide_gpu_range(
    struct closure *c, const struct event *ev, const struct undecided *u)
{
	bool whole = true, inside;
	int64_t ts = event_int(ev, KEY_range_ts, u->ts), end = u->end;

	if (event_has(ev, KEY_range_ts))
		end = event_has(ev, KEY_range_dur)
			  ? time_end(ts, event_int(ev, KEY_range_dur, 0))
			  : INT64_MAX;
	if (c->where->by_time) {
		ts = u->ts;
		end = u->end;
	}
	inside = where_inside(c->where, u->pid, u->tid, ts, end, &whole);
	if (is_chosen(c, u, inside && (whole || c->where->by_time)))
		record_set_add(&c->keep, u->record);
}

/* ---- the pass ---- */

static void
advance(struct closure *c, int64_t ts)
{
	if (ts <= c->now)
		return;
	settle_all(c);
	c->now = ts;
	release_pending(c, false);
	closure_calls_trim(&c->calls, ts);
}

static struct undecided
describe(struct closure *c, const struct event *ev)
{
	struct undecided u = {.record = c->record, .kind = ev->kind};

	u.ts = event_int(ev, KEY_ts, c->now == INT64_MIN ? 0 : c->now);
	u.end = event_end(ev, u.ts);
	u.dur = event_int(ev, KEY_dur, NO_ID);
	u.pid = event_int(ev, KEY_pid, NO_ID);
	u.tid = event_int(ev, KEY_tid, NO_ID);
	u.corr = c->has_corr >> ev->kind & 1 ? event_int(ev, KEY_corr, NO_ID)
					     : NO_ID;
	u.api_ts = u.api_end = NO_ID;
	u.allowed = selection_allows(c->selection, ev, 0);
	u.matches = selection_matches(c->selection, ev, c->symbols);
	return u;
}

/* the call as tq-correlate wrote it into the operation */
static void
read_api(struct undecided *u, const struct event *ev)
{
	u->tid = event_int(ev, KEY_tid, NO_ID);
	u->api_ts = event_int(ev, KEY_api_ts, NO_ID);
	u->api_end = time_end(u->api_ts, event_int(ev, KEY_api_dur, 0));
}

/* a record with a correlation id that is no call */
static void
add_operation(struct closure *c, const struct event *ev, struct undecided *u)
{
	struct closure_call *call =
	    closure_calls_find(&c->calls, u->pid, u->corr);

	if (call != NULL && call->settled) {
		decide_operation(c, u, call);
		return;
	}
	read_api(u, read_in_full(c, ev));
	wait_for_call(c, u);
}

void
closure_event(struct closure *c, uint64_t n, const struct event *ev)
{
	struct undecided u;

	c->record = n;
	if (event_has(ev, KEY_ts) && !schema_follows(ev->kind))
		advance(c, event_int(ev, KEY_ts, 0));
	u = describe(c, ev);
	section_cover(&c->sections[c->section], ev);
	if (ev->kind == KIND_range) {
		add_range(c, ev, &u);
		return;
	}
	u.matches &= u.allowed;
	if (ev->kind == KIND_gpu_range)
		decide_gpu_range(c, ev, &u);
	else if (ev->kind == KIND_api)
		add_call(c, ev, &u);
	else if (u.corr != NO_ID)
		add_operation(c, ev, &u);
	else if (is_work(ev->kind)) {
		read_api(&u, read_in_full(c, ev));
		decide_operation(c, &u, NULL);
	} else
		add_same_time(c, &u);
}

void
closure_section(struct closure *c, uint64_t n)
{
	if (n >= c->section_count) {
		*array_add(&c->sections, &c->section_count, &c->section_cap) =
		    (struct section){.from = INT64_MAX, .to = INT64_MIN};
	}
	c->section = n;
	c->now = INT64_MIN;
}

void
closure_section_end(struct closure *c)
{
	settle_all(c);
	release_pending(c, true);
	closure_calls_clear(&c->calls);
	thread_ranges_clear(&c->ranges);
	clear_depths(&c->depth);
	if (c->top != NULL && c->top->collecting)
		top_section_end(c->top);
}

void
closure_free(struct closure *c)
{
	closure_calls_free(&c->calls);
	thread_ranges_free(&c->ranges);
	free_depths(&c->depth);
	free(c->keep.words);
	free(c->cut.words);
	free(c->sections);
	free(c->same_time);
	free(c->pending);
	event_free(&c->event);
}
