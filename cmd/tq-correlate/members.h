/*
 * members.h - members of a record for another one, as text: what was digits
 * stays digits.
 *
 * They are put where there is room for them, and for some bytes behind that
 * are written for a moment; each function returns where they end.
 */
#ifndef MEMBERS_H
#define MEMBERS_H

#include "tq/io/emit.h"
#include "tq/line/event.h"
#include "tq/base/plain.h"
#include "tq/base/time.h"

enum {
	MEMBERS_PIECE = 64,
	/* of an integer and its key; all that may be written behind */
	MEMBERS_INT = EMIT_KEY_ROOM + TEXT_INT_MAX,
	MEMBERS_SLACK = MEMBERS_PIECE
};

/* How much room a value of the event takes, with its key. */
static inline size_t
members_room(const struct event *ev, enum key k)
{
	return event_has(ev, k) ? ev->value[k].len + EMIT_KEY_ROOM : 0;
}

/* The members of a text from one place to another. */
static inline char *
members_put(char *p, const struct text *members, size_t from, size_t to)
{
	char *end = p + (to - from);

	for (const char *x = members->p + from; p < end;
	     p += MEMBERS_PIECE, x += MEMBERS_PIECE)
		memcpy(p, x, MEMBERS_PIECE);
	return end;
}

/* emit_put_int, for what is mostly a digit */
static inline char *
members_put_few(char *p, enum key key, int64_t v)
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

/* ,"key": and JSON behind which nothing need be readable */
static inline char *
members_put_text(char *p, enum key key, const struct text *json)
{
	p = emit_put_key(p, key);
	memcpy(p, json->p, json->len);
	return p + json->len;
}

/* ,"key": and the integer of another key of the event, which has it */
static inline char *
members_put_int(char *p, enum key key, const struct event *ev, enum key of)
{
	struct span v = ev->value[of];

	if (*v.p == '-') /* there is a -0 */
		return emit_put_int(p, key, event_number(v));
	return members_put_json(p, key, v);
}

/* The same, but for NO_ID, which stands for none. */
static inline char *
members_put_id(char *p, enum key key, const struct event *ev, enum key of)
{
	struct span v = ev->value[of];

	if (event_has(ev, of) && (*v.p != '-' || event_number(v) != NO_ID))
		return members_put_int(p, key, ev, of);
	return p;
}

/* The time of the event, or otherwise where it has none. */
static inline char *
members_put_ts(char *p, enum key key, const struct event *ev, int64_t otherwise)
{
	if (event_has(ev, KEY_ts))
		return members_put_int(p, key, ev, KEY_ts);
	return emit_put_int(p, key, otherwise);
}

/* ,"key": and its value, where the event has it */
static inline char *
members_put_copy(char *p, enum key key, const struct event *ev)
{
	if (event_has(ev, key))
		return members_put_json(p, key, ev->value[key]);
	return p;
}

#endif
