/*
 * members.h - members of a record for another one, as text: digits are copied,
 * not parsed and printed again.
 *
 * Each function puts members where the caller has made room for them and for
 * MEMBERS_SLACK bytes behind them, which it overwrites; it returns their end.
 */
#ifndef MEMBERS_H
#define MEMBERS_H

#include "tq/base/plain.h"
#include "tq/base/time.h"
#include "tq/io/emit.h"
#include "tq/line/event.h"

enum {
	MEMBERS_PIECE = 64, /* bytes that are copied at a time */
	MEMBERS_INT = EMIT_KEY_ROOM + TEXT_INT_MAX, /* an integer, its key */
	MEMBERS_SLACK = MEMBERS_PIECE
};

/* The room of a value of the event with its key. */
static inline size_t
members_room(const struct event *ev, enum key k)
{
	return event_has(ev, k) ? ev->value[k].len + EMIT_KEY_ROOM : 0;
}

/* The bytes [from, to) of a text of members. */
static inline char *
members_put(char *p, const struct text *members, size_t from, size_t to)
{
	char *end = p + (to - from);

	for (const char *x = members->p + from; p < end;
	     p += MEMBERS_PIECE, x += MEMBERS_PIECE)
		memcpy(p, x, MEMBERS_PIECE);
	return end;
}

/* emit_put_int, fast for one digit */
static inline char *
members_put_small(char *p, enum key key, int64_t v)
{
	if ((uint64_t)v > 9)
		return emit_put_int(p, key, v);
	p = emit_put_key(p, key);
	*p = (char)('0' + v);
	return p + 1;
}

/* ,"key": and a value of an event */
static inline char *
members_put_json(char *p, enum key key, struct span value)
{
	return plain_put(emit_put_key(p, key), value);
}

/* ,"key": and JSON; no byte behind the JSON is read */
static inline char *
members_put_text(char *p, enum key key, const struct text *json)
{
	p = emit_put_key(p, key);
	memcpy(p, json->p, json->len);
	return p + json->len;
}

/* ,"key": and the integer of another key, which the event has */
static inline char *
members_put_int(char *p, enum key key, const struct event *ev, enum key of)
{
	struct span v = ev->value[of];

	if (*v.p == '-') /* there is a -0 */
		return emit_put_int(p, key, event_number(v));
	return members_put_json(p, key, v);
}

/* The same, but nothing if the event lacks the key or has NO_ID there. */
static inline char *
members_put_id(char *p, enum key key, const struct event *ev, enum key of)
{
	struct span v = ev->value[of];

	if (event_has(ev, of) && (*v.p != '-' || event_number(v) != NO_ID))
		return members_put_int(p, key, ev, of);
	return p;
}

/* The time of the event, or otherwise if it has none. */
static inline char *
members_put_ts(char *p, enum key key, const struct event *ev, int64_t otherwise)
{
	if (event_has(ev, KEY_ts))
		return members_put_int(p, key, ev, KEY_ts);
	return emit_put_int(p, key, otherwise);
}

/* ,"key": and its value, if the event has it */
static inline char *
members_put_copy(char *p, enum key key, const struct event *ev)
{
	if (event_has(ev, key))
		return members_put_json(p, key, ev->value[key]);
	return p;
}

/* ---- the outline of a record that is written ---- */

struct outlined {
	struct outline outline;
	const char *at; /* behind the last member that it has */
};

/* A record that goes on at p has this outline so far. */
static inline void
outlined_begin(struct outlined *x, const struct outline *outline, const char *p)
{
	x->outline = *outline;
	x->at = p;
}

/* The member goes up to p; it may be absent. */
static inline void
outlined_member(struct outlined *x, enum key key, const char *p)
{
	outline_add(&x->outline, key, (size_t)(p - x->at));
	x->at = p;
}

/* Close the record, which ends at p. */
static inline void
outlined_close(struct output *o, const struct outlined *x, char *p)
{
	output_outline(o, &x->outline, (size_t)(p - (o->buf.p + o->buf.len)));
	emit_put_close(o, p);
}

#endif
