/* chrome_events.c - an event becomes a record, by its phase */

#include "ascend_map.h"
#include "chrome_events.h"
#include "chrome_pairs.h"
#include "read/decimal_time.h"
#include "kineto_map.h"
#include "trace_args.h"
#include "xprof_map.h"
#include "tq/base/ascii.h"
#include "tq/line/json.h"

/*
 * Begin a record of the current event, on its thread; an NPU's parts of
 * Ascend's profiler are the host's.
 */
static void
begin_record(struct chrome *c, enum kind kind, int64_t ts, int64_t dur)
{
	int64_t pid = trace_args_pid(c), tid = trace_args_tid(c);
	bool part = c->ids.ascend && chrome_ids_part(&c->ids, pid);

	chrome_ids_thread(&c->ids, pid, tid);
	chrome_records_begin(c, &(struct chrome_record){.kind = kind,
				    .ts = ts,
				    .dur = dur,
				    .pid = pid,
				    .corr = NO_ID,
				    .owner = part ? OWNER_HOST : OWNER_PID});
	sorted_records_int(&c->section.records, KEY_tid, tid);
}

static void
add_name(struct chrome *c)
{
	sorted_records_value(
	    &c->section.records, KEY_name, trace_args_inner(c, TRACE_NAME));
}

static void
add_category(struct chrome *c)
{
	if (c->category->name.len > 0)
		sorted_records_value(
		    &c->section.records, KEY_category, c->category->name);
}

/* the stack of an event, by its id or as it stands; 0: none */
static int64_t
stack_of(struct chrome *c)
{
	struct span id = trace_args_member(c, TRACE_SF),
		    frames = trace_args_member(c, TRACE_STACK);
	struct text key = {0};
	int64_t n;

	if (id.p == NULL && (frames.p == NULL || *frames.p != '['))
		return 0;
	if (id.p != NULL)
		text_add_span(&key, lenient_inner(id));
	else
		lenient_write(&key, frames);
	n = intern_get(&c->stacks, text_span(&key)) + 1;
	text_free(&key);
	return n;
}

static void
add_stack(struct chrome *c)
{
	int64_t stack = stack_of(c);

	if (stack > 0)
		sorted_records_int(&c->section.records, KEY_stack, stack);
}

/* ---- phases ---- */

static void
complete(struct chrome *c, int64_t ts)
{
	struct sorted_records *h = &c->section.records;
	struct span text = trace_args_member(c, TRACE_DUR);
	int64_t dur = NEVER_ENDED;

	if (text.p != NULL && !decimal_time(lenient_inner(text), DECIMAL_US,
				  &dur, &c->section.rounded)) {
		chrome_lose(c, EVENT_LOST_NO_TIME);
		return;
	}
	if (dur < 0) {
		chrome_lose(c, EVENT_LOST_BACKWARD);
		return;
	}
	if (kineto_map_complete(c, ts, dur) || xprof_map_complete(c, ts, dur) ||
	    ascend_map_complete(c, ts, dur))
		return;
	begin_record(c, KIND_range, ts, dur);
	add_name(c);
	sorted_records_int(h, KEY_id, ++c->ranges);
	sorted_records_value(h, KEY_mode, SPAN("push"));
	add_category(c);
	sorted_records_open(h);
	add_stack(c);
	chrome_records_end(c);
}

static void
instant(struct chrome *c, int64_t ts)
{
	if (kineto_map_instant(c, ts))
		return;
	begin_record(c, KIND_mark, ts, NO_ID);
	add_name(c);
	add_category(c);
	chrome_records_end(c);
}

static void
sample(struct chrome *c, int64_t ts)
{
	begin_record(c, KIND_sample, ts, NO_ID);
	add_stack(c);
	chrome_records_end(c);
}

static void
flow(struct chrome *c, int64_t ts)
{
	struct sorted_records *h = &c->section.records;
	bool implied = c->category->class == CLASS_IMPLIED;
	int64_t pid, tid;

	if (implied && c->top.kineto) {
		chrome_fold(c);
		return;
	}
	if (ascend_map_flow(c, ts))
		return;
	pid = trace_args_pid(c);
	tid = trace_args_tid(c);
	chrome_ids_thread(&c->ids, pid, tid);
	chrome_records_begin(c, &(struct chrome_record){.kind = KIND_flow,
				    .ts = ts,
				    .dur = NO_ID,
				    .pid = pid,
				    .corr = NO_ID,
				    .implied = implied});
	sorted_records_int(h, KEY_tid, tid);
	add_name(c);
	sorted_records_value(h, KEY_flow, trace_args_inner(c, TRACE_ID));
	sorted_records_value(h, KEY_phase, trace_args_inner(c, TRACE_PH));
	add_category(c);
	chrome_records_end(c);
}

/* a number of JSON, or a string with one */
static bool
is_number(struct span value)
{
	struct span s = lenient_inner(value);

	return s.len > 0 && (*s.p == '-' || ascii_is_digit(*s.p)) &&
	       json_valid(s);
}

/* the number of a counter: of the event's name, id, and one of its args */
static int64_t
counter_of(struct chrome *c, struct span arg)
{
	struct span id = trace_args_inner(c, TRACE_ID);
	struct text name = {0};
	int64_t n;

	lenient_decode(&name, trace_args_inner(c, TRACE_NAME));
	if (c->event->args.count > 1) {
		text_add_char(&name, '.');
		lenient_decode(&name, arg);
	}
	if (id.len > 0) {
		text_add_char(&name, '[');
		lenient_decode(&name, id);
		text_add_char(&name, ']');
	}
	n = intern_get(&c->counters, text_span(&name)) + 1;
	text_free(&name);
	return n;
}

static void
counter(struct chrome *c, int64_t ts)
{
	struct sorted_records *h = &c->section.records;
	int64_t pid = trace_args_pid(c);

	if (c->event->args.count == 0)
		chrome_fold(c); /* it has no value */
	else
		c->count->n.events += (int64_t)c->event->args.count - 1;
	for (size_t i = 0; i < c->event->args.count; i++) {
		const struct json_member *a = &c->event->args.all[i];

		if (!is_number(a->value)) {
			chrome_lose(c, EVENT_LOST_COUNTER);
			continue;
		}
		chrome_records_begin(
		    c, &(struct chrome_record){.kind = KIND_counter,
			   .ts = ts,
			   .dur = NO_ID,
			   .pid = pid,
			   .corr = NO_ID});
		sorted_records_int(h, KEY_counter, counter_of(c, a->key));
		sorted_records_json(h, KEY_value, lenient_inner(a->value));
		sorted_records_end(h);
	}
}

static void
metadata(struct chrome *c)
{
	int64_t pid = trace_args_pid(c);
	int64_t tid = trace_args_tid(c);

	chrome_fold(c);
	for (size_t i = 0; i < c->event->args.count && pid != NO_ID; i++) {
		struct json_member *a = &c->event->args.all[i];

		if (lenient_is_string(a->value) &&
		    (span_eq(a->key, SPAN("name")) ||
			span_eq(a->key, SPAN("labels"))))
			chrome_ids_metadata(&c->ids,
			    trace_args_inner(c, TRACE_NAME), pid,
			    tid != NO_ID ? tid : 0, lenient_inner(a->value));
	}
}

/* ---- which phase ---- */

enum phase_meaning {
	PHASE_UNKNOWN,
	PHASE_FOLDED,
	PHASE_METADATA,
	PHASE_RECORD, /* record makes one */
	PHASE_PAIR
};

static const struct phase {
	void (*record)(struct chrome *, int64_t ts);
	enum phase_meaning meaning;
	enum chrome_pair pair;
} phases[CHROME_PHASES] = {
    ['X'] = {complete, PHASE_RECORD, 0},
    ['i'] = {instant, PHASE_RECORD, 0},
    ['I'] = {instant, PHASE_RECORD, 0},
    ['R'] = {instant, PHASE_RECORD, 0},
    ['n'] = {instant, PHASE_RECORD, 0},
    ['T'] = {instant, PHASE_RECORD, 0},
    ['p'] = {instant, PHASE_RECORD, 0},
    ['s'] = {flow, PHASE_RECORD, 0},
    ['t'] = {flow, PHASE_RECORD, 0},
    ['f'] = {flow, PHASE_RECORD, 0},
    ['C'] = {counter, PHASE_RECORD, 0},
    ['P'] = {sample, PHASE_RECORD, 0},
    ['B'] = {NULL, PHASE_PAIR, PAIR_BEGIN},
    ['E'] = {NULL, PHASE_PAIR, PAIR_END},
    ['b'] = {NULL, PHASE_PAIR, PAIR_ASYNC_BEGIN},
    ['S'] = {NULL, PHASE_PAIR, PAIR_ASYNC_BEGIN},
    ['e'] = {NULL, PHASE_PAIR, PAIR_ASYNC_END},
    ['F'] = {NULL, PHASE_PAIR, PAIR_ASYNC_END},
    ['M'] = {NULL, PHASE_METADATA, 0},
    ['O'] = {NULL, PHASE_FOLDED, 0},
    ['N'] = {NULL, PHASE_FOLDED, 0},
    ['D'] = {NULL, PHASE_FOLDED, 0},
    ['v'] = {NULL, PHASE_FOLDED, 0},
    ['V'] = {NULL, PHASE_FOLDED, 0},
    ['c'] = {NULL, PHASE_FOLDED, 0},
    ['('] = {NULL, PHASE_FOLDED, 0},
    [')'] = {NULL, PHASE_FOLDED, 0},
};

/* the character of the phase, or CHROME_NO_PHASE */
static int64_t
phase_of(const struct chrome *c)
{
	struct span s = trace_args_inner(c, TRACE_PH);

	return s.len == 1 && (unsigned char)*s.p < CHROME_PHASES
		   ? *s.p
		   : CHROME_NO_PHASE;
}

static void
count_event(struct chrome *c, int64_t phase, uint32_t category)
{
	bool fresh;

	c->count =
	    keyed_get(&c->counts, (uint64_t)phase, (uint64_t)category, &fresh);
	if (fresh)
		*c->count =
		    (struct chrome_count){.phase = phase, .category = category};
	c->count->n.events++;
}

static uint32_t
find_category(struct chrome *c)
{
	uint32_t n = intern_get(&c->categories, trace_args_inner(c, TRACE_CAT));

	if (n == c->category_count)
		*array_add(
		    &c->category_of, &c->category_count, &c->category_cap) =
		    kineto_map_category(intern_text(&c->categories, n));
	c->category = &c->category_of[n];
	return n;
}

/* facts about the file and its processes by the category */
static void
learn(struct chrome *c)
{
	enum chrome_class class = c->category->class;
	int64_t pid;

	if (class == CLASS_API || class == CLASS_CPU_OP ||
	    (class >= CLASS_KERNEL && class <= CLASS_SYNC))
		c->top.kineto = true;
	if ((class == CLASS_CPU_OP || class == CLASS_USER_ANNOTATION ||
		class == CLASS_PYTHON || class == CLASS_INSTANT ||
		class == CLASS_API) &&
	    trace_args_member(c, TRACE_PID).p != NULL &&
	    lenient_int(trace_args_member(c, TRACE_PID), &pid))
		chrome_ids_host(&c->ids, pid, class == CLASS_PYTHON);
}

/* {}, which XProf writes behind the last event */
static bool
is_empty(const struct trace_event *e)
{
	for (size_t i = 0; i < TRACE_MEMBER_COUNT; i++)
		if (e->member[i].p != NULL)
			return false;
	return e->args.count == 0;
}

void
chrome_events_take(struct chrome *c)
{
	const struct phase *p;
	struct span time;
	int64_t phase, ts;

	c->event = &c->reader.event;
	phase = phase_of(c);
	count_event(c, phase, find_category(c));
	learn(c);
	p = &phases[phase];
	time = trace_args_inner(c, TRACE_TS);
	if (p->meaning == PHASE_METADATA)
		metadata(c);
	else if (p->meaning == PHASE_FOLDED || is_empty(c->event))
		chrome_fold(c);
	else if (p->meaning == PHASE_UNKNOWN)
		chrome_lose(c, trace_args_member(c, TRACE_PH).p == NULL
				   ? EVENT_LOST_NO_PHASE
				   : EVENT_LOST_PHASE);
	else if (!decimal_time(time, DECIMAL_US, &ts, &c->section.rounded))
		chrome_lose(c, EVENT_LOST_NO_TIME);
	else if (p->meaning == PHASE_PAIR)
		chrome_pairs_add(c, ts, p->pair);
	else
		p->record(c, ts);
}

void
chrome_events_miss(struct chrome *c, enum event_loss why)
{
	c->reader.event.member[TRACE_CAT].p = NULL;
	c->event = &c->reader.event;
	count_event(c, CHROME_NO_PHASE, find_category(c));
	chrome_lose(c, why);
}
