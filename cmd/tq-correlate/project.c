/*
 * project.c - the ranges of a section, and the work of the devices for them
 *
 * A range is kept until it is over and no call that started in it waits for
 * operations; then its gpu-range is written.  A range that another thread
 * ended belongs to no thread: it encloses calls only where all threads of the
 * process count, and has neither parent nor children.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/line/record_args.h"

#include "forward_stack.h"
#include "project.h"

enum {
	SHALLOW = 8, /* outermost ranges get their work at once: a chain costs
			more */
	MANY = 32    /* so many open ranges cost less in epochs */
};

/* ---- the work of a device ---- */

static int64_t
at_most_max(uint64_t v)
{
	return v < INT64_MAX ? (int64_t)v : INT64_MAX;
}

/* unsigned, so that all times fit; to is not before from */
static int64_t
between(int64_t from, int64_t to)
{
	return at_most_max((uint64_t)to - (uint64_t)from);
}

static struct range_chain *
chain_of(struct project_thread *t, int64_t device)
{
	struct range_chain *s = t->chains;

	while (s != NULL && s->device != device)
		s = s->next;
	if (s == NULL) {
		s = mem_alloc(sizeof(*s));
		s->device = device;
		s->next = t->chains;
		t->chains = s;
	}
	return s;
}

static void
add_work(struct range *r, const struct device_operation *op, bool launch)
{
	struct device_work *w = device_work_get(r, op->device);
	struct range_set *set =
	    r->memberships != NULL ? range_set_find(r, op->device) : NULL;

	if (set != NULL)
		range_set_leave(set, r);
	device_work_count(w, op, launch);
	device_work_extend(w, op->ts, op->end);
	if (set != NULL)
		range_set_enter(set, r);
}

void
project_add_work(struct enclosing *e, int64_t call_end,
    const struct device_operation *op, bool launch)
{
	struct range *r;

	if (e == NULL)
		return;
	if (e->epoch != NULL) {
		range_epochs_add(e->epochs, e->epoch, call_end, op, launch);
		return;
	}
	for (size_t i = 0; i < e->count; i++)
		if (e->ranges[i]->end >= call_end)
			add_work(e->ranges[i], op, launch);
	if (e->count > 0)
		return;
	for (r = e->innermost; r != NULL && r->end < call_end;)
		r = r->below;
	if (r != NULL && r->chained) {
		struct range_chain *s = chain_of(r->thread->around, op->device);

		range_chain_add(s, r, op, launch);
		r = s->ranges[0]->below;
	}
	for (; r != NULL; r = r->below)
		add_work(r, op, launch);
}

/*
 * The work for the range is complete, or it is not chained any more: it is
 * work for the range below it, too.
 */
static void
pass_on_work(struct range *r)
{
	for (size_t i = 0; r->chained && i < r->device_count; i++) {
		struct device_work *w = device_work_at(r, i);

		if (w->place > 0)
			range_chain_cut(
			    chain_of(r->thread->around, w->device), w->place);
		if (r->below != NULL && r->below->chained)
			device_work_merge(
			    device_work_get(r->below, w->device), w);
	}
	r->chained = false;
}

/* ---- gpu-range ---- */

/* ,"ts": and ,"dur": */
static char *
put_work_times(char *p, const struct device_work *w)
{
	if (w->ts_len == 0)
		p = emit_put_int(p, KEY_ts, w->first);
	else if (w->ops == 1)
		return members_put_json(
		    p, KEY_ts, (struct span){w->times, w->times_len});
	else
		p = members_put_json(
		    p, KEY_ts, (struct span){w->times, w->ts_len});
	return emit_put_int(p, KEY_dur, between(w->first, w->last));
}

static char *
put_busy(char *p, const struct device_work *w)
{
	size_t dur = w->ts_len + OPERATION_DUR;

	if (w->ts_len > 0 && w->ops == 1)
		return members_put_json(p, KEY_busy,
		    (struct span){w->times + dur, w->times_len - dur});
	return emit_put_int(p, KEY_busy, at_most_max(w->busy));
}

/*
 * The members of a gpu-range, in their order.  Its range gives it these numbers
 * of members, up to the name, the depth and the times: measure_members() counts
 * their bytes when the range starts.
 */
enum { OF_NAME = 3, OF_DEPTH = 6, OF_TIMES = 2 };

static const unsigned char work_keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
    KEY_name, KEY_device, KEY_domain, KEY_category, KEY_color, KEY_range,
    KEY_parent, KEY_depth, KEY_ops, KEY_launches, KEY_busy, KEY_range_ts,
    KEY_range_dur};

/* the outline of a record as it is written */
struct work_outline {
	struct outline outline;
	size_t count;
	const char *at; /* behind the last member that it has */
};

static inline void
add_member(struct work_outline *x, const char *p)
{
	size_t n = (size_t)(p - x->at);

	x->outline.len[x->count++] = (unsigned char)n;
	x->at = p;
}

static inline void
add_members(
    struct work_outline *x, const unsigned char *bytes, size_t n, const char *p)
{
	memcpy(x->outline.len + x->count, bytes, n);
	x->count += n;
	x->at = p;
}

static inline char *
put_work(char *p, struct work_outline *x, const struct range *r,
    const struct device_work *w)
{
	x->count = 0;
	x->at = p = emit_put_kind(p, KIND_gpu_range);
	p = put_work_times(p, w);
	add_member(x, x->at + emit_prefixes[KEY_ts].len + w->ts_len);
	add_member(x, p);
	p = project_put(p, r, RANGE_IDS, RANGE_NAME);
	add_members(x, r->bytes, OF_NAME, p);
	if (w->device != NO_ID)
		p = members_put_small(p, KEY_device, w->device);
	add_member(x, p);
	if (r->path.len > 0) {
		p = project_put(p, r, RANGE_DOMAIN, RANGE_ID);
		p = members_put_text(p, KEY_path, &r->path);
		p = project_put(p, r, RANGE_PARENT, RANGE_DEPTH);
	} else
		p = project_put(p, r, RANGE_DOMAIN, RANGE_DEPTH);
	add_members(x, r->bytes + OF_NAME, OF_DEPTH, p);
	p = members_put_small(p, KEY_ops, w->ops);
	add_member(x, p);
	p = members_put_small(p, KEY_launches, w->launches);
	add_member(x, p);
	p = put_busy(p, w);
	add_member(x, p);
	p = project_put(p, r, RANGE_TIMES, RANGE_TIMES);
	add_members(x, r->bytes + OF_NAME + OF_DEPTH, OF_TIMES, p);
	return p;
}

static void
write_work(
    struct project *x, const struct range *r, const struct device_work *w)
{
	enum { INTS = 6 };
	struct output *o = *x->out;
	struct work_outline outline;
	char *p = text_reserve(&o->buf, EMIT_KIND_ROOM + INTS * MEMBERS_INT +
					    r->members.len + EMIT_KEY_ROOM +
					    r->path.len + MEMBERS_SLACK);

	p = put_work(p, &outline, r, w);
	if (r->outlined && r->path.len == 0 && w->ts_len > 0) {
		size_t bytes = (size_t)(p - (o->buf.p + o->buf.len));

		outline.outline.bytes = (uint16_t)bytes;
		outline_finish(&outline.outline, &x->work_outline);
		output_outline(o, &outline.outline, bytes);
	}
	emit_put_close(o, p);
}

void
project_outline(struct project *p)
{
	p->outlines = true;
	outline_plan_set(
	    &p->work_outline, KIND_gpu_range, work_keys, sizeof(work_keys));
}

/* a gpu-range for each device that worked for the range, once */
static void
write_gpu_ranges(struct project *p, struct range *r)
{
	pass_on_work(r);
	for (size_t i = 0; i < r->device_count && !r->silent && !p->silent; i++)
		write_work(p, r, device_work_at(r, i));
	r->silent = true;
}

/* ---- the life of a range ---- */

static struct range *
new_range(struct project *p)
{
	struct range *r = p->free;

	if (r != NULL)
		p->free = r->older;
	else
		r = mem_alloc(sizeof(*r));
	r->path.len = r->shapes.len = 0;
	r->device_count = 0;
	r->users = 0;
	r->over = r->chained = false;
	r->parents = NULL;
	r->below = NULL;
	r->memberships = NULL;
	r->newer = NULL;
	r->older = p->newest;
	if (r->older != NULL)
		r->older->newer = r;
	p->newest = r;
	return r;
}

static void
remove_range(struct project *p, struct range *r)
{
	if (r->newer != NULL)
		r->newer->older = r->older;
	else
		p->newest = r->older;
	if (r->older != NULL)
		r->older->newer = r->newer;
	r->older = p->free;
	p->free = r;
}

/* so may be those below the range, which it does not use any more */
static void
complete(struct project *p, struct range *r)
{
	struct range *below;

	do {
		below = r->below;
		if (r->device_count > 0) /* of most ranges no device works */
			write_gpu_ranges(p, r);
		remove_range(p, r);
		r = below;
	} while (r != NULL && --r->users == 0 && r->over);
}

static void
leave_range(struct project *p, struct range *r)
{
	if (--r->users == 0 && r->over)
		complete(p, r);
}

/* ---- the ranges around a call ---- */

static struct enclosing *
new_enclosing(struct project *p, size_t room)
{
	struct enclosing *e = p->free_enclosing;

	if (e != NULL)
		p->free_enclosing = e->next;
	else
		e = mem_alloc(sizeof(*e));
	e->innermost = NULL;
	e->epoch = NULL;
	e->count = 0;
	e->path.len = e->path_names = 0;
	e->users = 1;
	if (e->cap < room) {
		e->cap = room * 2;
		e->ranges = mem_resize(e->ranges, e->cap, sizeof(*e->ranges));
	}
	return e;
}

/* no call waits any more in these ranges */
static void
leave_complete(struct project *p, struct range_epochs *x)
{
	struct range *r;

	while ((r = range_epochs_complete(x)) != NULL)
		leave_range(p, r);
}

void
project_leave(struct project *p, struct enclosing *e)
{
	if (e == NULL || --e->users > 0)
		return;
	/* inner ones first, so that children are written before parents */
	for (size_t i = e->count; i-- > 0;)
		leave_range(p, e->ranges[i]);
	if (e->epoch != NULL) {
		range_epochs_leave(e->epochs, e->epoch);
		leave_complete(p, e->epochs);
	} else if (e->count == 0 && e->innermost != NULL) {
		leave_range(p, e->innermost);
	}
	e->next = p->free_enclosing;
	p->free_enclosing = e;
}

/* the thread whose ranges enclose the calls of (pid, tid) */
static inline struct nesting_thread *
thread_of(struct project *p, int64_t pid, int64_t tid)
{
	return nesting_thread(
	    &p->nesting, pid, p->per_process ? NESTING_ALL_THREADS : tid);
}

static struct project_thread *
state_of(struct nesting_thread *t)
{
	struct project_thread *state = t->around;

	if (state == NULL) {
		t->around = state = mem_alloc(sizeof(*state));
		state->left = INT64_MIN;
		state->epochs.ends = EXPIRY_EMPTY;
	}
	return state;
}

/* the ranges that are open on the thread change */
static void
leave_thread(struct project *p, struct nesting_thread *t)
{
	struct project_thread *state = t->around;
	struct enclosing *e;

	if (state == NULL)
		return;
	e = state->enclosing;
	state->enclosing = NULL;
	project_leave(p, e);
}

static void
put_in_epochs(struct project_thread *state, struct range *r)
{
	range_epochs_start(&state->epochs, r);
	r->users++;
}

/* a range that may cross others starts */
static void
push_range(struct nesting_thread *t, struct range *r)
{
	struct project_thread *state = t->around;
	const struct nesting_stack *open = &t->open;

	nesting_push(&t->open, r, r->ts, r->end);
	if (state->many)
		put_in_epochs(state, r);
	if (state->many || open->count - open->empty <= MANY)
		return;
	state->many = true;
	for (size_t i = 0; i < open->count; i++)
		if (open->slots[i].range != NULL)
			put_in_epochs(state, open->slots[i].range);
}

static void
remove_open(struct nesting_thread *t, struct range *r)
{
	struct project_thread *state = t->around;

	nesting_remove(&t->open, r, r->ts);
	if (state->many)
		range_epochs_end(&state->epochs, r);
	state->many = state->many && t->open.count > 0;
}

/* the ranges of the thread do not nest */
static void
unchain(struct project *p, struct nesting_thread *t)
{
	struct project_thread *state = t->around;

	p->chain_count = 0;
	/* children pass on their work before their parents do */
	for (struct range *r = p->newest; r != NULL; r = r->older) {
		if (r->thread != t)
			continue;
		pass_on_work(r);
		if (!r->over)
			*array_add(&p->chain, &p->chain_count, &p->chain_cap) =
			    r;
	}
	while (p->chain_count > 0) {
		struct range *r = p->chain[--p->chain_count];

		push_range(t, r);
	}
	state->crossed = true;
}

/* the JSON string that is the value of a member, without quotes */
static void
add_value(struct text *t, const struct range *r, unsigned member, size_t key)
{
	size_t from = r->at[member] + key, end = r->at[member + 1];

	if (from < end)
		text_add(t, r->members.p + from + 1, end - from - 2);
}

/* append "name" or "domain:name" of a range to an array */
static void
add_to_path(struct text *path, const struct range *r)
{
	if (path->len > 0)
		path->p[path->len - 1] = ',';
	else
		text_add_char(path, '[');
	text_add_char(path, '"');
	if (r->at[RANGE_DOMAIN] < r->at[RANGE_DOMAIN + 1]) {
		add_value(path, r, RANGE_DOMAIN, strlen(",\"domain\":"));
		text_add_char(path, ':');
	}
	add_value(path, r, RANGE_NAME, strlen(",\"name\":"));
	text_add_str(path, "\"]");
}

/*
 * The ranges that were open when [ts, end] started; all: every range of the
 * stack was, and it has no empty slots.
 */
static struct enclosing *
enclosing_at(struct project *p, const struct nesting_stack *open, bool all,
    int64_t ts, int64_t end)
{
	struct enclosing *e = new_enclosing(p, open->count);
	const struct nesting_slot *x = open->slots, *top = x + open->count;

	for (; x < top; x++) {
		struct range *r = x->range;

		if (all || (r != NULL &&
			       time_encloses_start(x->ts, x->end, ts, end))) {
			e->ranges[e->count++] = r;
			e->innermost = r;
			r->users++;
		}
	}
	for (size_t i = 0; p->paths && i < e->count; i++)
		add_to_path(&e->path, e->ranges[i]);
	return e;
}

/* all ranges of the thread that are open */
static struct enclosing *
enclosing_epoch(struct project *p, struct nesting_thread *t)
{
	struct enclosing *e = new_enclosing(p, 0);
	struct project_thread *state = t->around;
	const struct nesting_stack *open = &t->open;

	e->innermost = open->slots[open->count - 1].range;
	e->epochs = &state->epochs;
	e->epoch = range_epochs_enter(e->epochs);
	for (size_t i = 0; p->paths && i < open->count; i++)
		if (open->slots[i].range != NULL)
			add_to_path(&e->path, open->slots[i].range);
	return e;
}

/* the names of a range and of all below it, the outermost first */
static void
add_chain_to_path(struct project *p, struct text *path, struct range *r)
{
	p->chain_count = 0;
	for (; r != NULL; r = r->below)
		*array_add(&p->chain, &p->chain_count, &p->chain_cap) = r;
	while (p->chain_count > 0)
		add_to_path(path, p->chain[--p->chain_count]);
}

/* the same of chained ranges: the innermost has all others below it */
static struct enclosing *
enclosing_chain(struct project *p, struct range *innermost)
{
	struct enclosing *e = new_enclosing(p, 0);

	e->innermost = innermost;
	innermost->users++;
	if (p->paths)
		add_chain_to_path(p, &e->path, innermost);
	return e;
}

/* calls that start before a range starts or ends share e */
static struct enclosing *
share(struct project *p, struct nesting_thread *t, struct enclosing *e)
{
	struct project_thread *state = t->around;

	leave_thread(p, t);
	state->enclosing = e;
	e->users++;
	return e;
}

static struct enclosing *
enter_chain(
    struct project *p, struct nesting_thread *t, int64_t ts, int64_t end)
{
	struct project_thread *state = t->around;
	struct enclosing *e = state->enclosing;
	struct range *r = state->innermost;

	while (r != NULL && !time_encloses_start(r->ts, r->end, ts, end))
		r = r->below;
	if (r == NULL)
		return NULL;
	if (e != NULL && e->innermost == r) {
		e->users++;
		return e;
	}
	return share(p, t, enclosing_chain(p, r));
}

static struct enclosing *
enter_stack(
    struct project *p, struct nesting_thread *t, int64_t ts, int64_t end)
{
	const struct nesting_stack *open = &t->open;
	const struct project_thread *state = t->around;
	struct enclosing *e = state->enclosing;
	const struct nesting_slot *top;
	bool all;

	if (open->count == 0)
		return NULL;
	top = &open->slots[open->count - 1];
	all =
	    top->ts <= ts && (state->many ? range_epochs_all(&state->epochs, ts)
					  : ts < top->within);
	if (e != NULL && all) {
		e->users++;
		return e;
	}
	if (all && state->many)
		return share(p, t, enclosing_epoch(p, t));
	e = enclosing_at(p, open, all && open->empty == 0, ts, end);
	return all ? share(p, t, e) : e;
}

/*
 * True if a call or range from ts to end is in a chain.  One without duration
 * is also in a range that ended when it started, and a late one may be in one
 * that ended before another one started.
 */
static inline bool
is_in_chain(const struct project_thread *state, int64_t ts, int64_t end)
{
	return !state->crossed && (ts < end || ts > state->left) &&
	       (state->innermost == NULL || state->innermost->ts <= ts);
}

struct enclosing *
project_enter(
    struct project *p, int64_t pid, int64_t tid, int64_t ts, int64_t end)
{
	struct nesting_thread *t = thread_of(p, pid, tid);
	const struct project_thread *state = t->around;

	if (state == NULL)
		return NULL; /* it has no ranges */
	if (is_in_chain(state, ts, end))
		return enter_chain(p, t, ts, end);
	if (!state->crossed)
		unchain(p, t);
	return enter_stack(p, t, ts, end);
}

static void
collect_chain(struct project *p, struct range *innermost)
{
	for (struct range *r = innermost; r != NULL; r = r->below)
		*array_add(&p->chain, &p->chain_count, &p->chain_cap) = r;
	for (size_t i = 0, j = p->chain_count; i + 1 < j; i++) {
		struct range *r = p->chain[i];

		p->chain[i] = p->chain[--j];
		p->chain[j] = r;
	}
}

static void
collect_open(struct project *p, const struct nesting_stack *open)
{
	for (size_t i = 0; i < open->count; i++)
		if (open->slots[i].range != NULL)
			*array_add(&p->chain, &p->chain_count, &p->chain_cap) =
			    open->slots[i].range;
}

size_t
project_ranges(
    struct project *p, const struct enclosing *e, struct range *const **ranges)
{
	if (e == NULL)
		return 0;
	*ranges = e->ranges;
	if (e->count > 0)
		return e->count;
	p->chain_count = 0;
	if (e->epoch != NULL)
		collect_open(p, &e->innermost->thread->open);
	else
		collect_chain(p, e->innermost);
	*ranges = p->chain;
	return p->chain_count;
}

void
project_path(struct project *p, struct enclosing *e)
{
	struct range *const *ranges = NULL;
	size_t count = project_ranges(p, e, &ranges);
	bool written = e == NULL || e->path.len > 0;

	for (size_t i = 0; i < count && !written; i++)
		add_to_path(&e->path, ranges[i]);
	if (e != NULL)
		e->path_names = count;
}

/* ---- the members of a range ---- */

/* pid, tid and name; one piece if they stand in this order */
static char *
put_ids_name(char *p, const struct event *ev)
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

/* the digits of the parent's id */
static char *
put_parent(char *p, const struct range *parent)
{
	size_t from = parent->at[RANGE_ID], end = parent->at[RANGE_ID + 1];

	if (from == end)
		return p;
	return members_put(emit_put_key(p, KEY_parent), &parent->members,
	    from + strlen(",\"range\":"), end);
}

static char *
put_range_times(char *p, const struct range *r, const struct event *ev)
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

/* the length of ,"name": and its value */
static size_t
name_length(const struct event *ev)
{
	return event_has(ev, KEY_name)
		   ? strlen(",\"name\":") + ev->value[KEY_name].len
		   : 0;
}

/* The bytes of a member of the event under its key here; false of one whose
   spelling write_members changes, or that is too long for an outline. */
static bool
count_bytes(
    unsigned char *bytes, const struct event *ev, enum key key, enum key of)
{
	size_t n;

	*bytes = 0;
	if (!event_has(ev, of))
		return true;
	n = emit_prefixes[key].len + ev->value[of].len;
	*bytes = (unsigned char)n;
	return n <= UINT8_MAX && *ev->value[of].p != '-';
}

/* the bytes of the members, for outlines */
static void
measure_members(struct range *r, const struct event *ev)
{
	static const enum key keys[][2] = {{KEY_pid, KEY_pid},
	    {KEY_tid, KEY_tid}, {KEY_name, KEY_name}, {KEY_domain, KEY_domain},
	    {KEY_category, KEY_category}, {KEY_color, KEY_color},
	    {KEY_range, KEY_id}};
	const size_t *at = r->at;
	size_t i, last, sum = 0;

	r->outlined = ev->plain && event_has(ev, KEY_ts);
	for (i = 0; i < OF_NAME + OF_DEPTH - 2; i++)
		r->outlined &=
		    count_bytes(&r->bytes[i], ev, keys[i][0], keys[i][1]);
	r->bytes[i++] = (unsigned char)(at[RANGE_DEPTH] - at[RANGE_PARENT]);
	r->bytes[i++] = (unsigned char)(at[RANGE_TIMES] - at[RANGE_DEPTH]);
	r->outlined &= count_bytes(&r->bytes[i], ev, KEY_range_ts, KEY_ts);
	last = at[RANGE_MEMBERS] - at[RANGE_TIMES] - r->bytes[i++];
	r->bytes[i] = (unsigned char)last;
	for (i = 0; i < RANGE_KEYS; i++)
		sum += r->bytes[i];
	r->outlined &= sum == r->members.len;
}

static void
write_members(
    struct range *r, const struct event *ev, const struct range *parent)
{
	struct text *t = &r->members;
	char *p = reserve(t, ev);
	size_t *at = r->at;

	p = put_ids_name(p, ev);
	at[RANGE_DOMAIN] = (size_t)(p - t->p);
	at[RANGE_NAME] = at[RANGE_DOMAIN] - name_length(ev);
	p = members_put_copy(p, KEY_domain, ev);
	at[RANGE_COLOR] = (size_t)(p - t->p);
	p = members_put_copy(p, KEY_category, ev);
	p = members_put_copy(p, KEY_color, ev);
	at[RANGE_ID] = (size_t)(p - t->p);
	p = members_put_id(p, KEY_range, ev, KEY_id);
	at[RANGE_PARENT] = (size_t)(p - t->p);
	if (parent != NULL)
		p = put_parent(p, parent);
	at[RANGE_DEPTH] = (size_t)(p - t->p);
	p = members_put_small(p, KEY_depth, r->depth);
	at[RANGE_TIMES] = (size_t)(p - t->p);
	p = put_range_times(p, r, ev);
	at[RANGE_MEMBERS] = (size_t)(p - t->p);
	text_end(t, p);
}

/* ---- records ---- */

/* event_true, fast for a key that is rare */
static inline bool
is_true(const struct event *ev, enum key k)
{
	return event_has(ev, k) && event_true(ev, k);
}

/* of an operator of PyTorch's profiler: its inputs, escaped */
static void
read_shapes(struct project *p, struct range *r, const struct event *ev)
{
	static const char *const names[] = {"Input Dims"};
	struct span dims;

	record_args_find(ev, names, 1, &dims, &p->scratch);
	p->shape.len = 0;
	if (dims.len > 0)
		text_add_json(&p->shape, dims.p, dims.len);
	if (p->shape.len > 2) /* without its quotes */
		text_add(&r->shapes, p->shape.p + 1, p->shape.len - 2);
}

static void
describe(struct range *r, const struct event *ev, int64_t ts)
{
	r->ts = ts;
	r->end = event_end(ev, r->ts);
	r->depth = 0;
	r->seen = event_has(ev, KEY_depth);
	r->silent = r->seen || is_true(ev, KEY_cut);
}

/* the parent of r, which may become one itself; NULL if it has none */
static struct range *
nest(struct project *p, struct range *r, struct nesting_thread *t,
    const struct event *ev)
{
	struct range *parent;

	r->parents = &t->unnamed.stack;
	if (event_has(ev, KEY_domain)) {
		p->scratch.len = 0;
		r->parents = &nesting_domain(
		    &p->nesting, t, event_str(ev, KEY_domain, &p->scratch))
				  ->stack;
	}
	if ((parent = nesting_parent(r->parents, r->ts, r->end)) != NULL)
		r->depth = parent->depth + 1;
	nesting_push(r->parents, r, r->ts, r->end);
	return parent;
}

/* true if another thread ended the range */
static bool
crosses_threads(const struct event *ev)
{
	return event_has(ev, KEY_end_tid) &&
	       event_int(ev, KEY_end_tid, 0) != event_int(ev, KEY_tid, NO_ID);
}

/* the names of the ranges around a range that crosses others, and its own */
static void
write_path(struct range *r)
{
	const struct nesting_stack *open = &r->thread->open;

	for (size_t i = 0; i < open->count; i++) {
		const struct nesting_slot *x = &open->slots[i];

		if (x->range != NULL &&
		    time_encloses_start(x->ts, x->end, r->ts, r->end))
			add_to_path(&r->path, x->range);
	}
	add_to_path(&r->path, r);
}

/* chain a range to the open ones; false if it crosses one */
static bool
chain_range(struct project_thread *state, struct range *r)
{
	struct range *x = state->innermost;

	for (; x != NULL && x->end <= r->ts; x = x->below)
		if (state->left < x->end)
			state->left = x->end;
	if (!is_in_chain(state, r->ts, r->end) ||
	    (x != NULL && x->end < r->end))
		return false;
	if (x != NULL)
		x->users++;
	r->below = x;
	r->level = x != NULL ? x->level + 1 : 0;
	r->chained = r->level >= SHALLOW;
	state->innermost = r;
	return true;
}

/* the range starts on its thread */
static void
open_range(struct project *p, struct range *r)
{
	struct nesting_thread *t = r->thread;
	struct project_thread *state = state_of(t);
	bool with_path = p->paths && !r->seen;

	leave_thread(p, t);
	if (!state->crossed && chain_range(state, r)) {
		if (with_path)
			add_chain_to_path(p, &r->path, r);
		return;
	}
	if (!state->crossed) {
		r->over = true; /* so that it is not on the stack yet */
		unchain(p, t);
		r->over = false;
	}
	if (with_path)
		write_path(r);
	push_range(t, r);
}

static void
close_range(struct project *p, struct range *r)
{
	struct project_thread *state = r->thread->around;

	leave_thread(p, r->thread);
	if (state->crossed)
		remove_open(r->thread, r);
	else if (state->innermost == r)
		state->innermost = r->below;
}

const struct range *
project_add(
    struct project *p, const struct event *ev, int64_t ts, int64_t forward)
{
	bool crosses = crosses_threads(ev);
	struct range *parent = NULL;
	struct nesting_thread *own;
	int64_t pid;
	struct range *r;

	p->unclosed += is_true(ev, KEY_open);
	if (crosses && !p->per_process)
		return NULL;
	r = new_range(p);
	describe(r, ev, ts);
	r->evaluates = forward_stack_evaluates(ev);
	if (p->shapes && event_has(ev, KEY_args))
		read_shapes(p, r, ev);
	r->forward = forward > 0;
	r->stack = r->forward ? forward : event_int(ev, KEY_stack, NO_ID);
	pid = event_int(ev, KEY_pid, NO_ID);
	own = nesting_thread(&p->nesting, pid, event_int(ev, KEY_tid, NO_ID));
	/* a range that never ends has no parent, and must not become one */
	if (!crosses && r->end != INT64_MAX)
		parent = nest(p, r, own, ev);
	if (r->stack == NO_ID && parent != NULL) {
		r->stack = parent->stack;
		r->forward = parent->forward;
	} else if (r->forward && parent != NULL && parent->evaluates) {
		parent->stack = r->stack;
		parent->forward = true;
	}
	write_members(r, ev, parent);
	r->outlined = false;
	if (p->outlines)
		measure_members(r, ev);

	r->thread = p->per_process ? thread_of(p, pid, NO_ID) : own;
	open_range(p, r);
	if (r->end != INT64_MAX)
		expiry_add(&p->expiry, r->end, r);
	return r;
}

static void
end_range(struct project *p, struct range *r)
{
	struct project_thread *state = r->thread->around;

	close_range(p, r);
	if (r->parents != NULL)
		nesting_remove(r->parents, r, r->ts);
	r->over = true;
	if (r->users == 0)
		complete(p, r);
	else
		leave_complete(p, &state->epochs);
}

void
project_end_ranges(struct project *p, int64_t ts)
{
	while (expiry_due(&p->expiry, ts))
		end_range(p, expiry_take(&p->expiry));
}

/* ---- the end ---- */

static void
settle(struct project *p)
{
	for (struct nesting_thread *t = p->nesting.first; t != NULL;
	     t = t->next) {
		struct project_thread *state = t->around;

		if (state != NULL)
			range_epochs_settle(&state->epochs);
	}
}

void
project_write(struct project *p)
{
	settle(p);
	for (struct range *r = p->newest; r != NULL; r = r->older)
		write_gpu_ranges(p, r);
}

static void
free_thread(struct nesting_thread *t)
{
	struct project_thread *state = t->around;
	struct range_chain *s;

	while (state != NULL && (s = state->chains) != NULL) {
		state->chains = s->next;
		range_chain_free(s);
	}
	if (state != NULL)
		range_epochs_free(&state->epochs);
	free(state);
}

void
project_clear(struct project *p)
{
	for (struct nesting_thread *t = p->nesting.first; t != NULL;
	     t = t->next)
		leave_thread(p, t);
	settle(p);
	while (p->newest != NULL) {
		write_gpu_ranges(p, p->newest);
		remove_range(p, p->newest);
	}
	for (struct nesting_thread *t = p->nesting.first; t != NULL;
	     t = t->next)
		free_thread(t);
	nesting_clear(&p->nesting);
	expiry_free(&p->expiry);
	p->unclosed = 0;
}

void
project_free(struct project *p)
{
	struct range *r;
	struct enclosing *e;

	project_clear(p);
	nesting_free(&p->nesting);
	while ((r = p->free) != NULL) {
		p->free = r->older;
		text_free(&r->members);
		text_free(&r->path);
		text_free(&r->shapes);
		free(r->others);
		free(r);
	}
	while ((e = p->free_enclosing) != NULL) {
		p->free_enclosing = e->next;
		text_free(&e->path);
		free(e->ranges);
		free(e);
	}
	free(p->chain);
	text_free(&p->scratch);
	text_free(&p->shape);
}
