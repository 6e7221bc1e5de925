/* wprof_events.c - an event of wprof becomes a record, by its type */

#include <strings.h>

#include "read/decimal_time.h"
#include "tq/base/array.h"
#include "tq/base/cpp_name.h"
#include "tq/line/cuda_words.h"
#include "tq/names/api_call.h"
#include "wprof_events.h"

/* the bytes that a string stands for; good until the next call */
static struct span
decoded(struct wprof *w, struct span value)
{
	w->scratch.len = 0;
	if (value.p != NULL)
		lenient_decode(&w->scratch, lenient_inner(value));
	return text_span(&w->scratch);
}

/* a task: its ids, and a thread with its name; the rest goes to args */
static void
take_task(struct wprof *w, struct span task, int64_t *pid, int64_t *tid)
{
	struct task_names *names = &w->section.tasks;
	struct json_members m = {0};
	struct span comm, pcomm;

	*pid = *tid = NO_ID;
	if (task.p == NULL)
		return;
	json_members_read(&m, task);
	*pid = json_members_take_int(&m, SPAN("pid"));
	*tid = json_members_take_int(&m, SPAN("tid"));
	comm = json_members_take(&m, SPAN("comm"));
	pcomm = json_members_take(&m, SPAN("pcomm"));
	json_members_write(&m, &w->task_args, 0);
	json_members_free(&m);
	if (*pid == NO_ID || *tid == NO_ID)
		return; /* idle */
	task_names_thread(names, *pid, *tid, decoded(w, comm));
	if (pcomm.p == NULL && *pid == *tid)
		pcomm = comm;
	task_names_process(names, *pid, decoded(w, pcomm));
}

/* ---- keys ---- */

static bool
has_prefix(struct span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.len >= n && strncasecmp(s.p, prefix, n) == 0;
}

/* "device_static" as other sources spell it; else as it is */
static struct span
memory_word(struct span s)
{
	static const char *const words[] = {
#define MEMORY(cupti, nsys, word) word,
#include "tq/cuda.def"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]), j = 0;

		while (j < n && n == s.len &&
		       ((s.p[j] | 32) == (words[i][j] | 32) ||
			   (s.p[j] == '_' && words[i][j] == ' ')))
			j++;
		if (j == n && n == s.len)
			return span_of(words[i]);
	}
	return s;
}

static struct span
sync_word(struct span s)
{
	static const char *const words[][2] = {
	    {"stream_wait", "stream wait event"}, {"stream", "stream"},
	    {"event", "event"}, {"context", "context"}, {"ctx", "context"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (has_prefix(s, words[i][0]))
			return span_of(words[i][1]);
	return s;
}

/* the number of a kernel; its base name is found out once */
static uint32_t
symbol_of(struct wprof *w, struct span name)
{
	uint32_t n = intern_get(&w->symbols, name);

	if (n == w->base_count)
		*array_add(&w->bases, &w->base_count, &w->base_cap) =
		    cpp_name_base(intern_text(&w->symbols, n));
	return n;
}

static void
lift_text(struct wprof *w, const struct wprof_lift *l, struct span value)
{
	struct sorted_records *h = &w->section.records;
	struct span s = decoded(w, value), base = cuda_words_function(s);
	uint32_t symbol;

	switch (l->how) {
	case WPROF_FUNCTION:
		sorted_records_str(h, l->key, base);
		break;
	case WPROF_RAW:
		if (base.len < s.len)
			sorted_records_str(h, l->key, s);
		break;
	case WPROF_API:
		sorted_records_str(h, l->key,
		    api_call_of(s).family == API_CUDA_DRIVER
			? SPAN("cuda-driver")
			: SPAN("cuda-runtime"));
		break;
	case WPROF_KERNEL:
		symbol = symbol_of(w, s);
		sorted_records_str(h, l->key, w->bases[symbol]);
		break;
	case WPROF_SYMBOL:
		sorted_records_int(h, l->key, (int64_t)symbol_of(w, s) + 1);
		break;
	case WPROF_MEMORY:
		sorted_records_str(h, l->key, memory_word(s));
		break;
	case WPROF_SYNC:
		sorted_records_str(h, l->key, sync_word(s));
		break;
	default:
		sorted_records_str(h, l->key, s);
	}
}

static void
lift_keys(struct wprof *w)
{
	struct sorted_records *h = &w->section.records;
	struct span value;

	for (const struct wprof_lift *l = w->type->lifts; l->member != NULL;
	     l++) {
		if (l->how == WPROF_INT) {
			sorted_records_int(h, l->key,
			    json_members_take_int(
				&w->event, span_of(l->member)));
		} else if (l->how == WPROF_THREE) {
			if (json_members_take_three(
				&w->event, span_of(l->member), &w->scratch))
				sorted_records_json(
				    h, l->key, text_span(&w->scratch));
		} else if ((value = json_members_take(
				&w->event, span_of(l->member)))
			       .p != NULL) {
			lift_text(w, l, value);
		}
	}
}

/* append members, which may be none */
static void
join(struct text *to, struct span members)
{
	if (to->len > 0 && members.len > 0)
		text_add_char(to, ',');
	text_add_span(to, members);
}

/* the rest, and the members of args */
static struct span
left_over(struct wprof *w)
{
	struct span args = json_members_take(&w->event, SPAN("args"));
	struct json_members inner = {0};

	w->args.len = 0;
	json_members_write(&w->event, &w->args, 0);
	join(&w->args, text_span(&w->task_args));
	if (args.p != NULL) {
		json_members_read(&inner, args);
		json_members_write(&inner, &w->args, 0);
		json_members_free(&inner);
	}
	return text_span(&w->args);
}

static void
put_args(struct wprof *w, struct span args)
{
	sorted_records_args(&w->section.records, args);
}

/* ---- records ---- */

/* whose it is */
static void
put_task(struct wprof *w, int64_t pid, int64_t tid)
{
	sorted_records_int(&w->section.records, KEY_pid, pid);
	sorted_records_int(&w->section.records, KEY_tid, tid);
}

static void
make_record(struct wprof *w, int64_t ts, int64_t dur)
{
	struct sorted_records *h = &w->section.records;
	enum kind kind = w->type->kind;

	sorted_section_begin(&w->section, kind, ts, dur);
	put_task(w, w->pid, w->type->of_process ? NO_ID : w->tid);
	if (kind == KIND_mark && w->type->lifts->member == NULL)
		sorted_records_value(h, KEY_name, w->type_name);
	lift_keys(w);
	if (kind == KIND_osrt) { /* the type is not its name */
		left_over(w);
		text_add_str(&w->args,
		    w->args.len > 0 ? ",\"category\":" : "\"category\":");
		lenient_write_string(&w->args, w->type_name);
		put_args(w, text_span(&w->args));
	} else {
		put_args(w, left_over(w));
	}
	sorted_section_end(&w->section);
}

static void
put_sched(struct wprof *w, bool on, const char *state, const char *reason)
{
	struct sorted_records *h = &w->section.records;

	sorted_records_int(
	    h, KEY_cpu, json_members_take_int(&w->event, SPAN("cpu")));
	sorted_records_json(h, KEY_on, on ? SPAN("true") : SPAN("false"));
	if (state != NULL)
		sorted_records_value(
		    h, KEY_state, json_members_take(&w->event, span_of(state)));
	if (reason != NULL)
		sorted_records_value(h, KEY_reason,
		    json_members_take(&w->event, span_of(reason)));
}

/* the thread that leaves, with its state */
static void
make_off(struct wprof *w, int64_t ts)
{
	static const char *const args[] = {"prev_prio", "pmus"};
	struct span value;

	sorted_section_begin(&w->section, KIND_sched, ts, NO_ID);
	put_task(w, w->pid, w->tid);
	put_sched(w, false, "prev_state", NULL);
	w->args.len = 0;
	for (size_t i = 0; i < sizeof(args) / sizeof(args[0]); i++)
		if ((value = json_members_take(&w->event, span_of(args[i])))
			.p != NULL) {
			if (w->args.len > 0)
				text_add_char(&w->args, ',');
			text_printf(&w->args, "\"%s\":", args[i]);
			lenient_write(&w->args, value);
		}
	put_args(w, text_span(&w->args));
	sorted_section_end(&w->section);
}

/* an idle processor has no thread, and so no record */
static void
make_switch(struct wprof *w, int64_t ts)
{
	struct event_count *n = w->section.counts.now;
	int64_t before = n->records, pid, tid;

	take_task(w, json_members_take(&w->event, SPAN("next")), &pid, &tid);
	if (w->tid != NO_ID)
		make_off(w, ts);
	if (tid != NO_ID) {
		sorted_section_begin(&w->section, KIND_sched, ts, NO_ID);
		put_task(w, pid, tid);
		put_sched(w, true, NULL, "waking_reason");
		put_args(w, left_over(w));
		sorted_section_end(&w->section);
	}
	if (n->records == before)
		n->folded++;
	else
		n->events += n->records - before - 1; /* it is two events */
}

/* ---- ranges ---- */

/* threads have a stack of ranges for each domain */
static uint64_t
domain_of(const struct wprof_type *type)
{
	return type->domain[0] == 'u' ? 2 : type->domain[0] == 'p';
}

static void
begin_range(struct wprof *w, int64_t ts)
{
	struct open_range *o =
	    open_ranges_begin(&w->open, (uint64_t)w->tid, domain_of(w->type));
	struct span name = json_members_take(&w->event, SPAN("name"));
	int64_t stack = json_members_take_int(&w->event, SPAN("stack_id"));

	o->ts = ts;
	o->pid = w->pid;
	o->tid = w->tid;
	o->type = (size_t)(w->section.counts.now - w->section.counts.all);
	o->domain = w->type->domain;
	o->stack = stack;
	if (name.p != NULL)
		lenient_decode(&o->name, lenient_inner(name));
	text_add_span(&o->text, left_over(w));
}

/* the range of a begin; args are more members */
static void
write_range(
    struct wprof *w, const struct open_range *o, int64_t dur, struct span args)
{
	struct sorted_records *h = &w->section.records;
	struct event_counts *counts = &w->section.counts;
	struct event_count *now = counts->now;
	struct text all = {0};

	sorted_section_begin(&w->section, KIND_range, o->ts, dur);
	put_task(w, o->pid, o->tid);
	sorted_records_str(h, KEY_name, text_span(&o->name));
	sorted_records_int(h, KEY_id, ++w->ranges);
	sorted_records_str(h, KEY_mode, SPAN("push"));
	sorted_records_str(h, KEY_domain, span_of(o->domain));
	sorted_records_open(h);
	sorted_records_int(h, KEY_stack, o->stack);
	join(&all, text_span(&o->text));
	join(&all, args);
	put_args(w, text_span(&all));
	text_free(&all);
	counts->now = &counts->all[o->type];
	sorted_section_end(&w->section);
	counts->now = now;
}

static void
end_range(struct wprof *w, int64_t ts)
{
	struct span name = json_members_take(&w->event, SPAN("name"));
	const struct open_range *o;

	/* values that the begin had already */
	json_members_take(&w->event, SPAN("cpu"));
	json_members_take(&w->event, SPAN("utrace_id"));
	w->name.len = 0;
	if (name.p != NULL)
		lenient_decode(&w->name, lenient_inner(name));
	o = open_ranges_end(&w->open, (uint64_t)w->tid, domain_of(w->type),
	    text_span(&w->name));
	if (o == NULL) {
		event_counts_lose(&w->section.counts, EVENT_LOST_END);
		return;
	}
	w->section.counts.now->paired++;
	write_range(w, o, time_between(o->ts, ts), left_over(w));
}

static void
write_open(void *wprof, const struct open_range *o)
{
	write_range(wprof, o, NEVER_ENDED, SPAN(""));
}

void
wprof_events_finish(struct wprof *w)
{
	open_ranges_rest(&w->open, write_open, w);
}

/* ---- all ---- */

/*
 * The times of the current event, whose ts is its end; false if it has none.
 * start_ts is absent if it began before the session.
 */
static bool
take_times(struct wprof *w, int64_t *ts, int64_t *dur)
{
	int64_t *rounded = &w->section.rounded, start;
	struct span end = json_members_take(&w->event, SPAN("ts")), text;

	*dur = NO_ID;
	if (end.p == NULL ||
	    !decimal_time(lenient_inner(end), DECIMAL_S, ts, rounded))
		return false;
	if (w->type->kind == KIND_mark || w->type->meaning != WPROF_RECORD ||
	    (text = json_members_take(&w->event, SPAN("dur"))).p == NULL)
		return true;
	if (!decimal_time(lenient_inner(text), DECIMAL_S, dur, rounded) ||
	    __builtin_sub_overflow(*ts, *dur, ts))
		return false;
	text = json_members_take(&w->event, SPAN("start_ts"));
	if (text.p != NULL &&
	    decimal_time(lenient_inner(text), DECIMAL_S, &start, rounded))
		*ts = start;
	return true;
}

void
wprof_events_take(struct wprof *w)
{
	int64_t ts, dur;

	w->task_args.len = 0;
	take_task(w, json_members_take(&w->event, span_of(w->type->task)),
	    &w->pid, &w->tid);
	if (!take_times(w, &ts, &dur)) {
		event_counts_lose(&w->section.counts, EVENT_LOST_NO_TIME);
		return;
	}
	switch (w->type->meaning) {
	case WPROF_SWITCH:
		make_switch(w, ts);
		break;
	case WPROF_BEGIN:
		begin_range(w, ts);
		break;
	case WPROF_END:
		end_range(w, ts);
		break;
	default:
		make_record(w, ts, dur);
	}
}
