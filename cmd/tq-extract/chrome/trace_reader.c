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
	json_members_free(&r->event.args);
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

/* a short name as a number: its bytes from the lowest up, and its length */
#define WORD(len, a, b, c, d, e) \
	((uint64_t)(len) << 56 | (uint64_t)(e) << 32 | (uint64_t)(d) << 24 | \
	    (c) << 16 | (b) << 8 | (a))

enum { MEMBER_NAME_MAX = 5 };

static const uint64_t member_words[TRACE_MEMBER_COUNT] = {
    [TRACE_PH] = WORD(2, 'p', 'h', 0, 0, 0),
    [TRACE_NAME] = WORD(4, 'n', 'a', 'm', 'e', 0),
    [TRACE_CAT] = WORD(3, 'c', 'a', 't', 0, 0),
    [TRACE_PID] = WORD(3, 'p', 'i', 'd', 0, 0),
    [TRACE_TID] = WORD(3, 't', 'i', 'd', 0, 0),
    [TRACE_TS] = WORD(2, 't', 's', 0, 0, 0),
    [TRACE_DUR] = WORD(3, 'd', 'u', 'r', 0, 0),
    [TRACE_ARGS] = WORD(4, 'a', 'r', 'g', 's', 0),
    [TRACE_ID] = WORD(2, 'i', 'd', 0, 0, 0),
    [TRACE_ID2] = WORD(3, 'i', 'd', '2', 0, 0),
    [TRACE_BP] = WORD(2, 'b', 'p', 0, 0, 0),
    [TRACE_S] = WORD(1, 's', 0, 0, 0, 0),
    [TRACE_SCOPE] = WORD(5, 's', 'c', 'o', 'p', 'e'),
    [TRACE_SF] = WORD(2, 's', 'f', 0, 0, 0),
    [TRACE_STACK] = WORD(5, 's', 't', 'a', 'c', 'k'),
};

/* the number of a name; 8 bytes are read */
static uint64_t
word_of(struct span name)
{
	uint64_t word;

	memcpy(&word, name.p, sizeof(word));
	word &= ((uint64_t)1 << 8 * name.len) - 1;
	return word | (uint64_t)name.len << 56;
}

static enum trace_member
member_of(struct span key)
{
	enum trace_member m = 0;
	uint64_t word;

	if (key.len > MEMBER_NAME_MAX)
		return TRACE_MEMBER_COUNT;
	word = word_of(key);
	while (m < TRACE_MEMBER_COUNT && member_words[m] != word)
		m++;
	return m;
}

/* the members of args, in order; p is its brace */
static const char *
read_args(struct trace_event *e, struct lenient *l, const char *p)
{
	struct span key, value;

	e->args.count = 0;
	for (p++;;) {
		p = lenient_member(l, p, &key, &value);
		if (p == NULL || key.p == NULL)
			return p;
		json_members_add(&e->args, key, value);
	}
}

/* a member of an event, whose value is at p; the last of a name counts */
static const char *
read_value_of(
    struct trace_event *e, struct lenient *l, struct span key, const char *p)
{
	enum trace_member m = member_of(key);
	const char *end;

	if (m == TRACE_ARGS) {
		e->args.count = 0;
		end = *p == '{' ? read_args(e, l, p) : lenient_value(l, p);
	} else {
		end = lenient_value(l, p);
	}
	if (end != NULL && m < TRACE_MEMBER_COUNT)
		e->member[m] = (struct span){p, (size_t)(end - p)};
	return end;
}

/* the event whose brace is at p; returns as lenient_value does */
static const char *
read_members(struct trace_event *e, struct lenient *l, const char *p)
{
	struct span key;

	e->args.count = 0;
	for (enum trace_member m = 0; m < TRACE_MEMBER_COUNT; m++)
		e->member[m].p = NULL;
	for (p++;;) {
		p = lenient_key(l, p, &key);
		if (p == NULL || key.p == NULL)
			return p;
		p = read_value_of(e, l, key, p);
		if (p == NULL || (p = lenient_member_end(l, p)) == NULL)
			return NULL;
	}
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
	if (c == '{') {
		r->found = true;
		return read_event(r);
	}
	if (c == ']') {
		r->in.pos++;
		r->in_events = false;
		return r->bare ? end(r) : next_top(r);
	}
	return read_value(r, &r->value) ? TRACE_NOTHING : cut(r, "is not JSON");
}

/* ---- the members around the events ---- */

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
		r->in_events = r->found = true;
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
	struct text name = {0};
	const char *at;
	bool own;

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
	lenient_decode(&name, key);
	own = schema_key(name.p, name.len) != KEY_NONE;
	text_free(&name);
	return !own && !lenient_has_key(head, "kind");
}
