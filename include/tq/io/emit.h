/*
 * emit.h - a record written in canonical form, here and nowhere else.  A record
 * is emit_open, its keys in the order of events.def, and emit_close; nothing is
 * checked but the types.
 */
#ifndef TQ_IO_EMIT_H
#define TQ_IO_EMIT_H

#include "tq/io/output.h"
#include "tq/line/schema.h"

enum { EMIT_VERSION = 1 }; /* of the stream format */

/* the bytes before a value, ready to be copied: ,"key": */
struct emit_prefix {
	char text[24];
	uint64_t len;
};

extern const struct emit_prefix emit_prefixes[KEY_COUNT];

enum {
	EMIT_KEY_ROOM = sizeof(((struct emit_prefix *)0)->text),
	EMIT_KIND_ROOM = 32
};

/* {"kind":"..." */
void emit_open(struct output *o, enum kind kind);

/* ,"key": - for a value that the caller appends to o->buf itself */
void emit_key(struct output *o, enum key key);

void emit_int(struct output *o, enum key key, int64_t v);
void emit_bool(struct output *o, enum key key, bool v);

/* Any bytes as a string; returns how many were replaced, as text_add_json. */
size_t emit_str(struct output *o, enum key key, struct span s);

/* A value that is JSON already. */
void emit_json(struct output *o, enum key key, struct span json);

/* The same two, for a text that becomes part of a record. */
void emit_add_int(struct text *t, enum key key, int64_t v);
void emit_add_json(struct text *t, enum key key, struct span json);

/* } and a newline, counted in o->lines. */
void emit_close(struct output *o);

/* True if the line, without its newline, is an event that every tool reads. */
bool emit_is_event(struct span line);

/* End the program, with a message, where the last line of o, which begins at
   start, is none. */
void emit_check(const struct output *o, size_t start);

/*
 * For who writes to a place with room for all of a record: these return where
 * they end.  For a moment a key takes EMIT_KEY_ROOM bytes, what opens a record
 * EMIT_KIND_ROOM.
 */
char *emit_put_kind(char *p, enum kind kind);
char *emit_put_int(char *p, enum key key, int64_t v);

static inline char *
emit_put_key(char *p, enum key key)
{
	const struct emit_prefix *x = &emit_prefixes[key];

	memcpy(p, x->text, sizeof(x->text));
	return p + x->len;
}

/* emit_key() of a text that becomes part of a record. */
static inline void
emit_add_key(struct text *t, enum key key)
{
	text_end(t, emit_put_key(text_reserve(t, EMIT_KEY_ROOM), key));
}

/* The record line up to its last brace; line.len is enough room. */
static inline char *
emit_put_open(char *p, struct span line)
{
	/* white space may stand before and behind the brace */
	while (line.p[line.len - 1] != '}')
		line.len--;
	memcpy(p, line.p, line.len - 1);
	return p + line.len - 1;
}

/*
 * A record, from start on, and its newline are at the end of o: count it.
 * Builds with TQ_CHECK_LINES check it.
 */
static inline void
emit_count(struct output *o, size_t start)
{
#ifdef TQ_CHECK_LINES
	emit_check(o, start);
#else
	(void)start;
#endif
	o->lines++;
	output_check(o);
}

/* emit_close at p, to which all of a record was written from the end of o. */
static inline void
emit_put_close(struct output *o, char *p)
{
	size_t start = o->buf.len;

	memcpy(p, "}\n", 2);
	text_end(&o->buf, p + 2);
	emit_count(o, start);
}

#endif
