/*
 * trace_reader.c - the events of a trace, one by one
 *
 * An item is taken apart where it lies in the buffer.  Where the buffer ends
 * before the item does, more is read, and the item begun again.
 */

#include <stdlib.h>

#include "trace_reader.h"
#include "tq/base/array.h"
#include "tq/line/schema.h"

enum { MEMBER_LOOK = 512 << 10 }; /* white space that may follow a brace */

void
trace_reader_open(struct trace_reader *r, struct operand *from)
{
	*r = (struct trace_reader){0};
	value_reader_open(&r->in, from);
}

void
trace_reader_close(struct trace_reader *r)
{
	value_reader_close(&r->in);
	free(r->event.args);
	text_free(&r->name);
}

static enum trace_item
cut(struct trace_reader *r, const char *error)
{
	r->ended = true;
	r->error = r->in.error != NULL ? r->in.error : error;
	r->offset = r->in.base + (int64_t)r->in.pos;
	return TRACE_CUT;
}

static enum trace_item
end(struct trace_reader *r)
{
	r->ended = true;
	return TRACE_END;
}

/* ---- an event ---- */

#define NAMED(name) \
	{ \
		name, sizeof(name) - 1 \
	}

static const struct span member_names[TRACE_MEMBER_COUNT] = {
    [TRACE_PH] = NAMED("ph"),
    [TRACE_NAME] = NAMED("name"),
    [TRACE_CAT] = NAMED("cat"),
    [TRACE_PID] = NAMED("pid"),
    [TRACE_TID] = NAMED("tid"),
    [TRACE_TS] = NAMED("ts"),
    [TRACE_DUR] = NAMED("dur"),
    [TRACE_ARGS] = NAMED("args"),
    [TRACE_ID] = NAMED("id"),
    [TRACE_ID2] = NAMED("id2"),
    [TRACE_BP] = NAMED("bp"),
    [TRACE_S] = NAMED("s"),
    [TRACE_SCOPE] = NAMED("scope"),
    [TRACE_SF] = NAMED("sf"),
    [TRACE_STACK] = NAMED("stack"),
};

static enum trace_member
member_of(struct span key)
{
	enum trace_member m = 0;

	while (m < TRACE_MEMBER_COUNT && !span_eq(member_names[m], key))
		m++;
	return m;
}

static void
add_arg(struct trace_event *e, struct span key, struct span value)
{
	*array_add(&e->args, &e->count, &e->cap) =
	    (struct trace_arg){key, value, false};
}

/* the members of args, in order; p is its brace */
static const char *
read_args(struct trace_event *e, struct lenient *l, const char *p)
{
	struct span key, value;

	e->count = 0;
	for (p++;;) {
		p = lenient_member(l, p, &key, &value);
		if (p == NULL || key.p == NULL)
			return p;
		add_arg(e, key, value);
	}
}

/* the event whose brace is at p; returns as lenient_value does */
static const char *
read_members(struct trace_event *e, struct lenient *l, const char *p)
{
	struct lenient args = {NULL, false};
	struct span key, value;
	enum trace_member m;

	e->count = 0;
	for (m = 0; m < TRACE_MEMBER_COUNT; m++)
		e->member[m].p = NULL;
	for (p++;;) {
		p = lenient_member(l, p, &key, &value);
		if (p == NULL || key.p == NULL)
			break;
		m = member_of(key);
		if (m < TRACE_MEMBER_COUNT)
			e->member[m] = value;
	}
	value = e->member[TRACE_ARGS];
	if (p != NULL && value.p != NULL && *value.p == '{') {
		args.end = value.p + value.len;
		read_args(e, &args, value.p);
	}
	return p;
}

/*
 * Find the next event behind a broken one: a brace behind a comma, before a
 * member that begins an event.
 */
static bool
find_event(struct value_reader *in)
{
	struct lenient l;
	bool comma = false;
	const char *p;
	size_t left;

	for (in->pos++;; in->pos++) {
		if (in->pos >= in->len && !value_reader_more(in))
			return false;
		if (in->buf[in->pos] == '{' && comma) {
			while (in->len - in->pos < MEMBER_LOOK &&
			       value_reader_more(in))
				;
			l.end = in->buf + in->len;
			p = lenient_space(&l, in->buf + in->pos + 1);

			left = (size_t)(l.end - p);
			if ((left > 4 && memcmp(p, "\"ph\"", 4) == 0) ||
			    (left > 6 && memcmp(p, "\"name\"", 6) == 0))
				return true;
		}
		if (memchr(" \t\r\n", in->buf[in->pos], 4) == NULL)
			comma = in->buf[in->pos] == ',';
	}
}

static enum trace_item
read_event(struct trace_reader *r)
{
	struct value_reader *in = &r->in;
	struct lenient l;
	const char *p;

	do {
		l = (struct lenient){in->buf + in->len, false};
		p = read_members(&r->event, &l, in->buf + in->pos);
		if (p != NULL) {
			r->offset = in->base + (int64_t)in->pos;
			in->pos = (size_t)(p - in->buf);
			return TRACE_EVENT;
		}
	} while (l.more && value_reader_more(in));
	if (l.more)
		return cut(r, "the file ends within an event");
	r->offset = in->base + (int64_t)in->pos;
	if (!find_event(in))
		r->ended = true; /* cut, in the next item */
	return TRACE_BROKEN;
}

/* a value that need not be kept beyond the next item */
static bool
read_value(struct trace_reader *r, struct span *value)
{
	if (!value_reader_value(&r->in, value))
		return false;
	r->offset = r->in.offset;
	return true;
}

static enum trace_item next_top(struct trace_reader *);

static enum trace_item
next_event(struct trace_reader *r)
{
	int c;

	while ((c = value_reader_peek(&r->in)) == ',')
		r->in.pos++;
	if (c < 0)
		return r->bare && r->in.error == NULL
			   ? end(r)
			   : cut(r, "the file ends within its events");
	if (c == '{')
		return read_event(r);
	if (c == ']') {
		r->in.pos++;
		r->in_events = false;
		return r->bare ? end(r) : next_top(r);
	}
	return read_value(r, &r->value) ? TRACE_NOTHING : cut(r, "is not JSON");
}

/* ---- what stands around the events ---- */

static enum trace_item
next_top(struct trace_reader *r)
{
	int c;

	while ((c = value_reader_peek(&r->in)) == ',')
		r->in.pos++;
	if (c == '}')
		return end(r);
	if (c < 0)
		return cut(r, "the file ends within its object");
	if (!value_reader_key(&r->in, &r->name))
		return cut(r, "is not JSON");
	r->key = text_span(&r->name);
	if (span_eq(r->key, SPAN("traceEvents")) &&
	    value_reader_skip(&r->in, '[')) {
		r->in_events = true;
		return next_event(r);
	}
	return read_value(r, &r->value) ? TRACE_TOP : cut(r, "is not JSON");
}

/* true if the file begins with an object or an array */
static bool
begin(struct trace_reader *r)
{
	r->begun = true;
	value_reader_skip_mark(&r->in);
	r->bare = r->in_events = value_reader_skip(&r->in, '[');
	return r->bare || value_reader_skip(&r->in, '{');
}

enum trace_item
trace_reader_next(struct trace_reader *r)
{
	if (r->ended)
		return cut(r, "the file ends behind an event that is no JSON");
	if (!r->begun && !begin(r))
		return cut(r, "is not JSON");
	return r->in_events ? next_event(r) : next_top(r);
}

bool
trace_reader_detect(struct span head)
{
	struct span start = lenient_start(head), key;
	struct lenient l = {start.p + start.len, false};
	const char *at;

	if (start.len == 0 || (*start.p != '{' && *start.p != '['))
		return false;
	at = lenient_space(&l, start.p + 1);
	if (*start.p == '[')
		return at == l.end || *at == '{' || *at == ']';
	/* a stream has a kind, and first one of its own keys */
	if (at == l.end || *at != '"')
		return at < l.end && *at == '}';
	key = (struct span){at + 1, 0};
	while (key.p + key.len < l.end && key.p[key.len] != '"')
		key.len++;
	return schema_key(key.p, key.len) == KEY_NONE &&
	       !lenient_has_key(head, "kind");
}
