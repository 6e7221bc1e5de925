/*
 * open_waits.c - waits: calls that never returned, and where threads wait that
 * were never seen to run, until the end of the section
 */

#include "tq/base/keyed.h"
#include "tq/base/time.h"

#include "sums.h"
#include "tq/line/json.h"
#include "tq/line/record_args.h"
#include "tq/show/col.h"

enum {
	CALL,
	SUBJECT,
	OWNER,
	SOURCE,
	PROCESS,
	THREAD,
	STACK
}; /* parts of a key */
enum { NS, NUMBERS };
enum { FRAMES = 8 }; /* of a stack */

/* the last wait of a thread */
struct open_wait {
	int64_t pid, tid;
	int64_t since; /* NO_ID: it does not wait */
	int64_t stack; /* NO_ID: unknown */
	int64_t owner; /* the thread that has the lock, or NO_ID */
	struct span call, subject, source; /* in the section's memory */
	bool ran;
};

struct open_waits {
	KEYED(struct open_wait) threads; /* of the section, by pid and tid */
	int64_t last;
};

static struct open_wait *
thread_of(struct open_waits *s, const struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t tid = event_int(ev, KEY_tid, NO_ID);
	bool fresh;
	struct open_wait *w =
	    keyed_get(&s->threads, (uint64_t)pid, (uint64_t)tid, &fresh);

	if (fresh)
		*w = (struct open_wait){.pid = pid,
		    .tid = tid,
		    .since = NO_ID,
		    .stack = NO_ID,
		    .owner = NO_ID};
	return w;
}

static struct span
keep_text(struct report *r, const struct event *ev, enum key key)
{
	if (!event_has(ev, key))
		return (struct span){"", 0};
	r->scratch.len = 0;
	return region_copy(&r->section, event_str(ev, key, &r->scratch));
}

/* A call that never returned. */
static void
add_call(struct report *r, struct open_wait *w, const struct event *ev)
{
	enum { HOLDER, LINE, WANTED };
	static const char *const wanted[WANTED] = {"owner", "source"};
	struct span value[WANTED];
	struct text text = {0};

	w->since = event_int(ev, KEY_ts, 0);
	w->stack = event_int(ev, KEY_stack, NO_ID);
	w->call = keep_text(r, ev, KEY_name);
	w->subject =
	    keep_text(r, ev, event_has(ev, KEY_file) ? KEY_file : KEY_address);
	r->scratch.len = 0;
	record_args_find(ev, wanted, WANTED, value, &r->scratch);
	if (!record_args_int(value[HOLDER], &w->owner))
		w->owner = NO_ID;
	if (value[LINE].len > 0)
		json_decode(&text, value[LINE]);
	w->source = region_copy(&r->section, text_span(&text));
	text_free(&text);
}

/* A look at a thread that is in no such call. */
static void
add_look(struct open_wait *w, const struct event *ev)
{
	if (event_int(ev, KEY_count, 1) > 0) {
		/* Python is sampled in threads that sleep, too */
		if (event_has(ev, KEY_state) &&
		    !event_is(ev, KEY_state, SPAN("Running")))
			return;
		w->ran = true;
		w->since = NO_ID;
	} else if (!w->ran && w->since == NO_ID) {
		w->since = event_int(ev, KEY_ts, 0);
		w->stack = event_int(ev, KEY_stack, NO_ID);
	}
}

static void
waits_event(struct report *r, const struct event *ev)
{
	struct open_waits *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct open_wait *w;

	if (!event_true(ev, KEY_open))
		ts = event_end(ev, ts);
	if (s->last < ts)
		s->last = ts;
	switch (ev->kind) {
	case KIND_api:
	case KIND_osrt:
		if (event_true(ev, KEY_open))
			add_call(r, thread_of(s, ev), ev);
		break;
	case KIND_sample:
		w = thread_of(s, ev);
		if (w->call.len == 0)
			add_look(w, ev);
		break;
	case KIND_sched:
		w = thread_of(s, ev);
		w->ran = true;
		if (w->call.len == 0)
			w->since = NO_ID;
		break;
	default: /* overhead is written when a process has ended */
		break;
	}
}

/* ---- rows ---- */

/* The functions, the innermost first. */
static void
add_stack(struct report *r, int64_t stack)
{
	const uint32_t *frames = NULL;
	size_t n = stack != NO_ID ? names_stack(r->names, stack, &frames) : 0;

	r->scratch.len = 0;
	for (size_t i = 0; i < n && i < FRAMES; i++) {
		text_add_str(&r->scratch, i > 0 ? " < " : "");
		text_add_span(&r->scratch, names_frame(r->names, frames[i]));
	}
	groups_part(&r->key, text_span(&r->scratch));
}

static void
add_wait(struct report *r, const struct open_wait *w, int64_t last)
{
	struct group *g;

	r->key.len = 0;
	groups_part(&r->key, w->call);
	groups_part(&r->key, w->subject);
	if (w->owner != NO_ID)
		sums_thread_part(r, w->pid, w->owner);
	else
		groups_part(&r->key, SPAN(""));
	groups_part(&r->key, w->source);
	sums_process_part(r, w->pid);
	sums_thread_part(r, w->pid, w->tid);
	add_stack(r, w->stack);
	g = groups_get(&r->groups, text_span(&r->key));
	groups_number(g, NS, time_between(w->since, last));
}

static void
waits_section_end(struct report *r)
{
	struct open_waits *s = r->state;
	int64_t last = s->last;

	if (r->wall->any && last < r->wall->to)
		last = r->wall->to;
	for (size_t i = 0; i < s->threads.count; i++)
		if (s->threads.all[i].since != NO_ID)
			add_wait(r, &s->threads.all[i], last);
	keyed_clear(&s->threads);
	s->last = INT64_MIN;
}

static int
by_time(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;

	if (a->numbers[NS] != b->numbers[NS])
		return a->numbers[NS] > b->numbers[NS] ? -1 : 1;
	return span_cmp(a->key, b->key);
}

static void
wait_row(struct table *t, const struct group *g)
{
	col_int(t, "Time", UNIT_TIME, g->numbers[NS]);
	col_text(t, "Thread", groups_key(g, THREAD));
	col_text(t, "Call", groups_key(g, CALL));
	col_text(t, "File or Lock", groups_key(g, SUBJECT));
	col_text(t, "Held by", groups_key(g, OWNER));
	col_text(t, "Source", groups_key(g, SOURCE));
	col_text(t, "Process", groups_key(g, PROCESS));
	col_text(t, "Stack", groups_key(g, STACK));
}

static void
waits_table(struct report *r, struct table *t)
{
	groups_sort(&r->groups, by_time);
	col_heading(t, wait_row, groups_empty(&r->groups));
	for (size_t i = 0; i < r->groups.count; i++)
		wait_row(t, r->groups.all[i]);
}

static void
waits_open(struct report *r)
{
	struct open_waits *s = r->state;

	s->last = INT64_MIN;
}

static void
waits_close(struct report *r)
{
	struct open_waits *s = r->state;

	keyed_free(&s->threads);
}

const struct report_kind open_waits_reports[] = {
    {.name = "waits",
	.question = ASKS_LATE,
	.title = "Waits That Never Ended",
	.missing = "no call in the stream is open, and no thread was seen to "
		   "wait only",
	.wall = true,
	.kinds = KINDS(api) | KINDS(osrt) | KINDS(sample) | KINDS(sched) |
		 KINDS(overhead),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open,
	    KEY_file, KEY_stack, KEY_address, KEY_count, KEY_state, KEY_args),
	.stacks = true,
	.size = sizeof(struct open_waits),
	.open = waits_open,
	.event = waits_event,
	.section_end = waits_section_end,
	.table = waits_table,
	.close = waits_close,
	.sum = SUM(KEY_dur, .numbers = NUMBERS)},
    {0},
};
