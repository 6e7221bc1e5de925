/*
 * chrome_trace.c - Chrome's trace events
 *
 *	{"displayTimeUnit":"ns","baseTimeNanoseconds":N,"traceEvents":[
 *	event,
 *	event
 *	],"otherData":{...}}
 */

#include <stdio.h>
#include <stdlib.h>

#include "chrome_trace.h"
#include "spell.h"
#include "tq/base/array.h"
#include "tq/base/plain.h"
#include "tq/draw/made_of.h"
#include "tq/draw/category.h"

/* part of all slices of a track */
struct track_prefix {
	char text[46]; /* ,"pid":1,"tid":2,"ts": */
	unsigned char len;
	struct keyset left_out; /* keys that are no args */
};

/* the beginnings of slices and of instants, by category */
static struct opening {
	unsigned char len;
	char text[63]; /* {"ph":"X","cat":"kernel","name": */
} openings[CATEGORIES][2];

#define ADD(t, literal) text_add(t, literal, sizeof(literal) - 1)

/* before an event */
static inline char *
put_comma(char *p, struct chrome_trace *t)
{
	if (!t->any) {
		t->any = true;
		*p = '\n';
		return p + 1;
	}
	memcpy(p, ",\n", 2);
	return p + 2;
}

/* begin an event: room for n bytes of it */
static inline char *
next_event(struct chrome_trace *t, size_t n)
{
	output_check(t->out);
	return put_comma(text_reserve(&t->out->buf, n + 2), t);
}

/* the same of an event that is appended to the buffer */
static struct text *
append_event(struct chrome_trace *t)
{
	struct text *b = &t->out->buf;

	text_end(b, next_event(t, 0));
	return b;
}

/* ---- metadata ---- */

static struct text *
add_metadata(struct chrome_trace *t, const char *name, int64_t pid, int64_t tid)
{
	struct text *b = append_event(t);

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
write_group(void *arg, const struct track_group *g)
{
	struct chrome_trace *t = arg;
	struct text *b = add_metadata(t, "process_name", g->pid, 0);

	ADD(b, "name\":");
	spell_bytes(b, g->name);
	ADD(b, "}}");
	if (g->label.len > 0) {
		b = add_metadata(t, "process_labels", g->pid, 0);
		ADD(b, "labels\":");
		spell_bytes(b, g->label);
		ADD(b, "}}");
	}
	b = add_metadata(t, "process_sort_index", g->pid, 0);
	ADD(b, "sort_index\":");
	text_add_int(b, g->order);
	ADD(b, "}}");
}

static void
add_prefix(struct chrome_trace *t, const struct track *k)
{
	struct track_prefix *p =
	    array_add(&t->prefixes, &t->prefix_count, &t->prefix_cap);
	struct text b = {0};

	ADD(&b, ",\"pid\":");
	text_add_int(&b, k->group->pid);
	ADD(&b, ",\"tid\":");
	text_add_int(&b, k->tid);
	ADD(&b, ",\"ts\":");
	memcpy(p->text, b.p, b.len); /* both are below 2^31 */
	p->len = (unsigned char)b.len;
	text_free(&b);
	p->left_out = args_left_out(k);
}

static void
write_track(void *arg, const struct track *k)
{
	struct chrome_trace *t = arg;
	int64_t pid = k->group->pid;
	struct text *b = add_metadata(t, "thread_name", pid, k->tid);

	ADD(b, "name\":");
	spell_bytes(b, k->name);
	ADD(b, "}}");
	add_prefix(t, k);
}

/* Rows that Perfetto folds come last; the order of a track is below BELOW. */
static void
write_place(void *arg, const struct track *k)
{
	enum { BELOW = (1 << 30) + (1 << 12), FOLDED = (1 << 29) - (1 << 12) };
	int64_t order = k->order;
	struct text *b =
	    add_metadata(arg, "thread_sort_index", k->group->pid, k->tid);

	if (k->fold != FOLD_NONE)
		order = BELOW + (k->fold - FOLD_SINGLE) * FOLDED +
			order * FOLDED / BELOW;
	ADD(b, "sort_index\":");
	text_add_int(b, order);
	ADD(b, "}}");
}

/* ---- slices ---- */

static const char *const phases[2] = {
    "{\"ph\":\"X\",\"cat\":", "{\"ph\":\"i\",\"s\":\"t\",\"cat\":"};

static void
fill_openings(void)
{
	for (size_t instant = 0; instant < 2; instant++)
		for (size_t i = 0; i < CATEGORIES; i++) {
			struct opening *o = &openings[i][instant];

			o->len =
			    (unsigned char)snprintf(o->text, sizeof(o->text),
				"%s\"%s\",\"name\":", phases[instant],
				category_name(i));
		}
}

enum {
	/* of a slice, on top of twice its values; longer values reserve more */
	SLICE_ROOM = sizeof(((struct opening *)0)->text) +
		     sizeof(((struct track_prefix *)0)->text) + 2 * SPELL_TIME +
		     2 * PLAIN_BLOCK + CHROME_ARGS_ROOM
};

static inline size_t
room_for(const struct event *ev)
{
	return SLICE_ROOM + 2 * event_bytes(ev);
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
	return text_reserve(b, room_for(ev));
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

/* most slices have the name of their record as it is spelt there */
static inline char *
put_name(char *p, struct text *b, const struct event *ev, struct span name)
{
	struct span own = ev->value[KEY_name];

	if (event_has(ev, KEY_name) && name.p == own.p + 1 &&
	    (ev->plain || spell_is_plain(own)))
		return plain_put(p, own);
	text_end(b, p);
	spell_bytes(b, name);
	return text_reserve(b, room_for(ev));
}

static inline char *
put_prefix(char *p, const struct track_prefix *prefix)
{
	memcpy(p, prefix->text, sizeof(prefix->text));
	return p + prefix->len;
}

/* most times are drawn as they stand in the record, which has a ts */
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
	if (args_lasts(ev) && (same || event_number(value[KEY_dur]) == s->dur))
		return spell_time(p, s->dur, value[KEY_dur]);
	return spell_ns(p, s->dur);
}

static char *
add_color(
    char *p, struct chrome_trace *t, const struct event *ev, struct span name)
{
	struct text *b = &t->out->buf;
	const struct color *color = colors_find(t->colors, name, ev);

	if (color == NULL)
		return p;
	text_end(b, p);
	ADD(b, ",\"cname\":\"");
	text_add_str(b, color->name);
	text_add_char(b, '"');
	return text_reserve(b, room_for(ev));
}

/* consecutive ends of arrows between ranks */
static void
write_rank_ends(struct chrome_trace *t, const struct sink_slice *s,
    const char *phase, uint64_t first, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct text *b = append_event(t);
		char *p;

		text_add_str(b, phase);
		ADD(b, ",\"cat\":\"rank\",\"name\":\"rank\",\"id\":");
		text_add_int(b, (int64_t)(first + i));
		p = text_reserve(
		    b, sizeof(((struct track_prefix *)0)->text) + SPELL_TIME);
		p = put_prefix(p, &t->prefixes[s->track->number]);
		text_end(b, spell_ns(p, s->ts));
		text_add_char(b, '}');
	}
}

__attribute__((noinline)) static void
write_rank_flows(struct chrome_trace *t, const struct sink_slice *s)
{
	write_rank_ends(
	    t, s, "{\"ph\":\"s\"", s->ranks.from, s->ranks.from_count);
	write_rank_ends(
	    t, s, "{\"ph\":\"f\",\"bp\":\"e\"", s->ranks.to, s->ranks.to_count);
}

static void
write_slice(void *arg, const struct sink_slice *s)
{
	struct chrome_trace *t = arg;
	struct text *b = &t->out->buf;
	const struct track_prefix *prefix = &t->prefixes[s->track->number];
	const struct event *ev = s->event;
	char *p = next_event(t, room_for(ev));

	p = put_opening(p, b, ev, s->dur < 0);
	p = put_name(p, b, ev, s->name);
	p = put_prefix(p, prefix);
	p = put_times(p, s, layout_zero(t->layout));
	if (t->colored || event_has(ev, KEY_color))
		p = add_color(p, t, ev, s->name);
	text_end(b,
	    chrome_args_put(&t->args, p, ev, args_keys(s, &prefix->left_out)));
	if ((s->ranks.from_count | s->ranks.to_count) != 0)
		write_rank_flows(t, s);
}

/* ---- values and flows ---- */

/* Perfetto shows it behind the name of the counter */
static void
spell_unit(struct text *b, struct span unit)
{
	struct text key = {0};

	if (unit.len > 0) {
		text_add_char(&key, '[');
		text_add_span(&key, unit);
		text_add_char(&key, ']');
	}
	spell_bytes(b, unit.len > 0 ? text_span(&key) : SPAN("value"));
	text_free(&key);
}

static void
write_value(void *arg, const struct sink_value *v)
{
	struct chrome_trace *t = arg;
	struct text *b = append_event(t);
	char *p;

	ADD(b, "{\"ph\":\"C\",\"name\":");
	spell_bytes(b, v->name);
	ADD(b, ",\"pid\":");
	text_add_int(b, v->group->pid);
	ADD(b, ",\"ts\":");
	p = text_reserve(b, SPELL_TIME);
	text_end(b, spell_ns(p, v->ts));
	ADD(b, ",\"args\":{");
	spell_unit(b, v->unit);
	text_add_char(b, ':');
	spell_number(b, v->number);
	ADD(b, "}}");
}

/* one end of a flow; digits are its id, and have readable bytes behind */
static inline char *
put_end(char *p, const char *opening, size_t len, struct span digits,
    const struct track_prefix *prefix, int64_t ts)
{
	memcpy(p, opening, len);
	memcpy(p + len, digits.p, TEXT_INT_MAX);
	p = put_prefix(p + len + digits.len, prefix);
	p = spell_ns(p, ts);
	*p++ = '}';
	return p;
}

/* an end of an arrow of the recording */
static void
write_named_end(struct chrome_trace *t, const struct sink_flow *a,
    const char *phase, const struct track *k, int64_t ts)
{
	struct text *b = append_event(t);
	char *p;

	text_add_str(b, phase);
	spell_bytes(b, a->category);
	ADD(b, ",\"name\":");
	spell_bytes(b, a->name);
	ADD(b, ",\"id\":");
	text_add_int(b, a->id);
	p = text_reserve(
	    b, sizeof(((struct track_prefix *)0)->text) + SPELL_TIME);
	text_end(b, spell_ns(put_prefix(p, &t->prefixes[k->number]), ts));
	text_add_char(b, '}');
}

__attribute__((noinline)) static void
write_named_flow(struct chrome_trace *t, const struct sink_flow *a)
{
	write_named_end(t, a, "{\"ph\":\"s\",\"cat\":", a->from, a->from_ts);
	write_named_end(
	    t, a, "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":", a->to, a->to_ts);
}

/* the words of calls and of waits have one length */
static void
write_flow(void *arg, const struct sink_flow *a)
{
	static const char starts[][43] = {
	    "{\"ph\":\"s\",\"cat\":\"wait\",\"name\":\"wait\",\"id\":",
	    "{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":",
	};
	static const char finishes[][52] = {
	    "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"wait\","
	    "\"name\":\"wait\",\"id\":",
	    "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"ac2g\","
	    "\"name\":\"ac2g\",\"id\":",
	};
	const char *start = starts[a->call != 0];
	const char *finish = finishes[a->call != 0];
	enum {
		ROOM = sizeof(finishes[0]) + TEXT_INT_MAX +
		       sizeof(((struct track_prefix *)0)->text) + SPELL_TIME
	};
	struct chrome_trace *t = arg;
	char digits[TEXT_INT_MAX] = "", *p;
	struct span id = {
	    digits, (size_t)(text_digits_int(digits, a->id) - digits)};

	if (a->name.len > 0) {
		write_named_flow(t, a);
		return;
	}
	p = next_event(t, 2 * ROOM);
	p = put_end(p, start, sizeof(starts[0]) - 1, id,
	    &t->prefixes[a->from->number], a->from_ts);
	p = put_comma(p, t);
	p = put_end(p, finish, sizeof(finishes[0]) - 1, id,
	    &t->prefixes[a->to->number], a->to_ts);
	text_end(&t->out->buf, p);
}

/* both ends are drawn with the arrow */
static bool
take_end(void *arg, const struct sink_end *e)
{
	(void)arg;
	(void)e;
	return true;
}

static void
begin_trace(void *arg, int64_t utc)
{
	struct chrome_trace *t = arg;
	struct text *b = &t->out->buf;

	fill_openings();
	chrome_args_init(&t->args, b, layout_names(t->layout));
	t->begun = true;
	t->colored = colors_any(t->colors);
	if (t->made_of != NULL)
		made_of_add_member(b, t->made_of);
	else
		text_add_char(b, '{');
	ADD(b, "\"displayTimeUnit\":\"ns\",");
	if (utc != SINK_NO_UTC) {
		ADD(b, "\"baseTimeNanoseconds\":");
		text_add_int(b, utc);
		text_add_char(b, ',');
	}
	ADD(b, "\"traceEvents\":[");
}

/* ---- the file ---- */

/* keys of the first section */
static void
open_section(void *arg, const struct event *ev)
{
	struct chrome_trace *t = arg;

	if (t->about.len == 0)
		chrome_args_add_keys(&t->about, ev);
}

static void
flush_nothing(void *arg)
{
	(void)arg; /* all events are in the buffer */
}

static void
finish_trace(void *arg, bool cut)
{
	struct chrome_trace *t = arg;
	struct text *b = &t->out->buf;

	if (!t->begun)
		begin_trace(t, SINK_NO_UTC);
	ADD(b, "\n],\"otherData\":{\"converter\":\"tq-chrome " TQ_VERSION "\"");
	text_add_span(b, text_span(&t->about));
	if (cut)
		ADD(b, ",\"truncated\":true");
	ADD(b, "}}\n");
}

const struct sink chrome_trace_sink = {
    .begin = begin_trace,
    .group = write_group,
    .track = write_track,
    .place = write_place,
    .slice = write_slice,
    .value = write_value,
    .flow = write_flow,
    .end = take_end,
    .section = open_section,
    .flush = flush_nothing,
    .finish = finish_trace,
};

void
chrome_trace_free(struct chrome_trace *t)
{
	text_free(&t->about);
	free(t->prefixes);
	chrome_args_free(&t->args);
}
