/*
 * trace.c - Chrome's trace events
 *
 *	{"displayTimeUnit":"ns","baseTimeNanoseconds":N,"traceEvents":[
 *	event,
 *	event
 *	],"otherData":{...}}
 */

#include <stdlib.h>

#include "spell.h"
#include "trace.h"
#include "tq/mem.h"

/* what is the same for all slices of a strip */
struct place {
	unsigned char len;
	char text[47];         /* ,"pid":1,"tid":2,"ts": */
	struct keyset without; /* keys that need not be among the args */
};

#define ADD(t, literal) text_add(t, literal, sizeof(literal) - 1)

static void
begin(void *arg)
{
	struct trace *t = arg;
	struct text *b = &t->out->buf;
	int64_t utc = t->layout->axis.utc;

	t->begun = true;
	ADD(b, "{\"displayTimeUnit\":\"ns\",");
	if (t->layout->axis.begun && utc != AXIS_UNKNOWN) {
		ADD(b, "\"baseTimeNanoseconds\":");
		text_add_int(b, utc);
		text_add_char(b, ',');
	}
	ADD(b, "\"traceEvents\":[");
}

/* what stands before an event */
static struct text *
next(struct trace *t)
{
	struct text *b = &t->out->buf;

	output_check(t->out);
	if (t->any)
		text_add_char(b, ',');
	text_add_char(b, '\n');
	t->any = true;
	return b;
}

/* ---- metadata ---- */

static struct text *
metadata(struct trace *t, const char *name, int64_t pid, int64_t tid)
{
	struct text *b = next(t);

	ADD(b, "{\"ph\":\"M\",\"name\":\"");
	text_add_str(b, name);
	ADD(b, "\",\"pid\":");
	text_add_int(b, pid);
	if (tid > 0) {
		ADD(b, ",\"tid\":");
		text_add_int(b, tid);
	}
	ADD(b, ",\"args\":{\"");
	return b;
}

static void
group(void *arg, const struct group *g)
{
	struct trace *t = arg;
	struct text *b = metadata(t, "process_name", g->pid, 0);

	ADD(b, "name\":");
	spell_bytes(b, text_span(&g->name));
	ADD(b, "}}");
	if (g->label.len > 0) {
		b = metadata(t, "process_labels", g->pid, 0);
		ADD(b, "labels\":");
		spell_bytes(b, text_span(&g->label));
		ADD(b, "}}");
	}
	b = metadata(t, "process_sort_index", g->pid, 0);
	ADD(b, "sort_index\":");
	text_add_int(b, g->order);
	ADD(b, "}}");
}

static void
keep_place(struct trace *t, const struct strip *s)
{
	struct place *p;
	struct text b = {0};

	t->place = mem_resize(t->place, s->number + 1, sizeof(*t->place));
	p = &t->place[s->number];
	ADD(&b, ",\"pid\":");
	text_add_int(&b, s->row->group->pid);
	ADD(&b, ",\"tid\":");
	text_add_int(&b, s->tid);
	ADD(&b, ",\"ts\":");
	memcpy(p->text, b.p, b.len); /* of two numbers below 2^31 */
	p->len = (unsigned char)b.len;
	text_free(&b);

	p->without = (struct keyset){0};
	keyset_add(&p->without, KEY_kind);
	keyset_add(&p->without, KEY_ts);
	keyset_add(&p->without, KEY_dur);
	keyset_add(&p->without, KEY_name);
	keyset_add(&p->without, KEY_args);
	if (s->row->group->pid == s->row->group->process)
		keyset_add(&p->without, KEY_pid);
	if (s->row->kind == ROW_THREAD && s->tid == s->row->a)
		keyset_add(&p->without, KEY_tid);
	if (s->row->kind == ROW_SCHED)
		keyset_add(&p->without, KEY_on);
}

static void
strip(void *arg, const struct strip *s)
{
	struct trace *t = arg;
	int64_t pid = s->row->group->pid;
	struct text *b = metadata(t, "thread_name", pid, s->tid);

	ADD(b, "name\":");
	spell_bytes(b, text_span(&s->name));
	ADD(b, "}}");
	b = metadata(t, "thread_sort_index", pid, s->tid);
	ADD(b, "sort_index\":");
	text_add_int(b, s->order);
	ADD(b, "}}");
	keep_place(t, s);
}

/* ---- slices ---- */

/* as Kineto calls them, where it knows them; else as the kind is called */
static const char *
category(enum kind kind)
{
	switch (kind) {
	case KIND_memcpy:
		return "gpu_memcpy";
	case KIND_memset:
		return "gpu_memset";
	case KIND_sync:
		return "cuda_sync";
	case KIND_range:
		return "user_annotation";
	case KIND_gpu_range:
		return "gpu_user_annotation";
	default:
		return schema_kinds[kind].name;
	}
}

static void
add_category(struct text *b, const struct event *ev)
{
	if (ev->kind == KIND_UNKNOWN) {
		spell_bytes(b, ev->kind_name);
		return;
	}
	if (ev->kind != KIND_api || !event_has(ev, KEY_api) ||
	    ev->value[KEY_api].len == 2) {
		text_add_char(b, '"');
		text_add_str(b, category(ev->kind));
		text_add_char(b, '"');
	} else if (span_eq(ev->value[KEY_api], SPAN("\"cuda-runtime\"")))
		ADD(b, "\"cuda_runtime\"");
	else if (span_eq(ev->value[KEY_api], SPAN("\"cuda-driver\"")))
		ADD(b, "\"cuda_driver\"");
	else
		spell_string(b, ev->value[KEY_api]);
}

static void
add_place(struct text *b, const struct trace *t, const struct strip *s)
{
	const struct place *p = &t->place[s->number];

	memcpy(text_reserve(b, sizeof(p->text)), p->text, sizeof(p->text));
	b->len += p->len;
}

/* mostly the name is that of the record, and needs no spelling */
static void
add_name(struct text *b, const struct sink_slice *s)
{
	struct span own = s->event->value[KEY_name];

	if (event_has(s->event, KEY_name) && s->name.p == own.p + 1 &&
	    spell_is_plain(own))
		text_add_span(b, own);
	else
		spell_bytes(b, s->name);
}

static const struct span none = {"", 0};

/* a time of the record, where that is what is drawn */
static struct span
as_written(const struct trace *t, const struct sink_slice *s, enum key key)
{
	if (t->layout->axis.zero != 0 || s->moved ||
	    s->event->kind == KIND_sched || !event_has(s->event, key) ||
	    *s->event->value[key].p == '-')
		return none;
	return s->event->value[key];
}

static void
add_color(struct trace *t, struct text *b, const struct sink_slice *s)
{
	const char *name = colors_match(t->colors, s->name);
	struct span own;

	if (name == NULL && event_has(s->event, KEY_color)) {
		own = s->event->value[KEY_color];
		name = colors_nearest(
		    t->colors, (struct span){own.p + 1, own.len - 2});
	}
	if (name == NULL)
		return;
	ADD(b, ",\"cname\":\"");
	text_add_str(b, name);
	text_add_char(b, '"');
}

/* a time that could not be drawn as it is stands among the args */
static void
add_args(struct trace *t, struct text *b, const struct sink_slice *s)
{
	struct keyset without = t->place[s->strip->number].without;

	if (s->moved)
		keyset_remove(&without, KEY_ts);
	if (s->dur < 0 || (event_has(s->event, KEY_dur) &&
			      *s->event->value[KEY_dur].p == '-'))
		keyset_remove(&without, KEY_dur);
	args_add(b, s->event, &t->layout->names, &without, &t->scratch);
}

static void
slice(void *arg, const struct sink_slice *s)
{
	struct trace *t = arg;
	struct text *b = next(t);

	if (s->dur < 0)
		ADD(b, "{\"ph\":\"i\",\"s\":\"t\",\"cat\":");
	else
		ADD(b, "{\"ph\":\"X\",\"cat\":");
	add_category(b, s->event);
	ADD(b, ",\"name\":");
	add_name(b, s);
	add_place(b, t, s->strip);
	spell_time(b, s->ts, as_written(t, s, KEY_ts));
	if (s->dur >= 0) {
		ADD(b, ",\"dur\":");
		spell_time(b, s->dur, as_written(t, s, KEY_dur));
	}
	add_color(t, b, s);
	add_args(t, b, s);
	text_add_char(b, '}');
}

/* ---- values and arrows ---- */

static void
value(void *arg, const struct sink_value *v)
{
	struct trace *t = arg;
	struct text *b = next(t);

	ADD(b, "{\"ph\":\"C\",\"name\":");
	spell_bytes(b, v->name);
	ADD(b, ",\"pid\":");
	text_add_int(b, v->group->pid);
	ADD(b, ",\"ts\":");
	spell_time(b, v->ts, none);
	ADD(b, ",\"args\":{");
	spell_bytes(b, v->unit.len > 0 ? v->unit : SPAN("value"));
	text_add_char(b, ':');
	spell_number(b, v->number);
	ADD(b, "}}");
}

static void
arrow(void *arg, const struct sink_arrow *a)
{
	struct trace *t = arg;
	struct text *b = next(t);

	ADD(b, "{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":");
	text_add_int(b, a->id);
	add_place(b, t, a->from);
	spell_time(b, a->from_ts, none);
	text_add_char(b, '}');
	b = next(t);
	ADD(b, "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"ac2g\","
	       "\"name\":\"ac2g\",\"id\":");
	text_add_int(b, a->id);
	add_place(b, t, a->to);
	spell_time(b, a->to_ts, none);
	text_add_char(b, '}');
}

const struct sink trace_sink = {
    .begin = begin,
    .group = group,
    .strip = strip,
    .slice = slice,
    .value = value,
    .arrow = arrow,
};

/* ---- the file ---- */

void
trace_about(struct trace *t, const struct event *ev)
{
	if (t->about.len == 0)
		args_add_keys(&t->about, ev);
}

void
trace_finish(struct trace *t, bool truncated)
{
	struct text *b = &t->out->buf;

	if (!t->begun)
		begin(t);
	ADD(b, "\n],\"otherData\":{\"converter\":\"tq-chrome " TQ_VERSION "\"");
	text_add_span(b, text_span(&t->about));
	if (truncated)
		ADD(b, ",\"truncated\":true");
	ADD(b, "}}\n");
}

void
trace_free(struct trace *t)
{
	text_free(&t->about);
	free(t->place);
	args_free(&t->scratch);
}
