/*
 * members.h - members of a record for another one, as text: what was digits
 * stays digits.
 */
#ifndef MEMBERS_H
#define MEMBERS_H

#include "tq/emit.h"
#include "tq/event.h"
#include "tq/times.h"

enum { MEMBERS_PIECE = 64 };

/*
 * Write the members from one place to another; behind all of them
 * MEMBERS_PIECE bytes are readable, after members_end.
 */
static inline void
members_write(
    struct output *o, const struct text *members, size_t from, size_t to)
{
	char *p = text_reserve(&o->buf, to - from + MEMBERS_PIECE);

	o->buf.len += to - from;
	for (; from < to; from += MEMBERS_PIECE, p += MEMBERS_PIECE)
		memcpy(p, members->p + from, MEMBERS_PIECE);
}

static inline void
members_end(struct text *members)
{
	text_reserve(members, MEMBERS_PIECE);
}

/* ,"key": and the integer of another key of the event, which has it */
static inline void
members_add_int(
    struct text *t, enum key key, const struct event *ev, enum key of)
{
	struct span v = ev->value[of];

	if (*v.p == '-') /* there is a -0 */
		emit_add_int(t, key, event_number(v));
	else
		emit_add_json(t, key, v);
}

/* The same, but for NO_ID, which stands for none. */
static inline void
members_add_id(
    struct text *t, enum key key, const struct event *ev, enum key of)
{
	struct span v = ev->value[of];

	if (event_has(ev, of) && (*v.p != '-' || event_number(v) != NO_ID))
		members_add_int(t, key, ev, of);
}

/* ,"key": and its value, where the event has it */
static inline void
members_copy(struct text *t, enum key key, const struct event *ev)
{
	if (event_has(ev, key))
		emit_add_json(t, key, ev->value[key]);
}

#endif
