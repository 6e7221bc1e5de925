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
#include "tq/mem.h"
#include "tq/plain.h"
#include "tq/title.h"

/* what is the same for all slices of a strip */
struct place {
	unsigned char len;
	char text[47];         /* ,"pid":1,"tid":2,"ts": */
	struct keyset without; /* keys that need not be among the args */
};

/* what a slice or an instant begins with, going by its category */
enum { CUDA_RUNTIME = KIND_COUNT, CUDA_DRIVER, CATEGORIES };

static struct opening {
	unsigned char len;
	char text[63]; /* {"ph":"X","cat":"kernel","name": */
} openings[2][CATEGORIES];

#define ADD(t, literal) text_add(t, literal, sizeof(literal) - 1)

/* what stands before an event */
static inline struct text *
next(struct trace *t)
{
	struct text *b = &t->out->buf;
	char *p;

	output_check(t->out);
	p = text_reserve(b, 2);
	p[0] = ',';
	p[t->any] = '\n';
	b->len += 1u + t->any;
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

static const char *
category(size_t which)
{
	switch (which) {
	case CUDA_RUNTIME:
		return "cuda_runtime";
	case CUDA_DRIVER:
		return "cuda_driver";
	default:
		return title_category((enum kind)which);
	}
}

static const char *const phases[2] = {
    "{\"ph\":\"X\",\"cat\":", "{\"ph\":\"i\",\"s\":\"t\",\"cat\":"};

static void
fill_openings(void)
{
	for (size_t instant = 0; instant < 2; instant++)
		for (size_t i = 0; i < CATEGORIES; i++) {
			struct opening *o = &openings[instant][i];

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

	if (ev->kind == KIND_UNKNOWN)
		return CATEGORIES;
	if (ev->kind != KIND_api || !event_has(ev, KEY_api) || api.len == 2)
		return ev->kind;
	if (span_eq(api, SPAN("\"cuda-runtime\"")))
		return CUDA_RUNTIME;
	return span_eq(api, SPAN("\"cuda-driver\"")) ? CUDA_DRIVER : CATEGORIES;
}

/*
 * What comes before the args is put where there is room for it; what cannot
 * be is added to the buffer.
 */
static char *
reserve(struct text *b, const struct sink_slice *s)
{
	enum {
		PUT = sizeof(((struct opening *)0)->text) +
		      sizeof(((struct place *)0)->text) + 2 * SPELL_TIME +
		      2 * PLAIN_BLOCK
	};

	return text_reserve(b, PUT + s->event->line.len);
}

static void
end_at(struct text *b, const char *p)
{
	b->len = (size_t)(p - b->p);
}

static char *
put_opening(char *p, struct text *b, const struct sink_slice *s)
{
	const struct event *ev = s->event;
	size_t which = category_of(ev);
	bool instant = s->dur < 0;

	if (which < CATEGORIES) {
		const struct opening *o = &openings[instant][which];

		memcpy(p, o->text, sizeof(o->text));
		return p + o->len;
	}
	end_at(b, p);
	text_add_str(b, phases[instant]);
	if (ev->kind == KIND_UNKNOWN)
		spell_bytes(b, ev->kind_name);
	else
		spell_string(b, ev->value[KEY_api]);
	ADD(b, ",\"name\":");
	return reserve(b, s);
}

/* mostly the name is that of the record, and needs no spelling */
static char *
put_name(char *p, struct text *b, const struct sink_slice *s, bool plain)
{
	struct span own = s->event->value[KEY_name];

	if (event_has(s->event, KEY_name) && s->name.p == own.p + 1 &&
	    (plain || spell_is_plain(own)))
		return plain_put(p, own);
	end_at(b, p);
	spell_bytes(b, s->name);
	return reserve(b, s);
}

static char *
put_place(char *p, const struct trace *t, const struct strip *s)
{
	const struct place *place = &t->place[s->number];

	memcpy(p, place->text, sizeof(place->text));
	return p + place->len;
}

/* a time of the record, if it has it and it is one that can be drawn */
static inline struct span
as_written(const struct event *ev, enum key key)
{
	static const struct span none = {"", 0};

	return event_has(ev, key) && *ev->value[key].p != '-' ? ev->value[key]
							      : none;
}

static char *
put_times(char *p, const struct trace *t, const struct sink_slice *s)
{
	static const char dur_is[8] = ",\"dur\":";
	struct span ts = {"", 0}, dur = ts;

	if (t->layout->axis.zero == 0 && !s->moved &&
	    s->event->kind != KIND_sched) {
		ts = as_written(s->event, KEY_ts);
		dur = as_written(s->event, KEY_dur);
	}
	p = spell_time(p, s->ts, ts);
	if (s->dur >= 0) {
		memcpy(p, dur_is, sizeof(dur_is));
		p = spell_time(p + strlen(dur_is), s->dur, dur);
	}
	return p;
}

static void
add_color(struct trace *t, struct text *b, const struct sink_slice *s)
{
	const struct color *color = colors_match(t->colors, s->name);
	struct span own;

	if (color == NULL && event_has(s->event, KEY_color)) {
		own = s->event->value[KEY_color];
		color = colors_parse(
		    t->colors, (struct span){own.p + 1, own.len - 2});
	}
	if (color == NULL)
		return;
	ADD(b, ",\"cname\":\"");
	text_add_str(b, color->name);
	text_add_char(b, '"');
}

/* a time that could not be drawn as it is stands among the args */
static void
add_args(
    struct trace *t, struct text *b, const struct sink_slice *s, bool plain)
{
	struct keyset without = t->place[s->strip->number].without;

	if (s->moved)
		keyset_remove(&without, KEY_ts);
	if (s->dur < 0 || (event_has(s->event, KEY_dur) &&
			      *s->event->value[KEY_dur].p == '-'))
		keyset_remove(&without, KEY_dur);
	args_add(b, s->event, plain, &t->layout->names, &without, &t->scratch);
}

static void
slice(void *arg, const struct sink_slice *s)
{
	struct trace *t = arg;
	struct text *b = next(t);
	bool plain = s->event->plain || plain_line(s->event->line);
	char *p = reserve(b, s);

	p = put_opening(p, b, s);
	p = put_name(p, b, s, plain);
	p = put_place(p, t, s->strip);
	p = put_times(p, t, s);
	end_at(b, p);
	add_color(t, b, s);
	add_args(t, b, s, plain);
	text_add_char(b, '}');
}

/* ---- values and arrows ---- */

static void
value(void *arg, const struct sink_value *v)
{
	struct trace *t = arg;
	struct text *b = next(t);
	char *p;

	ADD(b, "{\"ph\":\"C\",\"name\":");
	spell_bytes(b, v->name);
	ADD(b, ",\"pid\":");
	text_add_int(b, v->group->pid);
	ADD(b, ",\"ts\":");
	p = text_reserve(b, SPELL_TIME);
	end_at(b, spell_ns(p, v->ts));
	ADD(b, ",\"args\":{");
	spell_bytes(b, v->unit.len > 0 ? v->unit : SPAN("value"));
	text_add_char(b, ':');
	spell_number(b, v->number);
	ADD(b, "}}");
}

static void
add_end(struct trace *t, struct span opening, struct span id,
    const struct strip *strip, int64_t ts)
{
	struct text *b = next(t);
	char *p = text_reserve(
	    b, opening.len + id.len + sizeof(t->place->text) + SPELL_TIME + 1);

	memcpy(p, opening.p, opening.len);
	memcpy(p + opening.len, id.p, id.len);
	p = put_place(p + opening.len + id.len, t, strip);
	p = spell_ns(p, ts);
	*p++ = '}';
	end_at(b, p);
}

static void
arrow(void *arg, const struct sink_arrow *a)
{
	char digits[TEXT_INT_MAX];
	struct span id = {
	    digits, (size_t)(text_digits_int(digits, a->id) - digits)};

	add_end(arg,
	    SPAN("{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":"),
	    id, a->from, a->from_ts);
	add_end(arg,
	    SPAN("{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"ac2g\","
		 "\"name\":\"ac2g\",\"id\":"),
	    id, a->to, a->to_ts);
}

static void
begin(void *arg)
{
	struct trace *t = arg;
	struct text *b = &t->out->buf;
	int64_t utc = t->layout->axis.utc;

	fill_openings();
	t->begun = true;
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
	members_free(&t->scratch);
}
