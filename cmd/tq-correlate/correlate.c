/* correlate.c - a section as it goes by */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/digits.h"
#include "tq/io/emit.h"
#include "tq/join/join_keys.h"

#include "correlate.h"

/* ---- the keys of the records ---- */

static struct keyset wanted[KIND_COUNT + 1];

const struct keyset *
correlate_keys(void)
{
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		keyset_add_all(&wanted[k], join_keys_read(k));
		keyset_add_all(&wanted[k], join_keys_added(k));
	}
	keyset_add(&wanted[KIND_range], KEY_stack);
	keyset_add(&wanted[KIND_range], KEY_name);
	return wanted;
}

/* ---- the kinds of records that are written ---- */

static inline bool
is_chosen(const struct correlate *c, enum kind kind)
{
	_Static_assert(KIND_COUNT < 63, "KIND_UNKNOWN is a bit, too");
	return (c->kinds >> kind & 1) != 0;
}

/* the outline of a record, of shape 0 where the output takes none */
static inline const struct outline *
outline_of(
    const struct correlate *c, const struct event *ev, struct outline *space)
{
	if (c->project.outlines)
		return event_outline(ev, space);
	space->shape = 0;
	return space;
}

/* a record as it came */
static inline void
pass_record(const struct correlate *c, const struct event *ev)
{
	struct outline space;

	if (!is_chosen(c, ev->kind))
		return;
	output_outline(c->to, outline_of(c, ev, &space), ev->line.len - 1);
	output_line(c->to, ev->line);
}

static inline void
pass_operation(const struct correlate *c, const struct device_operation *op)
{
	if (!is_chosen(c, op->kind))
		return;
	output_outline(c->to, &op->outline, op->line.len - 1);
	output_line(c->to, op->line);
}

/* ---- calls ---- */

/*
 * A call is forgotten when it has returned and the operations that the
 * producer counted came.  Where it does not count, or the operations were
 * filtered out, a call is forgotten when CALLS_PENDING younger ones came: more
 * than devices have room for.
 */
enum { CALLS_PENDING = 1 << 17 };

/* members of an operation that its call gives it, in their order */
enum { CALL_TID, CALL_TS, CALL_DUR, CALL_NAME, CALL_STACK, CALL_MEMBERS };

static const enum key call_keys[CALL_MEMBERS] = {
    KEY_tid, KEY_api_ts, KEY_api_dur, KEY_api_name, KEY_stack};

struct api_call {
	struct join_call call;
	struct enclosing *enclosing;
	bool entered;     /* enclosing is set */
	bool ambiguous;   /* another call had its correlation id */
	bool alone;       /* its only operation so far is not of a graph */
	bool graph;       /* it launches a graph */
	bool native;      /* its stack is none of Python */
	bool plain;       /* the texts of its members are */
	bool returning;   /* it is in correlate.returning, and */
	bool forgotten;   /* ... nowhere else */
	uint64_t devices; /* of its operations, a bit each (modulo 64) */
	struct text members;
	size_t at[CALL_MEMBERS + 1]; /* i is from at[i] to at[i + 1] */
};

static struct api_call *
new_call(struct correlate *c)
{
	struct api_call *call = (struct api_call *)join_new(&c->join);

	call->call.came = 0;
	call->enclosing = NULL;
	call->entered = call->ambiguous = call->alone = false;
	call->returning = call->forgotten = false;
	call->devices = 0;
	return call;
}

/* without a name it may launch a graph */
static bool
has_name(const struct api_call *call)
{
	return call->at[CALL_NAME] < call->at[CALL_STACK];
}

/* time goes beyond these calls: no range that is to come is around them */
static void
enter_calls(struct correlate *c)
{
	for (size_t i = 0; i < c->same_time_count; i++) {
		struct api_call *call = c->same_time[i];
		const struct join_call *x = &call->call;

		call->enclosing =
		    project_enter(&c->project, x->pid, x->tid, x->ts, x->end);
		if (call->graph ||
		    (!has_name(call) && graph_names_any(&c->graphs)))
			project_path(&c->project, call->enclosing);
		call->entered = true;
	}
	c->same_time_count = 0;
}

static void
forget_call(struct correlate *c, struct api_call *call)
{
	if (!call->entered)
		enter_calls(c);
	join_remove(&c->join, &call->call);
	project_leave(&c->project, call->enclosing);
	if (call->returning)
		call->forgotten = true;
	else
		join_give_back(&c->join, &call->call);
}

static void
write_members(struct api_call *call, const struct event *ev)
{
	enum { INTS = 4 };
	struct text *t = &call->members;
	char *p;

	call->plain = ev->plain;
	t->len = 0;
	p = text_reserve(
	    t, INTS * MEMBERS_INT + members_room(ev, KEY_name) + MEMBERS_SLACK);
	p = members_put_id(p, KEY_tid, ev, KEY_tid);
	call->at[CALL_TS] = (size_t)(p - t->p);
	p = members_put_ts(p, KEY_api_ts, ev, call->call.ts);
	call->at[CALL_DUR] = (size_t)(p - t->p);
	p = members_put_id(p, KEY_api_dur, ev, KEY_dur);
	call->at[CALL_NAME] = (size_t)(p - t->p);
	if (event_has(ev, KEY_name))
		p = members_put_json(p, KEY_api_name, ev->value[KEY_name]);
	call->at[CALL_STACK] = (size_t)(p - t->p);
	p = members_put_id(p, KEY_stack, ev, KEY_stack);
	call->at[CALL_MEMBERS] = (size_t)(p - t->p);
	text_end(t, p);
}

/* What stands behind cudaGraph, cuGraph or hipGraph in the name of a call;
   empty for most calls. */
static inline struct span
graph_word(const struct event *ev)
{
	enum { FIRST = 3, LAST = 5 }; /* where Graph begins: "cu, "cuda */
	struct span name = ev->value[KEY_name], graph = SPAN("Graph");
	const char *p = name.p;
	size_t i;

	if (!event_has(ev, KEY_name) || name.len < LAST + graph.len ||
	    (p[FIRST] != 'G' && p[FIRST + 1] != 'G' && p[LAST] != 'G'))
		return (struct span){"", 0};
	for (i = FIRST; i <= LAST; i++)
		if (memcmp(p + i, graph.p, graph.len) == 0)
			break;
	if (i > LAST)
		return (struct span){"", 0};
	i += graph.len;
	return (struct span){p + i, name.len - i};
}

static struct api_call *
describe_call(
    struct correlate *c, const struct event *ev, int64_t ts, int64_t count)
{
	struct api_call *call = new_call(c);
	struct join_call *x = &call->call;

	x->pid = event_int(ev, KEY_pid, NO_ID);
	x->tid = event_int(ev, KEY_tid, NO_ID);
	x->corr = event_int(ev, KEY_corr, NO_ID);
	x->ts = ts;
	x->end = event_end(ev, ts);
	x->count = count;
	return call;
}

/* the call has a count: calls without one launched nothing */
static void
start_counting(struct correlate *c)
{
	while (!c->join.counting && c->join.newest != NULL)
		forget_call(c, (struct api_call *)c->join.newest);
	c->join.counting = true;
}

/* a call that may launch something */
static void
launch(struct correlate *c, const struct event *ev, int64_t ts)
{
	struct api_call *call;
	struct join_call *other;
	int64_t count = NO_ID, stack = event_int(ev, KEY_stack, NO_ID);
	struct span word = graph_word(ev);

	if (word.len > 0)
		c->graphs.updates += span_begins(word, SPAN("ExecUpdate"));
	if (event_has(ev, KEY_gpu)) {
		start_counting(c);
		if ((count = event_small_int(ev, KEY_gpu, 0)) <= 0)
			return;
	}
	call = describe_call(c, ev, ts, count);
	other = join_find(&c->join, call->call.pid, call->call.corr);
	if (other != NULL) {
		if (join_is_inner(&call->call, other)) {
			join_give_back(&c->join, &call->call);
			return;
		}
		call->ambiguous = true;
		forget_call(c, (struct api_call *)other);
	}
	write_members(call, ev);
	call->graph = word.len > 0 && span_begins(word, SPAN("Launch"));
	call->native =
	    stack != NO_ID && !forward_stack_is_python(&c->forward, stack);
	join_add(&c->join, &call->call);
	if (c->live)
		call->entered = true; /* ranges around it may come later */
	else
		*array_add(&c->same_time, &c->same_time_count,
		    &c->same_time_cap) = call;
	if (c->join.count > CALLS_PENDING)
		forget_call(c, (struct api_call *)c->join.oldest);
}

/* forget a call of which an operation came, if that was its last one */
static void
forget_complete(struct correlate *c, struct api_call *call)
{
	const struct join_call *x = &call->call;

	if (x->count == NO_ID || x->came < x->count || call->returning)
		return;
	if (c->live || x->end < c->now || x->end == INT64_MAX) {
		forget_call(c, call);
		return;
	}
	/* until it returned, the driver's part of it may come */
	call->returning = true;
	expiry_add(&c->returning, x->end, call);
}

static void
expire_calls(struct correlate *c, int64_t ts)
{
	while (expiry_due(&c->returning, ts)) {
		struct api_call *call = expiry_take(&c->returning);

		call->returning = false;
		if (call->forgotten)
			join_give_back(&c->join, &call->call);
		else
			forget_call(c, call);
	}
}

static void
forget_calls(struct correlate *c)
{
	expire_calls(c, INT64_MAX);
	while (c->join.newest != NULL)
		forget_call(c, (struct api_call *)c->join.newest);
	join_reset(&c->join);
}

/* ---- operations ---- */

static char *
put_members(char *p, struct outlined *x, const struct api_call *call,
    unsigned first, unsigned last)
{
	p = members_put(p, &call->members, call->at[first], call->at[last + 1]);
	for (unsigned i = first; i <= last; i++)
		outline_add(
		    &x->outline, call_keys[i], call->at[i + 1] - call->at[i]);
	x->at = p;
	return p;
}

/*
 * True if the operation gets the stack of its call.  A backward operation of
 * PyTorch gets the forward operation's rather than a native one.
 */
static bool
takes_stack(const struct device_operation *op, const struct api_call *call)
{
	const struct enclosing *e = call->enclosing;

	return !keyset_has(&op->has, KEY_stack) &&
	       call->at[CALL_STACK] < call->at[CALL_MEMBERS] &&
	       !(call->native && e != NULL && e->innermost != NULL &&
		   e->innermost->forward);
}

/* the members of the call that the operation lacks; it has no api_ts */
static char *
put_call(char *p, struct outlined *x, const struct device_operation *op,
    const struct api_call *call)
{
	const struct keyset *has = &op->has;
	bool stack = takes_stack(op, call);

	if (!call->plain)
		x->outline.shape = 0;
	if (!keyset_has(has, KEY_tid) && !keyset_has(has, KEY_api_dur) &&
	    !keyset_has(has, KEY_api_name))
		return put_members(
		    p, x, call, CALL_TID, stack ? CALL_STACK : CALL_NAME);
	if (!keyset_has(has, KEY_tid))
		p = put_members(p, x, call, CALL_TID, CALL_TID);
	p = put_members(p, x, call, CALL_TS, CALL_TS);
	if (!keyset_has(has, KEY_api_dur))
		p = put_members(p, x, call, CALL_DUR, CALL_DUR);
	if (!keyset_has(has, KEY_api_name))
		p = put_members(p, x, call, CALL_NAME, CALL_NAME);
	if (stack)
		p = put_members(p, x, call, CALL_STACK, CALL_STACK);
	return p;
}

/* Put the path of ranges around the launch, then those around the capture, and
   the other members of the name. */
static char *
put_name(char *p, const struct device_operation *op, const struct enclosing *e,
    const struct graph_name *name)
{
	bool launch = e != NULL && e->path_names > 0;

	if (!keyset_has(&op->has, KEY_path) &&
	    (launch || name->label.path.len > 0)) {
		p = emit_put_key(p, KEY_path);
		*p++ = '[';
		if (launch) {
			memcpy(p, e->path.p + 1, e->path.len - 2);
			p += e->path.len - 2;
		}
		if (launch && name->label.path.len > 0)
			*p++ = ',';
		memcpy(p, name->label.path.p, name->label.path.len);
		p += name->label.path.len;
		*p++ = ']';
		p = members_put_small(
		    p, KEY_graph_depth, launch ? (int64_t)e->path_names : 0);
	}
	memcpy(p, name->label.members.p, name->label.members.len);
	p = members_put_small(
	    p + name->label.members.len, KEY_node_index, name->index);
	p = emit_put_key(p, KEY_proof);
	memcpy(p, name->proof.p, name->proof.len); /* nothing behind it */
	return p + name->proof.len;
}

/*
 * A call without a stack gets the range's: a thread that runs a backward
 * operation of PyTorch has none.
 */
static char *
put_enclosing(char *p, struct outlined *x, const struct device_operation *op,
    const struct api_call *call, const struct enclosing *e)
{
	const struct range *r = e->innermost;

	if (r->stack != NO_ID && !keyset_has(&op->has, KEY_stack) &&
	    !takes_stack(op, call))
		p = emit_put_int(p, KEY_stack, r->stack);
	outlined_member(x, KEY_stack, p);
	if (!keyset_has(&op->has, KEY_range))
		p = project_put(p, r, RANGE_ID, RANGE_ID);
	outlined_member(x, KEY_range, p);
	return p;
}

static size_t
name_room(const struct graph_name *name)
{
	enum { MEMBERS = 4, PROOF = 16 };

	return name->label.path.len + name->label.members.len +
	       MEMBERS * MEMBERS_INT + PROOF;
}

static size_t
call_room(const struct api_call *call)
{
	const struct enclosing *e = call->enclosing;

	return call->members.len +
	       (e != NULL ? 2 * MEMBERS_INT + EMIT_KEY_ROOM + e->path.len : 0);
}

static void
annotate(struct correlate *c, const struct device_operation *op,
    const struct api_call *call)
{
	struct output *o = c->to;
	const struct enclosing *e = call->enclosing;
	struct outlined x;
	char *p =
	    emit_put_open(text_reserve(&o->buf,
			      op->line.len + MEMBERS_SLACK + call_room(call)),
		op->line);

	outlined_begin(&x, &op->outline, p);
	p = put_call(p, &x, op, call);
	if (e != NULL && e->innermost != NULL)
		p = put_enclosing(p, &x, op, call, e);
	if (c->project.paths && e != NULL && e->path.len > 0 &&
	    !keyset_has(&op->has, KEY_path)) {
		p = members_put_text(p, KEY_path, &e->path);
		x.outline.shape = 0;
	}
	outlined_close(o, &x, p);
}

/* call may be NULL */
static __attribute__((noinline)) void
annotate_named(struct correlate *c, const struct device_operation *op,
    const struct api_call *call, const struct graph_name *name)
{
	struct output *o = c->to;
	const struct enclosing *e = call != NULL ? call->enclosing : NULL;
	size_t room = op->line.len + MEMBERS_SLACK + name_room(name);
	struct outlined x = {.outline.shape = 0};
	char *p;

	if (call != NULL)
		room += call_room(call);
	p = emit_put_open(text_reserve(&o->buf, room), op->line);
	if (call != NULL)
		p = put_call(p, &x, op, call);
	if (e != NULL && e->innermost != NULL)
		p = put_enclosing(p, &x, op, call, e);
	p = put_name(p, op, e, name);
	emit_put_close(o, p);
}

/* The name of the node of an operation; false if it has none. */
static bool
find_node(struct correlate *c, const struct device_operation *op,
    struct graph_name *name)
{
	struct graph_names *g = &c->graphs;

	if (op->node == NO_ID)
		return false;
	if (g->keep_origins &&
	    (graph_survey_annotation(c->survey, op->node, name) ||
		graph_survey_annotation(c->survey,
		    graph_names_origin(g, op->pid, op->node), name))) {
		name->index = (int64_t)((uint64_t)op->node & UINT32_MAX);
		return true;
	}
	return (graph_names_any(g) &&
		   graph_names_find(g, op->pid, op->node, name)) ||
	       (graph_names_has_args(op->line) &&
		   graph_names_annotated(g, op->pid, op->node, op->line, name));
}

/*
 * The name of an operation that a graph launched, which is counted; NULL if it
 * has none, or has it already.
 */
static const struct graph_name *
name_operation(struct correlate *c, const struct device_operation *op,
    struct graph_name *name)
{
	struct graph_names *g = &c->graphs;
	bool common;

	g->tally.ops++;
	if (keyset_has(&op->has, KEY_proof)) {
		g->tally.named++;
		return NULL;
	}
	if (find_node(c, op, name)) {
		g->tally.named++;
		return name;
	}
	if (c->survey != NULL && graph_survey_find(c->survey, op->pid, op->corr,
				     op->node, name, &common)) {
		g->tally.named += !common;
		g->tally.ambiguous += common;
		return name;
	}
	graph_names_refuse(g, op->pid, op->node);
	return NULL;
}

/* count the first operation too, once a second one shows that it was a graph */
static void
tally_graph(
    struct tally *t, const struct device_operation *op, struct api_call *call)
{
	int64_t came = call->call.came;

	if (op->graph || call->call.count > 1 || came > 1)
		t->by_graph++;
	else
		call->alone = true;
	if (came == 2 && call->alone)
		t->by_graph++;
}

/* count the operation; true for the first of the call on its device */
static bool
count_operation(struct correlate *c, const struct device_operation *op,
    struct api_call *call)
{
	uint64_t bit = (uint64_t)1 << ((uint64_t)op->device & 63);
	bool first = (call->devices & bit) == 0;

	if (!call->entered)
		enter_calls(c);
	call->call.came++;
	call->devices |= bit;
	c->tally.resolved++;
	c->tally.ambiguous += call->ambiguous;
	tally_graph(&c->tally, op, call);
	return first;
}

static void
resolve(struct correlate *c, const struct device_operation *op,
    struct api_call *call)
{
	bool first = count_operation(c, op, call);
	const struct graph_name *name = NULL;
	struct graph_name space;

	if (op->node != NO_ID || call->graph)
		name = name_operation(c, op, &space);
	project_add_work(call->enclosing, call->call.end, op, first);
	if (keyset_has(&op->has, KEY_api_ts))
		pass_operation(c, op);
	else if (!is_chosen(c, op->kind))
		;
	else if (name != NULL)
		annotate_named(c, op, call, name);
	else
		annotate(c, op, call);
	forget_complete(c, call);
}

/* an operation without a call */
static void
pass(struct correlate *c, const struct device_operation *op)
{
	const struct graph_name *name = NULL;
	struct graph_name space;

	if (op->node != NO_ID)
		name = name_operation(c, op, &space);
	if (keyset_has(&op->has, KEY_api_ts)) {
		c->tally.resolved++;
		c->tally.by_graph += op->graph;
		name = NULL;
	} else
		c->tally.unresolved++;
	if (name != NULL && is_chosen(c, op->kind))
		annotate_named(c, op, NULL, name);
	else
		pass_operation(c, op);
}

static struct api_call *
call_of(const struct correlate *c, const struct device_operation *op)
{
	return (struct api_call *)join_find(&c->join, op->pid, op->corr);
}

static void
operation(struct correlate *c, const struct event *ev, int64_t ts)
{
	struct device_operation op;
	struct api_call *call;

	device_operation_set(&op, ev, ts);
	op.outline = *outline_of(c, ev, &op.outline);
	if (!event_has(ev, KEY_corr)) {
		pass(c, &op);
		return;
	}
	call = call_of(c, &op);
	if (!pending_any(&c->pending) && call != NULL && call->entered) {
		resolve(c, &op, call);
		return;
	}
	if (c->live) { /* other records go on */
		pending_add(&c->pending, &op, time_of_clock(CLOCK_MONOTONIC));
		return;
	}
	pending_add(&c->pending, &op, 0);
	c->to = &c->pending.lines;
}

enum { MS = 1000000 };

/* ns for which the first operation of a live section still waits */
static int64_t
patience_left(const struct correlate *c)
{
	return pending_since(&c->pending) + (int64_t)CORRELATE_PATIENCE * MS -
	       time_of_clock(CLOCK_MONOTONIC);
}

static bool
gives_up(struct correlate *c, const struct device_operation *op)
{
	size_t waiting = pending_lines(&c->pending);

	if (c->live)
		return waiting > JOIN_WAITING || patience_left(c) <= 0;
	return join_gives_up(op->ts, c->now, waiting);
}

/* the operations that need not wait any longer go out; all: every operation */
static void
release_pending(struct correlate *c, bool all)
{
	struct pending *p = &c->pending;

	c->to = c->out;
	while (pending_any(p)) {
		struct device_operation op = *pending_first(p);
		struct api_call *call = call_of(c, &op);
		bool ready = call != NULL && call->entered;

		if (!ready && !all && !gives_up(c, &op)) {
			c->to = c->live ? c->out : &p->lines;
			return;
		}
		pending_take(p, c->out);
		if (call != NULL)
			resolve(c, &op, call);
		else
			pass(c, &op);
	}
	pending_finish(p, c->out);
}

/* ---- records ---- */

static void
range(struct correlate *c, const struct event *ev, int64_t ts)
{
	const struct range *r;
	struct outline space;
	struct outlined x;
	int64_t forward;
	char *p;

	if (c->live) {
		pass_record(c, ev);
		return;
	}
	forward = forward_stack(&c->forward, ev);
	r = project_add(&c->project, ev, ts, forward);
	if (event_has(ev, KEY_depth) || !is_chosen(c, KIND_range)) {
		pass_record(c, ev);
		return;
	}
	p = text_reserve(&c->to->buf,
	    ev->line.len + (size_t)3 * MEMBERS_INT + MEMBERS_SLACK);
	p = emit_put_open(p, ev->line);
	outlined_begin(&x, outline_of(c, ev, &space), p);
	if (forward > 0)
		p = emit_put_int(p, KEY_stack, forward);
	outlined_member(&x, KEY_stack, p);
	if (r == NULL)
		p = emit_put_int(p, KEY_depth, 0);
	else {
		if (!event_has(ev, KEY_parent))
			p = project_put(p, r, RANGE_PARENT, RANGE_PARENT);
		outlined_member(&x, KEY_parent, p);
		p = project_put(p, r, RANGE_DEPTH, RANGE_DEPTH);
	}
	outlined_member(&x, KEY_depth, p);
	outlined_close(c->to, &x, p);
}

static void
advance(struct correlate *c, int64_t ts)
{
	if (ts <= c->now || c->live)
		return;
	if (c->same_time_count > 0)
		enter_calls(c);
	c->now = ts;
	if (pending_any(&c->pending))
		release_pending(c, false);
	if (expiry_due(&c->returning, ts))
		expire_calls(c, ts);
	project_expire(&c->project, ts);
}

/*
 * The time of the record; all but its last eight digits are mostly the digits
 * of the record before it.
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
	if (has_ts && !schema_follows(ev->kind))
		advance(c, ts);
	switch (schema_role(ev->kind)) {
	case ROLE_WORK:
		operation(c, ev, has_ts ? ts : c->now);
		break;
	case ROLE_RANGE:
		range(c, ev, ts);
		break;
	case ROLE_LAUNCH:
		if (event_has(ev, KEY_corr) &&
		    (event_has(ev, KEY_gpu) || !c->join.counting))
			launch(c, ev, ts);
		else if (graph_names_tell(ev) && !c->live)
			graph_names_create(&c->graphs, &c->project, ev);
		pass_record(c, ev);
		break;
	default:
		if (ev->kind == KIND_stack)
			forward_stack_define(&c->forward, ev->line);
		pass_record(c, ev);
	}
	if (pending_any(&c->pending) &&
	    (pending_lines(&c->pending) > JOIN_WAITING ||
		(c->live && schema_role(ev->kind) == ROLE_LAUNCH)))
		release_pending(c, false);
}

int
correlate_idle(struct correlate *c)
{
	if (!c->live || !pending_any(&c->pending))
		return -1;
	release_pending(c, false);
	if (!pending_any(&c->pending))
		return -1;
	return (int)(patience_left(c) / MS) + 1;
}

/* ---- a section ---- */

void
correlate_init(
    struct correlate *c, struct output *out, bool per_process, bool paths)
{
	*c = (struct correlate){
	    .out = out, .to = out, .now = INT64_MIN, .kinds = UINT64_MAX};
	c->join.size = sizeof(struct api_call);
	c->returning = c->project.expiry = EXPIRY_EMPTY;
	c->project.out = &c->to;
	c->project.per_process = per_process;
	c->project.paths = paths;
	if (out->parcels != NULL)
		project_outline(&c->project);
}

void
correlate_choose(struct correlate *c, uint64_t kinds)
{
	c->kinds = kinds;
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_kinds[k].role == ROLE_DEF)
			c->kinds |= (uint64_t)1 << k;
	c->kinds |= (uint64_t)1 << KIND_lost;
	c->project.silent = !is_chosen(c, KIND_gpu_range);
}

void
correlate_finish(struct correlate *c)
{
	if (pending_any(&c->pending))
		release_pending(c, true);
	enter_calls(c);
	project_write(&c->project);
}

void
correlate_reset(struct correlate *c)
{
	forget_calls(c);
	project_clear(&c->project);
	forward_stack_clear(&c->forward);
	graph_names_clear(&c->graphs);
	c->tally = (struct tally){0};
	c->now = INT64_MIN;
	c->live = false;
}

void
correlate_free(struct correlate *c)
{
	pending_free(&c->pending);
	forget_calls(c);
	for (struct join_call *x = c->join.spare; x != NULL; x = x->older)
		text_free(&((struct api_call *)x)->members);
	join_free(&c->join);
	expiry_free(&c->returning);
	free(c->same_time);
	project_free(&c->project);
	forward_stack_free(&c->forward);
	graph_names_free(&c->graphs);
}
