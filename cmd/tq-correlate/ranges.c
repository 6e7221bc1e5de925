/*
 * ranges.c - the ranges that are open
 *
 * A range is kept until it is over and no call that started in it waits for
 * operations; then its gpu-range is written.  A range that another thread
 * ended belongs to no thread: it counts only where all threads do, and is
 * nobody's parent or child.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "members.h"
#include "project.h"
#include "ranges.h"
#include "threads.h"

/* ---- the life of a range ---- */

static struct range *
new_range(struct ranges *rs)
{
	struct range *r = rs->free;

	if (r != NULL)
		rs->free = r->older;
	else
		r = mem_alloc(sizeof(*r));
	r->path.len = 0;
	r->share_count = 0;
	r->scopes = 0;
	r->over = false;
	r->nest = NULL;
	r->newer = NULL;
	r->older = rs->newest;
	if (r->older != NULL)
		r->older->newer = r;
	rs->newest = r;
	return r;
}

static void
complete(struct ranges *rs, struct range *r)
{
	if (!r->silent)
		project_write(*rs->out, r);
	if (r->newer != NULL)
		r->newer->older = r->older;
	else
		rs->newest = r->older;
	if (r->older != NULL)
		r->older->newer = r->newer;
	r->older = rs->free;
	rs->free = r;
}

/* ---- scopes ---- */

static struct scope *
new_scope(struct ranges *rs)
{
	struct scope *s = rs->free_scopes;

	if (s != NULL)
		rs->free_scopes = s->next;
	else
		s = mem_alloc(sizeof(*s));
	s->count = 0;
	s->path.len = 0;
	s->users = 1;
	return s;
}

static void
make_room(struct scope *s, size_t count)
{
	if (s->cap >= count)
		return;
	s->cap = count * 2;
	s->ranges = mem_resize(s->ranges, s->cap, sizeof(*s->ranges));
}

void
ranges_leave(struct ranges *rs, struct scope *s)
{
	if (s == NULL || --s->users > 0)
		return;
	/* inner ones first, so that children are written before parents */
	for (size_t i = s->count; i-- > 0;) {
		struct range *r = s->ranges[i];

		if (--r->scopes == 0 && r->over)
			complete(rs, r);
	}
	s->next = rs->free_scopes;
	rs->free_scopes = s;
}

/* ---- threads ---- */

/* whose ranges count for a call of this thread */
static inline struct thread *
scope_of(struct ranges *rs, int64_t pid, int64_t tid)
{
	return threads_get(
	    &rs->threads, pid, rs->per_process ? ALL_THREADS : tid);
}

static void
drop_scope(struct ranges *rs, struct thread *t)
{
	struct scope *s = t->scope;

	t->scope = NULL;
	ranges_leave(rs, s);
}

/* ---- what the stream says ---- */

/* pid, tid and name are one piece where they stand in this order */
static char *
put_head(char *p, const struct event *ev)
{
	const struct span *pid = &ev->value[KEY_pid];
	const struct span *tid = &ev->value[KEY_tid];
	const struct span *name = &ev->value[KEY_name];

	if (event_has(ev, KEY_pid) && event_has(ev, KEY_tid) &&
	    event_has(ev, KEY_name) && *pid->p != '-' && *tid->p != '-' &&
	    pid->p + pid->len + strlen(",\"tid\":") == tid->p &&
	    tid->p + tid->len + strlen(",\"name\":") == name->p)
		return members_put_json(p, KEY_pid,
		    (struct span){
			pid->p, (size_t)(name->p + name->len - pid->p)});
	p = members_put_id(p, KEY_pid, ev, KEY_pid);
	p = members_put_id(p, KEY_tid, ev, KEY_tid);
	return members_put_copy(p, KEY_name, ev);
}

/* the id of the parent is digits already */
static char *
put_parent(char *p, const struct range *parent)
{
	const struct text *t = &parent->members;
	size_t from = parent->id_at, to = parent->middle;

	if (from == to)
		return p;
	return members_put(
	    emit_put_key(p, KEY_parent), t, from + strlen(",\"range\":"), to);
}

static char *
put_times(char *p, const struct range *r, const struct event *ev)
{
	p = members_put_ts(p, KEY_range_ts, ev, r->ts);
	if (r->end == INT64_MAX)
		return p;
	if (event_has(ev, KEY_dur) && *ev->value[KEY_dur].p != '-')
		return members_put_int(p, KEY_range_dur, ev, KEY_dur);
	return emit_put_int(p, KEY_range_dur, 0);
}

/* room for all members of the range */
static char *
reserve(struct text *t, const struct event *ev)
{
	enum { INTS = 7 };

	t->len = 0;
	return text_reserve(t, INTS * MEMBERS_INT + members_room(ev, KEY_name) +
				   members_room(ev, KEY_domain) +
				   members_room(ev, KEY_category) +
				   members_room(ev, KEY_color) + MEMBERS_SLACK);
}

static void
write_members(
    struct range *r, const struct event *ev, const struct range *parent)
{
	struct text *t = &r->members;
	char *p = reserve(t, ev);

	p = put_head(p, ev);
	r->head = (size_t)(p - t->p);
	p = members_put_copy(p, KEY_domain, ev);
	r->domain = (size_t)(p - t->p);
	p = members_put_copy(p, KEY_category, ev);
	p = members_put_copy(p, KEY_color, ev);
	r->id_at = (size_t)(p - t->p);
	p = members_put_id(p, KEY_range, ev, KEY_id);
	r->middle = (size_t)(p - t->p);
	if (parent != NULL)
		p = put_parent(p, parent);
	r->depth_at = (size_t)(p - t->p);
	p = members_put_few(p, KEY_depth, r->depth);
	r->nested = (size_t)(p - t->p);
	text_end(t, put_times(p, r, ev));
}

/* mostly there is no such key */
static inline bool
is_true(const struct event *ev, enum key k)
{
	return event_has(ev, k) && event_true(ev, k);
}

static void
describe(struct range *r, const struct event *ev, int64_t ts)
{
	r->ts = ts;
	r->end = event_end(ev, r->ts);
	r->name_len = event_has(ev, KEY_name) ? ev->value[KEY_name].len : 0;
	r->domain_len =
	    event_has(ev, KEY_domain) ? ev->value[KEY_domain].len : 0;
	r->depth = 0;
	r->seen = event_has(ev, KEY_depth);
	r->silent = r->seen || is_true(ev, KEY_cut);
}

/* the parent of r, which may become one, on thread t; NULL if it has none */
static const struct range *
nest(struct ranges *rs, struct range *r, struct thread *t,
    const struct event *ev)
{
	const struct range *parent;

	r->nest = &t->nest;
	if (event_has(ev, KEY_domain)) {
		rs->scratch.len = 0;
		r->nest =
		    threads_nest(t, event_str(ev, KEY_domain, &rs->scratch));
	}
	if ((parent = stack_parent(&r->nest->stack, r)) != NULL)
		r->depth = parent->depth + 1;
	stack_add(&r->nest->stack, r);
	return parent;
}

static void
add_path(struct range *r)
{
	const struct stack *open = &r->thread->open;

	for (size_t i = 0; i < open->count; i++) {
		const struct range *x = open->slots[i].range;

		if (x != NULL &&
		    time_encloses_start(x->ts, x->end, r->ts, r->end))
			project_add_name(&r->path, x);
	}
	project_add_name(&r->path, r);
}

/* is it another thread that ended the range? */
static bool
crosses_threads(const struct event *ev)
{
	return event_has(ev, KEY_end_tid) &&
	       event_int(ev, KEY_end_tid, 0) != event_int(ev, KEY_tid, NO_ID);
}

const struct range *
ranges_add(struct ranges *rs, const struct event *ev, int64_t ts)
{
	bool crosses = crosses_threads(ev);
	const struct range *parent = NULL;
	struct thread *own;
	int64_t pid;
	struct range *r;

	rs->unclosed += is_true(ev, KEY_open);
	if (crosses && !rs->per_process)
		return NULL;
	r = new_range(rs);
	describe(r, ev, ts);
	pid = event_int(ev, KEY_pid, NO_ID);
	own = threads_get(&rs->threads, pid, event_int(ev, KEY_tid, NO_ID));
	/* what never ends has no parent, and must not become one */
	if (!crosses && r->end != INT64_MAX)
		parent = nest(rs, r, own, ev);
	write_members(r, ev, parent);

	r->thread = rs->per_process ? scope_of(rs, pid, NO_ID) : own;
	if (rs->paths && !r->seen)
		add_path(r);
	drop_scope(rs, r->thread);
	stack_add(&r->thread->open, r);
	if (r->end != INT64_MAX)
		ends_add(&rs->ends, r->end, r);
	return r;
}

static void
expire(struct ranges *rs, struct range *r)
{
	drop_scope(rs, r->thread);
	stack_remove(&r->thread->open, r);
	if (r->nest != NULL)
		stack_remove(&r->nest->stack, r);
	r->over = true;
	if (r->scopes == 0)
		complete(rs, r);
}

void
ranges_let_go(struct ranges *rs, int64_t ts)
{
	while (ends_any(&rs->ends, ts))
		expire(rs, ends_take(&rs->ends));
}

/* add the range, which is open */
static inline void
add_to_scope(struct scope *s, struct range *r)
{
	s->ranges[s->count++] = r;
	r->scopes++;
}

/*
 * The ranges that were open when [ts, end] started; all: those of the stack
 * were, and it has no empty slots.
 */
static struct scope *
scope_at(struct ranges *rs, const struct stack *open, bool all, int64_t ts,
    int64_t end)
{
	struct scope *s = new_scope(rs);
	const struct slot *x = open->slots, *top = x + open->count;

	make_room(s, open->count);
	for (; x < top; x++)
		if (all ||
		    (x->range != NULL && time_encloses_start(x->range->ts,
					     x->range->end, ts, end)))
			add_to_scope(s, x->range);
	for (size_t i = 0; rs->paths && i < s->count; i++)
		project_add_name(&s->path, s->ranges[i]);
	return s;
}

struct scope *
ranges_enter(
    struct ranges *rs, int64_t pid, int64_t tid, int64_t ts, int64_t end)
{
	struct thread *t = scope_of(rs, pid, tid);
	const struct stack *open = &t->open;
	const struct slot *top;
	struct scope *s = t->scope;
	bool all;

	if (open->count == 0)
		return NULL;
	top = &open->slots[open->count - 1];
	all = top->ts <= ts && ts < top->within;
	if (s != NULL && all) {
		s->users++;
		return s;
	}
	s = scope_at(rs, open, all && open->empty == 0, ts, end);
	if (s->count == open->count - open->empty) {
		drop_scope(rs, t);
		t->scope = s;
		s->users++;
	}
	return s;
}

void
ranges_charge(
    struct scope *s, int64_t call_end, const struct op *op, bool launch)
{
	int64_t device = op->device, ts = op->ts, end = op->end;
	struct range *const *x, *const *last;

	if (s == NULL)
		return;
	for (x = s->ranges, last = x + s->count; x < last; x++) {
		struct range *r = *x;

		if (r->end < call_end)
			continue;
		if (r->share.device == device && r->share_count > 0)
			share_add(&r->share, ts, end, launch);
		else
			project_add(r, op, launch);
	}
}

/* ---- the end ---- */

void
ranges_write(struct ranges *rs)
{
	for (struct range *r = rs->newest; r != NULL; r = r->older) {
		if (!r->silent)
			project_write(*rs->out, r);
		r->silent = true;
	}
}

/* no scope is left but those that threads keep */
void
ranges_clear(struct ranges *rs)
{
	const struct map *m = &rs->threads.map;

	for (size_t i = 0; i < m->size; i++)
		if (m->used[i])
			drop_scope(
			    rs, (struct thread *)(uintptr_t)m->slots[i].value);
	threads_clear(&rs->threads);
	ends_free(&rs->ends);
	while (rs->newest != NULL)
		complete(rs, rs->newest);
	rs->unclosed = 0;
}

void
ranges_free(struct ranges *rs)
{
	struct range *r;
	struct scope *s;

	ranges_clear(rs);
	threads_free(&rs->threads);
	while ((r = rs->free) != NULL) {
		rs->free = r->older;
		text_free(&r->members);
		text_free(&r->path);
		free(r->others);
		free(r);
	}
	while ((s = rs->free_scopes) != NULL) {
		rs->free_scopes = s->next;
		text_free(&s->path);
		free(s->ranges);
		free(s);
	}
	text_free(&rs->scratch);
}
