/* evidence.c - what a recording can prove: its records */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/hash.h"
#include "tq/base/lower_bound.h"
#include "tq/base/time.h"
#include "tq/evidence/evidence.h"
#include "tq/line/cuda_words.h"
#include "tq/line/json.h"
#include "tq/line/record_args.h"
#include "tq/names.h"
#include "tq/names/model.h"

#include "evidence_facts.h"
#include "message.h"

enum {
	SECOND = 1000000000,
	LATER = 3,    /* operations that begin in one that is too long */
	ORDERED = 10, /* a stream has at most one such operation in so many */
	FIRST_SIZE = 1 << 10, /* of the table of waiting launches, which has */
	WAYS = 8,             /* places for each id */
	FEW_PROCESSES = 64, /* that an operation without one is looked for in */
	HANG_FRAMES = 3,    /* of the stack of a call that hangs */
	STACKS_MOST = 1 << 16 /* whose frames are kept */
};

/* ---- what goes in ---- */

void
evidence_keys(struct keyset *want)
{
	static const enum key api[] = {KEY_kind, KEY_ts, KEY_dur, KEY_pid,
	    KEY_tid, KEY_corr, KEY_name, KEY_ret, KEY_raw, KEY_open, KEY_gpu,
	    KEY_NONE};
	static const enum key work[] = {KEY_kind, KEY_ts, KEY_dur, KEY_pid,
	    KEY_corr, KEY_device, KEY_context, KEY_stream, KEY_copy, KEY_graph,
	    KEY_graph_node, KEY_api_ts, KEY_NONE};
	static const enum key trace[] = {
	    KEY_kind, KEY_source, KEY_os, KEY_args, KEY_NONE};
	static const enum key lost[] = {
	    KEY_kind, KEY_ts, KEY_reason, KEY_count, KEY_NONE};
	static const enum key message[] = {
	    KEY_kind, KEY_ts, KEY_severity, KEY_text, KEY_NONE};
	static const enum key osrt[] = {KEY_kind, KEY_ts, KEY_pid, KEY_tid,
	    KEY_name, KEY_open, KEY_stack, KEY_args, KEY_NONE};
	static const enum key stack[] = {
	    KEY_kind, KEY_id, KEY_frames, KEY_NONE};

	for (size_t k = 0; k < KIND_COUNT; k++)
		if (schema_role((enum kind)k) == ROLE_WORK)
			keyset_add_all(&want[k], work);
	keyset_add_all(&want[KIND_osrt], osrt);
	keyset_add_all(&want[KIND_stack], stack);
	keyset_add(&want[KIND_overhead], KEY_ts);
	keyset_add_all(&want[KIND_api], api);
	keyset_add_all(&want[KIND_trace], trace);
	keyset_add_all(&want[KIND_lost], lost);
	keyset_add_all(&want[KIND_diagnostic], message);
	losses_keys(want);
}

static struct evidence_process *
find_process(struct recording_evidence *x, const struct event *ev)
{
	bool fresh;
	struct evidence_process *p =
	    numbered_get(&x->processes, model_process(ev), &fresh);

	if (fresh)
		*p = (struct evidence_process){
		    .pid = event_int(ev, KEY_pid, NO_ID),
		    .section = x->section,
		    .without_first = INT64_MAX,
		    .launched = INT64_MIN,
		    .last_with = INT64_MIN,
		    .failed = INT64_MAX,
		    .first = INT64_MAX,
		    .early_first = INT64_MAX};
	x->last = model_process(ev);
	x->last_at = (size_t)(p - x->processes.all);
	return p;
}

static inline struct evidence_process *
get_process(struct recording_evidence *x, const struct event *ev)
{
	return x->last == model_process(ev) ? &x->processes.all[x->last_at]
					    : find_process(x, ev);
}

/* ---- launches and their operations ---- */

enum { IS_CALLED = 1, HAS_OPERATION = 2, KNOWS_CALL = 4 };

struct evidence_launch {
	uint32_t process;
	unsigned char is; /* 0: the place is empty */
	unsigned char kind;
	int64_t corr;
	int64_t ts, end; /* of the call, else of the operation */
	uint32_t thread;
	uint32_t name; /* a hash */
};

static void
lose_launch(struct recording_evidence *x, const struct evidence_launch *l)
{
	struct evidence_process *p = numbered_find(&x->processes, l->process);

	p->without[l->kind]++;
	p->before += l->ts < p->first;
	p->after += l->ts > p->last_with;
	if (p->without_first > l->ts)
		p->without_first = l->ts;
}

/* The places of an id, WAYS of them.  Ids of a process are dense: neighbours do
   not meet, and those of several processes seldom fill all places. */
static struct evidence_launch *
places_of(const struct recording_evidence *x, uint32_t process, int64_t corr)
{
	uint64_t hash = (uint64_t)corr + process * (uint64_t)0x9e3779b97f4a7c15;

	return &x->waiting[(hash & (x->waiting_size / WAYS - 1)) * WAYS];
}

static bool
is_waiting(const struct evidence_launch *l)
{
	return l->is == IS_CALLED;
}

static bool
is_of(const struct evidence_launch *l, uint32_t process, int64_t corr)
{
	return l->is != 0 && l->corr == corr && l->process == process;
}

/* The launch or operation that is known of an id; or NULL. */
static struct evidence_launch *
find_known(const struct recording_evidence *x, uint32_t process, int64_t corr)
{
	struct evidence_launch *all;

	if (x->waiting_size == 0)
		return NULL;
	all = places_of(x, process, corr);
	for (size_t i = 0; i < WAYS; i++)
		if (is_of(&all[i], process, corr))
			return &all[i];
	return NULL;
}

/* The place of an id that is least needed: one that nothing waits in, or the
   launch that waits for longest. */
static struct evidence_launch *
find_least(const struct recording_evidence *x, uint32_t process, int64_t corr)
{
	struct evidence_launch *all = places_of(x, process, corr), *least = all;

	for (size_t i = 0; i < WAYS && least->is != 0; i++)
		if (all[i].is == 0 ||
		    (is_waiting(least) && !is_waiting(&all[i])) ||
		    (is_waiting(least) == is_waiting(&all[i]) &&
			all[i].ts < least->ts))
			least = &all[i];
	return least;
}

static void
grow_waiting(struct recording_evidence *x)
{
	struct evidence_launch *old = x->waiting;
	size_t size = x->waiting_size;

	x->waiting_size = size == 0 ? FIRST_SIZE : size * 2;
	x->waiting = mem_alloc(x->waiting_size * sizeof(*x->waiting));
	for (size_t i = 0; i < size; i++)
		if (old[i].is != 0) /* there is an empty place */
			*find_least(x, old[i].process, old[i].corr) = old[i];
	free(old);
}

/* The place of an id: what has it, or what is to be replaced. */
static struct evidence_launch *
find_waiting(struct recording_evidence *x, uint32_t process, int64_t corr)
{
	struct evidence_launch *l = find_known(x, process, corr);

	if (l != NULL)
		return l;
	if (x->waiting_size == 0)
		grow_waiting(x);
	while (is_waiting(l = find_least(x, process, corr)) &&
	       x->waiting_size < EVIDENCE_WAITING)
		grow_waiting(x);
	return l;
}

/* The call has an operation: those without it so far are not the last ones. */
static void
have_operation(struct evidence_process *p, int64_t ts)
{
	if (p->last_with >= ts)
		return;
	p->last_with = ts;
	p->after = 0;
}

static void
be_early(struct evidence_process *p, int64_t ts, int64_t call)
{
	p->early_of++;
	if (ts >= call)
		return;
	p->early++;
	if (p->early_most < time_between(ts, call))
		p->early_most = time_between(ts, call);
	if (p->early_first > ts)
		p->early_first = ts;
}

/*
 * A call of which it is not known whether it has an operation.  The driver's
 * part of a call, with its id, lies in it, and has another name, or the same
 * with a version; any other call with that id is of another rank.
 */
static void
wait_for_operation(struct recording_evidence *x, struct evidence_process *p,
    const struct event *ev, enum evidence_launch_kind kind)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct evidence_launch now = {.process = model_process(ev),
	    .is = IS_CALLED,
	    .kind = (unsigned char)kind,
	    .corr = event_int(ev, KEY_corr, NO_ID),
	    .ts = ts,
	    .end = event_end(ev, ts),
	    .thread = model_thread(ev),
	    .name = (uint32_t)hash_text(ev->value[KEY_name])};
	struct evidence_launch *l = find_waiting(x, now.process, now.corr);

	if (!is_of(l, now.process, now.corr)) {
		p->launches[kind]++;
		if (is_waiting(l))
			lose_launch(x, l);
		*l = now;
	} else if ((l->is & IS_CALLED) == 0) { /* its operation came first */
		p->launches[kind]++;
		if ((l->is & KNOWS_CALL) == 0)
			be_early(p, l->ts, ts);
		have_operation(p, ts);
		now.is |= l->is;
		*l = now;
	} else if (l->thread != now.thread || now.ts < l->ts ||
		   now.end > l->end ||
		   (l->name == now.name && !event_has(ev, KEY_raw))) {
		p->launches[kind]++;
		p->twice += kind == EVIDENCE_LAUNCH;
	}
}

/* An operation, for its call, of which there is one of a process. */
static void
come_to_call(struct recording_evidence *x, struct evidence_process *p,
    const struct event *ev)
{
	int64_t corr = event_int(ev, KEY_corr, NO_ID);
	int64_t ts = event_int(ev, KEY_ts, 0);
	bool known = event_has(ev, KEY_api_ts);
	struct evidence_launch *l = find_waiting(x, model_process(ev), corr);

	if (!is_of(l, model_process(ev), corr)) {
		if (!is_waiting(l)) /* its call may be to come */
			*l = (struct evidence_launch){
			    .process = model_process(ev),
			    .is = (unsigned char)(HAS_OPERATION |
						  (known ? KNOWS_CALL : 0)),
			    .corr = corr,
			    .ts = ts};
		return;
	}
	if (!known && is_waiting(l))
		be_early(p, ts, l->ts);
	if ((l->is & IS_CALLED) != 0)
		have_operation(p, l->ts);
	l->is |= HAS_OPERATION;
}

/* An operation of an unknown process. */
static void
come_to_calls(struct recording_evidence *x, struct evidence_process *p,
    const struct event *ev)
{
	int64_t corr = event_int(ev, KEY_corr, NO_ID);
	size_t found = 0;

	for (size_t i = x->from;
	     i < x->processes.count && i - x->from < FEW_PROCESSES; i++) {
		struct evidence_process *of = &x->processes.all[i];
		uint32_t process = model_process_of(ev->model, of->pid);
		struct evidence_launch *l = find_known(x, process, corr);

		if (l == NULL || (l->is & IS_CALLED) == 0)
			continue;
		l->is |= HAS_OPERATION;
		found++;
	}
	p->shared += found > 1;
}

/* ---- calls ---- */

static void
add_failure(struct recording_evidence *x, const struct event *ev,
    const struct evidence_call *c, int64_t code)
{
	size_t call = (size_t)(c - x->calls.all);
	struct evidence_failure *f;
	struct text name = {0};
	bool fresh;

	if (x->failures.count == EVIDENCE_FAILURES &&
	    keyed_find(&x->failures, call, (uint64_t)code) == NULL)
		return;
	f = keyed_get(&x->failures, call, (uint64_t)code, &fresh);
	if (fresh)
		*f = (struct evidence_failure){.call = call,
		    .name =
			intern_get(&x->texts, event_str(ev, KEY_name, &name)),
		    .code = code,
		    .ts = event_int(ev, KEY_ts, NO_ID)};
	f->count++;
	text_free(&name);
}

/* True if calls of the API return codes, and their operations are recorded. */
static bool
is_examined(struct named_call call)
{
	return call.family == API_CUDA_RUNTIME ||
	       call.family == API_CUDA_DRIVER || call.family == API_HIP;
}

/* True if the API returns such a code where nothing is wrong. */
static bool
is_answer(struct named_call call, int64_t code)
{
	return call.role == API_QUERY || code == 600 || code == 704 ||
	       !is_examined(call);
}

/*
 * True if the process can't go on with its work where the call fails: not for
 * a context that is gone, nor for a call that changes nothing on a device.
 */
static bool
ends_work(struct named_call call, int64_t code)
{
	switch (call.role) {
	case API_LAUNCH:
	case API_GRAPH_LAUNCH:
	case API_COPY:
	case API_FILL:
	case API_WAIT:
		return code != 4 && code != 201 && code != 709;
	default:
		return false;
	}
}

static void
fail(struct recording_evidence *x, struct evidence_process *p,
    const struct event *ev, const struct evidence_call *c, int64_t code)
{
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (is_answer(c->call, code))
		return;
	add_failure(x, ev, c, code);
	if (ends_work(c->call, code) &&
	    (p->failed == INT64_MAX || p->failed > ts))
		p->failed = ts;
}

/* True if the call launches one operation or more. */
static bool
launches(struct named_call call, enum evidence_launch_kind *kind)
{
	switch (call.role) {
	case API_LAUNCH:
		*kind = EVIDENCE_LAUNCH;
		return true;
	case API_COPY:
		*kind = EVIDENCE_COPY;
		return call.about != API_PREFETCH;
	case API_FILL:
		*kind = EVIDENCE_FILL;
		return true;
	default:
		return false;
	}
}

static void
succeed(struct recording_evidence *x, struct evidence_process *p,
    const struct event *ev, struct named_call call)
{
	enum evidence_launch_kind kind;
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (call.about == API_CAPTURE_BEGIN)
		p->captures++;
	if (call.about == API_CAPTURE_END && p->captures > 0)
		p->captures--;
	if (call.role == API_LAUNCH || call.role == API_GRAPH_LAUNCH)
		p->launched = ts;
	if (!is_examined(call) || p->captures > 0 || !launches(call, &kind) ||
	    !event_has(ev, KEY_corr))
		return;
	if (event_has(ev, KEY_gpu)) {
		p->launches[kind]++;
		x->counting = true;
		if (event_small_int(ev, KEY_gpu, 0) > 0) {
			have_operation(p, ts);
			return;
		}
	} else if (!x->counting) {
		wait_for_operation(x, p, ev, kind);
		return;
	} else
		p->launches[kind]++;
	lose_launch(x, &(struct evidence_launch){.process = model_process(ev),
			   .kind = (unsigned char)kind,
			   .ts = ts});
}

/* The calls of its name in its process; names come again and again. */
static struct evidence_call *
get_call(struct recording_evidence *x, const struct event *ev)
{
	uint64_t hash = hash_text(ev->value[KEY_name]);
	uint32_t process = model_process(ev);
	uint32_t *recent = &x->recent[(hash + process) % EVIDENCE_RECENT];
	struct evidence_call *c;
	bool fresh;

	if (*recent > 0) {
		c = &x->calls.all[*recent - 1];
		if (c->hash == hash && c->process == process)
			return c;
	}
	c = keyed_get(&x->calls, hash, process, &fresh);
	if (fresh)
		*c = (struct evidence_call){.hash = hash,
		    .process = process,
		    .call = api_call_of_event(ev)};
	*recent = (uint32_t)(c - x->calls.all) + 1;
	return c;
}

static void
add_call(struct recording_evidence *x, const struct event *ev)
{
	struct evidence_process *p = get_process(x, ev);
	struct evidence_call *c = get_call(x, ev);
	int64_t code = event_small_int(ev, KEY_ret, 0);
	bool again = twice_seen(&x->twice, ev);

	c->count += !again;
	if (code == 0)
		succeed(x, p, ev, c->call);
	else if (!again)
		fail(x, p, ev, c, code);
}

/* ---- operations ---- */

static struct evidence_stream *
get_stream(struct recording_evidence *x, const struct event *ev)
{
	bool fresh;
	struct evidence_stream *s =
	    numbered_get(&x->streams, model_stream(ev), &fresh);

	if (fresh)
		*s = (struct evidence_stream){.process = model_process(ev),
		    .ts = INT64_MIN,
		    .end = INT64_MIN,
		    .first = INT64_MAX};
	return s;
}

/* Operations of a stream run one after the other, but for those of graphs. */
static void
add_to_stream(struct recording_evidence *x, const struct event *ev, int64_t ts,
    int64_t end)
{
	struct evidence_stream *s = get_stream(x, ev);

	s->operations++;
	if (ts < s->end &&
	    (++s->later >= LATER || time_between(ts, s->end) >= SECOND)) {
		if (s->over < s->later)
			s->over = s->later;
		if (!s->is_long) {
			s->too_long++;
			s->wrong =
			    time_end(s->wrong, time_between(s->ts, s->end));
			if (s->first > s->ts)
				s->first = s->ts;
		}
		s->is_long = true;
	}
	if (end <= s->end)
		return;
	s->ts = ts;
	s->end = end;
	s->later = 0;
	s->is_long = false;
}

/* True if the operation starts when others of its stream have ended. */
static bool
is_in_turn(const struct event *ev)
{
	return event_has(ev, KEY_stream) && event_has(ev, KEY_corr) &&
	       !event_has(ev, KEY_graph) && !event_has(ev, KEY_graph_node) &&
	       !(event_has(ev, KEY_copy) &&
		   cuda_words_is_migration(ev->value[KEY_copy]));
}

static void
add_operation(struct recording_evidence *x, const struct event *ev)
{
	struct evidence_process *p = get_process(x, ev);
	int64_t ts = event_int(ev, KEY_ts, 0), dur = event_int(ev, KEY_dur, 0);

	if (ts == 0 && dur == 0 && event_has(ev, KEY_dur)) {
		x->without_time++;
		x->left_out++;
		return;
	}
	if (event_has(ev, KEY_dur) && *ev->value[KEY_dur].p == '-') {
		x->left_out++;
		if (x->backward++ == 0)
			x->backward_at = ts;
		return;
	}
	p->operations++;
	p->work = time_end(p->work, dur);
	if (p->first > ts)
		p->first = ts;
	if (event_has(ev, KEY_api_ts))
		be_early(p, ts, event_int(ev, KEY_api_ts, 0));
	if (!x->counting && event_has(ev, KEY_corr)) {
		if (event_has(ev, KEY_pid))
			come_to_call(x, p, ev);
		else if (x->waiting_size > 0)
			come_to_calls(x, p, ev);
	}
	if (is_in_turn(ev))
		add_to_stream(x, ev, ts, event_end(ev, ts));
}

/* ---- the recording ---- */

static bool
names_wsl(const struct event *trace, enum key k)
{
	struct span v = trace->value[k];

	return event_has(trace, k) && memmem(v.p, v.len, "WSL", 3) != NULL;
}

static void
add_loss(struct recording_evidence *x, const struct event *ev)
{
	int64_t n = losses_add(&x->losses, ev);
	int64_t ts = event_int(ev, KEY_ts, NO_ID);
	struct span reason = ev->value[KEY_reason];

	if (!event_has(ev, KEY_reason))
		reason = SPAN("");
	if (span_eq(reason, SPAN("\"" EVIDENCE_NO_TIME "\"")) ||
	    span_eq(reason, SPAN("\"" EVIDENCE_BACKWARD "\"")))
		x->lost_by_time = time_end(x->lost_by_time, n);
	if (span_eq(reason, SPAN("\"" EVIDENCE_NO_TIME "\""))) {
		x->without_time = time_end(x->without_time, n);
		x->left_out = time_end(x->left_out, n);
	} else if (span_eq(reason, SPAN("\"" EVIDENCE_BACKWARD "\""))) {
		x->left_out = time_end(x->left_out, n);
		if (x->backward == 0)
			x->backward_at = NO_ID;
		x->backward = time_end(x->backward, n);
	} else {
		if (x->lost == 0 || (ts != NO_ID && ts < x->lost_at))
			x->lost_at = ts;
		x->lost = time_end(x->lost, n);
	}
}

static void
add_message(struct recording_evidence *x, const struct event *ev)
{
	_Static_assert(MESSAGES <= sizeof(x->messages) / sizeof(*x->messages),
	    "each meaning has a count");
	struct text t = {0};
	struct span text = event_str(ev, KEY_text, &t), line;
	bool error = event_is(ev, KEY_severity, SPAN("error"));
	int64_t n = 0;
	enum message m = message_of(text, error, &n);

	if (m == MESSAGE_DROPPED) {
		if (x->lost == 0)
			x->lost_at = event_int(ev, KEY_ts, NO_ID);
		x->lost = time_end(x->lost, n);
	} else if (m != MESSAGE_NOTHING)
		x->messages[m]++;
	x->old_profiler |= m == MESSAGE_OLD_PROFILER;
	if (m == MESSAGE_ERROR && x->error.len == 0 &&
	    span_next_line(&text, &line))
		x->error = region_copy(&x->life, line);
	text_free(&t);
}

/* ---- calls that hang ---- */

/* The thread that has the lock of a call, or NO_ID. */
static int64_t
owner_of(const struct event *ev)
{
	static const char *const name[] = {"owner"};
	int64_t owner;
	struct text scratch = {0};
	struct span value;

	record_args_find(ev, name, 1, &value, &scratch);
	if (!record_args_int(value, &owner))
		owner = NO_ID;
	text_free(&scratch);
	return owner;
}

/* Append the innermost frames of a stack that are of the program. */
static void
add_frames(struct text *t, struct span stack)
{
	struct text frame = {0};
	struct json j;
	struct span value;
	int n = 0;

	json_open_array(&j, stack);
	while (n < HANG_FRAMES && json_next_element(&j, &value)) {
		frame.len = 0;
		json_decode(&frame, value);
		if (names_is_of_system(text_span(&frame)))
			continue;
		text_add_str(t, n++ > 0 ? " < " : "");
		text_add_span(t, text_span(&frame));
	}
	text_free(&frame);
}

static void
add_stack(struct recording_evidence *x, const struct event *ev)
{
	struct text t = {0};

	if (!event_has(ev, KEY_id) || !event_has(ev, KEY_frames))
		return;
	/* calls that hang come last, and so do their stacks */
	if (x->stacks.count >= STACKS_MOST)
		map_clear(&x->stacks);
	add_frames(&t, ev->value[KEY_frames]);
	*map_get(&x->stacks, (uint64_t)event_int(ev, KEY_id, 0), 0) =
	    (uint64_t)intern_get(&x->texts, text_span(&t)) + 1;
	text_free(&t);
}

/* Append the line of the source of a call; false: not known. */
static bool
add_source(struct text *t, const struct event *ev)
{
	static const char *const name[] = {"source"};
	struct text scratch = {0};
	struct span value;

	record_args_find(ev, name, 1, &value, &scratch);
	if (value.len > 0)
		json_decode(t, value);
	text_free(&scratch);
	return value.len > 0;
}

/* Append where a call was made, as far as it is known: "hang.c:12 in f (hang)",
   the innermost function first. */
static void
add_place(
    struct text *t, const struct recording_evidence *x, const struct event *ev)
{
	const uint64_t *frames =
	    event_has(ev, KEY_stack)
		? map_find(
		      &x->stacks, (uint64_t)event_int(ev, KEY_stack, NO_ID), 0)
		: NULL;
	bool source = add_source(t, ev);

	if (frames == NULL)
		return;
	if (source)
		text_add_str(t, " in ");
	text_add_span(t, intern_text(&x->texts, (uint32_t)(*frames - 1)));
}

static void
add_hang(struct recording_evidence *x, const struct event *ev)
{
	struct text name = {0}, place = {0};

	if (x->hang_count == EVIDENCE_HANGS_MOST)
		return;
	add_place(&place, x, ev);
	*array_add(&x->hangs, &x->hang_count, &x->hang_cap) =
	    (struct evidence_hang){.pid = event_int(ev, KEY_pid, NO_ID),
		.tid = event_int(ev, KEY_tid, NO_ID),
		.owner = owner_of(ev),
		.api = ev->kind == KIND_api,
		.ts = event_int(ev, KEY_ts, 0),
		.name = region_copy(&x->life, event_str(ev, KEY_name, &name)),
		.at = region_copy(&x->life, text_span(&place))};
	text_free(&place);
	text_free(&name);
}

/* They last to the end of the section. */
static void
end_hangs(struct recording_evidence *x)
{
	for (; x->hang_from < x->hang_count; x->hang_from++)
		x->hangs[x->hang_from].end = x->latest;
	x->latest = INT64_MIN;
}

/* ---- sections ---- */

/* Sum up a stream, unless its operations have no order at all. */
static void
close_stream(struct recording_evidence *x, const struct evidence_stream *s)
{
	struct evidence_process *p = numbered_find(&x->processes, s->process);

	if (s->too_long == 0 || s->too_long * ORDERED > s->operations)
		return;
	if (x->too_long == 0 || x->too_long_at > s->first)
		x->too_long_at = s->first;
	x->too_long += s->too_long;
	if (x->over < s->over)
		x->over = s->over;
	p->wrong = time_end(p->wrong, s->wrong);
}

/* Launches whose operation is left out have one. */
static void
forgive_launches(struct recording_evidence *x)
{
	for (size_t i = x->from; i < x->processes.count; i++)
		for (int k = 0; k < EVIDENCE_LAUNCH_KINDS; k++) {
			int64_t *n = &x->processes.all[i].without[k];
			int64_t m = *n < x->left_out ? *n : x->left_out;

			*n -= m;
			x->left_out -= m;
		}
}

static void
close_section(struct recording_evidence *x)
{
	for (size_t i = 0; i < x->waiting_size; i++)
		if (is_waiting(&x->waiting[i]))
			lose_launch(x, &x->waiting[i]);
	if (x->waiting_size > 0)
		memset(x->waiting, 0, x->waiting_size * sizeof(*x->waiting));
	forgive_launches(x);
	for (size_t i = 0; i < x->streams.count; i++)
		close_stream(x, &x->streams.all[i]);
	numbered_clear(&x->streams);
	twice_reset(&x->twice);
	x->cut += x->begun && !x->ended;
	end_hangs(x);
	evidence_facts_section(x);
}

static void
begin_section(struct recording_evidence *x)
{
	if (x->section > 0)
		close_section(x);
	x->section++;
	x->from = x->processes.count;
	x->begun = x->ended = x->counting = false;
	x->losses = (struct losses){0};
	map_clear(&x->stacks);
	x->records = x->left_out = 0;
}

void
evidence_event(struct recording_evidence *x, const struct event *ev)
{
	if (ev->kind == KIND_trace || x->section == 0 || x->ended)
		begin_section(x);
	x->records++;
	if (x->hang_from < x->hang_count && event_has(ev, KEY_ts) &&
	    x->latest < event_int(ev, KEY_ts, 0))
		x->latest = event_int(ev, KEY_ts, 0);
	if (schema_role(ev->kind) == ROLE_WORK) {
		if (event_has(ev, KEY_ts))
			add_operation(x, ev);
		return;
	}
	switch (ev->kind) {
	case KIND_api:
		if (event_has(ev, KEY_name))
			add_call(x, ev);
		if (event_true(ev, KEY_open) && event_has(ev, KEY_name))
			add_hang(x, ev);
		break;
	case KIND_osrt:
		if (event_true(ev, KEY_open) && event_has(ev, KEY_name))
			add_hang(x, ev);
		break;
	case KIND_stack:
		add_stack(x, ev);
		break;
	case KIND_lost:
		add_loss(x, ev);
		break;
	case KIND_diagnostic:
		if (event_has(ev, KEY_text))
			add_message(x, ev);
		break;
	case KIND_trace:
		x->begun = true;
		x->wsl |= names_wsl(ev, KEY_os) || names_wsl(ev, KEY_args);
		x->xprof = event_is(ev, KEY_source, SPAN("xprof"));
		x->rocpd = event_is(ev, KEY_source, SPAN("rocpd"));
		break;
	case KIND_end:
		x->ended = true;
		x->lost = time_end(x->lost, losses_add(&x->losses, ev));
		break;
	default:
		break;
	}
}

void
evidence_finish(struct recording_evidence *x)
{
	if (x->section > 0)
		close_section(x);
	evidence_facts_make(x);
}

unsigned
evidence_takes(const struct recording_evidence *x, size_t section, int64_t pid)
{
	unsigned takes = 0;
	size_t i; /* processes come section by section */

	LOWER_BOUND(
	    i, 0, x->processes.count, x->processes.all[i].section < section);
	for (; i < x->processes.count && x->processes.all[i].section == section;
	     i++) {
		const struct evidence_process *p = &x->processes.all[i];

		if (p->pid == pid || pid == NO_ID || p->pid == NO_ID)
			takes |= p->takes;
	}
	return takes;
}

unsigned
evidence_takes_any(const struct recording_evidence *x)
{
	unsigned takes = 0;

	for (size_t i = 0; i < x->processes.count; i++)
		takes |= x->processes.all[i].takes;
	return takes;
}

const char *
evidence_takes_word(unsigned bit)
{
	static const char *const words[EVIDENCE_TAKES_COUNT] = {
	    "advice", "verdict", "idle", "graphs", "shares", "queue"};

	return words[bit];
}

const char *
evidence_name(enum evidence_check check)
{
	static const char *const names[EVIDENCE_CHECKS] = {
	    [EVIDENCE_HANGS] = "hang",
	    [EVIDENCE_FAILED] = "failed-calls",
	    [EVIDENCE_MERGED] = "merged-ranks",
	    [EVIDENCE_WITHOUT_OPERATION] = "launches-without-operation",
	    [EVIDENCE_DURATIONS] = "impossible-durations",
	    [EVIDENCE_LOSSES] = "losses",
	    [EVIDENCE_WITHOUT_TIME] = "operations-without-time",
	    [EVIDENCE_CLOCKS] = "clocks-differ",
	    [EVIDENCE_DIAGNOSTICS] = "diagnostics",
	};

	return names[check];
}

const struct evidence_fact *
evidence_find(const struct recording_evidence *x, enum evidence_check check)
{
	for (size_t i = 0; i < x->fact_count; i++)
		if (x->facts[i].check == check)
			return &x->facts[i];
	return NULL;
}

void
evidence_free(struct recording_evidence *x)
{
	numbered_free(&x->processes);
	numbered_free(&x->streams);
	keyed_free(&x->calls);
	twice_free(&x->twice);
	keyed_free(&x->failures);
	free(x->waiting);
	free(x->hangs);
	map_free(&x->stacks);
	intern_free(&x->texts);
	region_free(&x->life);
	*x = (struct recording_evidence){0};
}
