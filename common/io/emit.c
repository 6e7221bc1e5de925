/* emit.c - a record written in canonical form */

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "tq/base/digits.h"
#include "tq/io/emit.h"
#include "tq/line/event.h"
#include "tq/line/json.h"

const struct emit_prefix emit_prefixes[KEY_COUNT] = {
#define KEY(id, type, unit, redact, doc) \
	{",\"" #id "\":", sizeof(",\"" #id "\":") - 1},
#include "tq/events.def"
};

static const struct opening {
	char text[EMIT_KIND_ROOM];
	uint64_t len;
} openings[KIND_COUNT] = {
#define KIND(id, name, role, track, category, redact, doc) \
	{"{\"kind\":\"" name "\"", sizeof("{\"kind\":\"" name "\"") - 1},
#include "tq/events.def"
};

char *
emit_put_kind(char *p, enum kind kind)
{
	const struct opening *x = &openings[kind];

	memcpy(p, x->text, sizeof(x->text));
	return p + x->len;
}

void
emit_open(struct output *o, enum kind kind)
{
	char *p = text_reserve(&o->buf, EMIT_KIND_ROOM);

	o->opened = o->buf.len;
	text_end(&o->buf, emit_put_kind(p, kind));
}

void
emit_key(struct output *o, enum key key)
{
	emit_add_key(&o->buf, key);
}

static inline char *
put_int(char *p, enum key key, int64_t v)
{
	p = emit_put_key(p, key);
	if ((uint64_t)v < 10) {
		*p = (char)('0' + v);
		return p + 1;
	}
	return digits_put_int(p, v);
}

char *
emit_put_int(char *p, enum key key, int64_t v)
{
	return put_int(p, key, v);
}

static inline void
add_int(struct text *t, enum key key, int64_t v)
{
	char *p = text_reserve(t, EMIT_KEY_ROOM + TEXT_INT_MAX);

	text_end(t, put_int(p, key, v));
}

void
emit_int(struct output *o, enum key key, int64_t v)
{
	add_int(&o->buf, key, v);
}

void
emit_bool(struct output *o, enum key key, bool v)
{
	emit_key(o, key);
	text_add_str(&o->buf, v ? "true" : "false");
}

size_t
emit_str(struct output *o, enum key key, struct span s)
{
	emit_key(o, key);
	return text_add_json(&o->buf, s.p, s.len);
}

void
emit_json(struct output *o, enum key key, struct span json)
{
	emit_add_json(&o->buf, key, json);
}

void
emit_add_int(struct text *t, enum key key, int64_t v)
{
	add_int(t, key, v);
}

/* memcpy for short texts, mostly numbers */
static inline void
copy(char *to, const char *from, size_t n)
{
	if (n > 16 || n < 4)
		memcpy(to, from, n);
	else if (n < 8) {
		memcpy(to, from, 4);
		memcpy(to + n - 4, from + n - 4, 4);
	} else {
		memcpy(to, from, 8);
		memcpy(to + n - 8, from + n - 8, 8);
	}
}

void
emit_add_json(struct text *t, enum key key, struct span json)
{
	char *p = text_reserve(t, EMIT_KEY_ROOM + json.len);

	p = emit_put_key(p, key);
	copy(p, json.p, json.len);
	text_end(t, p + json.len);
}

/* With memory of the caller, which is used again. */
static bool
is_event(struct event *ev, struct text *padded, struct span line)
{
	padded->len = 0;
	text_add_span(padded, line);
	text_reserve(padded, EVENT_PADDING);
	return json_valid(line) && event_parse(ev, text_span(padded), NULL);
}

bool
emit_is_event(struct span line)
{
	struct text padded = {0};
	struct event ev = {0};
	bool is = is_event(&ev, &padded, line);

	event_free(&ev);
	text_free(&padded);
	return is;
}

void
emit_check(const struct output *o, size_t start)
{
	static atomic_flag in_use = ATOMIC_FLAG_INIT;
	static struct text padded;
	static struct event ev;
	const char *end = o->buf.p + o->buf.len - 1;
	const char *from = o->buf.p + start;
	const char *before = memrchr(from, '\n', (size_t)(end - from));
	struct span line;
	bool is;

	/* records of other writers may be there, too */
	from = before != NULL ? before + 1 : from;
	line = (struct span){from, (size_t)(end - from)};
	if (atomic_flag_test_and_set(&in_use)) /* by another thread */
		is = emit_is_event(line);
	else {
		is = is_event(&ev, &padded, line);
		atomic_flag_clear(&in_use);
	}
	if (is)
		return;
	fprintf(stderr, "no event: %.*s\n", (int)line.len, line.p);
	abort();
}

void
emit_close(struct output *o)
{
	text_add_str(&o->buf, "}\n");
	emit_count(o, o->opened);
}
