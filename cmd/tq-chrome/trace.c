/*
 * trace.c - Chrome's trace events
 *
 *	{"displayTimeUnit":"ns","baseTimeNanoseconds":N,"traceEvents":[
 *	event,
 *	event
 *	],"otherData":{...}}
 */

#include <stdio.h>
#include <stdlib.h>

#include "spell.h"
#include "trace.h"
#include "tq/base/mem.h"
#include "tq/base/plain.h"
#include "tq/draw/title.h"

/* what is the same for all slices of a strip */
struct place {
	char text[46]; /* ,"pid":1,"tid":2,"ts": */
	unsigned char len;
	unsigned char asked; /* ARGS_... */
};

/* what a slice or an instant begins with, going by its category */
enum { CUDA_RUNTIME = KIND_COUNT, CUDA_DRIVER, CATEGORIES };

static struct opening {
	unsigned char len;
	char text[63]; /* {"ph":"X","cat":"kernel","name": */
} openings[CATEGORIES][2];

#define ADD(t, literal) text_add(t, literal, sizeof(literal) - 1)

/* what stands before an event */
static inline char *
put_comma(char *p, struct trace *t)
{
	if (!t->any) {
		t->any = true;
		*p = '\n';
		return p + 1;
	}
	memcpy(p, ",\n", 2);
	return p + 2;
}

/* to put n bytes there, which begin an event */
static inline char *
next(struct trace *t, size_t n)
{
	output_check(t->out);
	return put_comma(text_reserve(&t->out->buf, n + 2), t);
}

/* to be appended to the buffer */
static struct text *
append(struct trace *t)
{
	struct text *b = &t->out->buf;

	text_end(b, next(t, 0));
	return b;
}

/* ---- metadata ---- */

static struct text *
metadata(struct trace *t, const char *name, int64_t pid, int64_t tid)
{
	struct text *b = append(t);

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

	p->asked = 0;
	if (s->row->group->pid != s->row->group->process)
		p->asked |= ARGS_PID;
	if (s->row->kind != ROW_THREAD || s->tid != s->row->a)
		p->asked |= ARGS_TID;
	if (s->row->kind != ROW_SCHED)
		p->asked |= ARGS_ON;
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

static const char *
category(size_t which)
{
	switch (which) {
	case CUDA_RUNTIME:
		return "cuda_runtime";
	case CUDA_DRIVER:
		return "cuda_driver";
	default:
		return schema_kinds[which].category;
	}
}

static const char *const phases[2] = {
    "{\"ph\":\"X\",\"cat\":", "{\"ph\":\"i\",\"s\":\"t\",\"cat\":"};

static void
fill_openings(void)
{
	for (size_t instant = 0; instant < 2; instant++)
		for (size_t i = 0; i < CATEGORIES; i++) {
			struct opening *o = &openings[i][instant];

			o->len = (unsigned char)snprintf(o->text,
			    sizeof(o->text),
			    "%s\"%s\",\"name\":", phases[instant], category(i));
		}
}

/* CATEGORIES where it is none of the usual ones */
static size_t
category_of(const struct event *ev)
{
	struct span api = ev->value[KEY_api];

	if (ev->kind != KIND_api)
		return ev->kind < KIND_UNKNOWN ? ev->kind : CATEGORIES;
	if (!event_has(ev, KEY_api) || api.len == 2)
		return KIND_api;
	if (span_eq(api, SPAN("\"cuda-runtime\"")))
		return CUDA_RUNTIME;
	return span_eq(api, SPAN("\"cuda-driver\"")) ? CUDA_DRIVER : CATEGORIES;
}

enum {
	/* of a slice, on top of twice the line; what does not fit is added */
	SLICE_ROOM = sizeof(((struct opening *)0)->text) +
		     sizeof(((struct place *)0)->text) + 2 * SPELL_TIME +
		     2 * PLAIN_BLOCK + ARGS_ROOM
};

static inline size_t
room(const struct event *ev)
{
	return SLICE_ROOM + 2 * ev->line.len;
}

static char *
add_opening(char *p, struct text *b, const struct event *ev, bool instant)
{
	text_end(b, p);
	text_add_str(b, phases[instant]);
	if (ev->kind == KIND_UNKNOWN)
		spell_bytes(b, ev->kind_name);
	else
		spell_string(b, ev->value[KEY_api]);
	ADD(b, ",\"name\":");
	return text_reserve(b, room(ev));
}

static inline char *
put_opening(char *p, struct text *b, const struct event *ev, bool instant)
{
	size_t which = category_of(ev);
	const struct opening *o = openings[which] + instant;

	if (which == CATEGORIES)
		return add_opening(p, b, ev, instant);
	memcpy(p, o->text, sizeof(o->text));
	return p + o->len;
}

/* mostly the name is that of the record, and needs no spelling */
static inline char *
put_name(char *p, struct text *b, const struct event *ev, struct span name)
{
	struct span own = ev->value[KEY_name];

	if (event_has(ev, KEY_name) && name.p == own.p + 1 &&
	    (ev->plain || spell_is_plain(own)))
		return plain_put(p, own);
	text_end(b, p);
	spell_bytes(b, name);
	return text_reserve(b, room(ev));
}

static inline char *
put_place(char *p, const struct place *place)
{
	memcpy(p, place->text, sizeof(place->text));
	return p + place->len;
}

/* does the record say how long it lasts, and can that be drawn? */
static inline bool
lasts(const struct event *ev)
{
	return event_has(ev, KEY_dur) && *ev->value[KEY_dur].p != '-';
}

/* what is drawn has a ts; mostly times are drawn as they are written */
static inline char *
put_times(char *p, const struct sink_slice *s, int64_t zero)
{
	static const char dur_is[8] = ",\"dur\":";
	const struct event *ev = s->event;
	const struct span *value = ev->value;
	bool same = zero == 0 && !s->moved && ev->kind != KIND_sched;

	if (same)
		p = spell_time(p, s->ts, value[KEY_ts]);
	else
		p = spell_ns(p, s->ts);
	if (s->dur < 0)
		return p;
	memcpy(p, dur_is, sizeof(dur_is));
	p += strlen(dur_is);
	if (lasts(ev) && (same || event_number(value[KEY_dur]) == s->dur))
		return spell_time(p, s->dur, value[KEY_dur]);
	return spell_ns(p, s->dur);
}

static char *
add_color(char *p, struct trace *t, const struct event *ev, struct span name)
{
	struct text *b = &t->out->buf;
	const struct color *color = colors_match(t->colors, name);
	struct span own;

	if (color == NULL && event_has(ev, KEY_color)) {
		own = ev->value[KEY_color];
		color = colors_parse(
		    t->colors, (struct span){own.p + 1, own.len - 2});
	}
	if (color == NULL)
		return p;
	text_end(b, p);
	ADD(b, ",\"cname\":\"");
	text_add_str(b, color->name);
	text_add_char(b, '"');
	return text_reserve(b, room(ev));
}

/* a time that could not be drawn as it is stands among the args */
static inline unsigned
asked_for(const struct place *place, const struct sink_slice *s)
{
	const struct event *ev = s->event;
	unsigned asked = place->asked;

	if (s->moved)
		asked |= ARGS_TS;
	if (s->dur < 0 || !lasts(ev))
		asked |= ARGS_DUR;
	return asked;
}

static void
slice(void *arg, const struct sink_slice *s)
{
	struct trace *t = arg;
	struct text *b = &t->out->buf;
	const struct place *place = &t->place[s->strip->number];
	const struct event *ev = s->event;
	char *p = next(t, room(ev));

	p = put_opening(p, b, ev, s->dur < 0);
	p = put_name(p, b, ev, s->name);
	p = put_place(p, place);
	p = put_times(p, s, t->layout->axis.zero);
	if (t->colored || event_has(ev, KEY_color))
		p = add_color(p, t, ev, s->name);
	text_end(b, args_put(&t->args, p, ev, asked_for(place, s)));
}

/* ---- values and arrows ---- */

static void
value(void *arg, const struct sink_value *v)
{
	struct trace *t = arg;
	struct text *b = append(t);
	char *p;

	ADD(b, "{\"ph\":\"C\",\"name\":");
	spell_bytes(b, v->name);
	ADD(b, ",\"pid\":");
	text_add_int(b, v->group->pid);
	ADD(b, ",\"ts\":");
	p = text_reserve(b, SPELL_TIME);
	text_end(b, spell_ns(p, v->ts));
	ADD(b, ",\"args\":{");
	spell_bytes(b, v->unit.len > 0 ? v->unit : SPAN("value"));
	text_add_char(b, ':');
	spell_number(b, v->number);
	ADD(b, "}}");
}

/* one end of an arrow; digits are its id, and have readable bytes behind */
static inline char *
put_end(char *p, const char *opening, size_t len, struct span digits,
    const struct place *place, int64_t ts)
{
	memcpy(p, opening, len);
	memcpy(p + len, digits.p, TEXT_INT_MAX);
	p = put_place(p + len + digits.len, place);
	p = spell_ns(p, ts);
	*p++ = '}';
	return p;
}

static void
arrow(void *arg, const struct sink_arrow *a)
{
	static const char start[] =
	    "{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":";
	static const char finish[] =
	    "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"ac2g\","
	    "\"name\":\"ac2g\",\"id\":";
	enum {
		ROOM = sizeof(finish) + TEXT_INT_MAX +
		       sizeof(((struct place *)0)->text) + SPELL_TIME
	};
	struct trace *t = arg;
	char digits[TEXT_INT_MAX] = "", *p = next(t, 2 * ROOM);
	struct span id = {
	    digits, (size_t)(text_digits_int(digits, a->id) - digits)};

	p = put_end(p, start, sizeof(start) - 1, id, &t->place[a->from->number],
	    a->from_ts);
	p = put_comma(p, t);
	p = put_end(p, finish, sizeof(finish) - 1, id, &t->place[a->to->number],
	    a->to_ts);
	text_end(&t->out->buf, p);
}

static void
begin(void *arg)
{
	struct trace *t = arg;
	struct text *b = &t->out->buf;
	int64_t utc = t->layout->axis.utc;

	fill_openings();
	args_init(&t->args, b, &t->layout->names);
	t->begun = true;
	t->colored = colors_any(t->colors);
	ADD(b, "{\"displayTimeUnit\":\"ns\",");
	if (t->layout->axis.begun && utc != AXIS_UNKNOWN) {
		ADD(b, "\"baseTimeNanoseconds\":");
		text_add_int(b, utc);
		text_add_char(b, ',');
	}
	ADD(b, "\"traceEvents\":[");
}

/* ---- the file ---- */

/* what the first section says of itself */
static void
section(void *arg, const struct event *ev)
{
	struct trace *t = arg;

	if (t->about.len == 0)
		args_add_keys(&t->about, ev);
}

static void
pause(void *arg)
{
	(void)arg; /* nothing is held back */
}

static void
finish(void *arg, bool cut)
{
	struct trace *t = arg;
	struct text *b = &t->out->buf;

	if (!t->begun)
		begin(t);
	ADD(b, "\n],\"otherData\":{\"converter\":\"tq-chrome " TQ_VERSION "\"");
	text_add_span(b, text_span(&t->about));
	if (cut)
		ADD(b, ",\"truncated\":true");
	ADD(b, "}}\n");
}

const struct sink trace_sink = {
    .begin = begin,
    .group = group,
    .strip = strip,
    .slice = slice,
    .value = value,
    .arrow = arrow,
    .section = section,
    .pause = pause,
    .finish = finish,
};

void
trace_free(struct trace *t)
{
	text_free(&t->about);
	free(t->place);
	args_free(&t->args);
}
