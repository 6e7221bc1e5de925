/*
 * sequential.h - lines as tools write them, read in place; a part of event.c.
 */
#ifndef TQ_LINE_FAST_SEQUENTIAL_H
#define TQ_LINE_FAST_SEQUENTIAL_H

#include "tq/line/event.h"

/*
 * As event_parse, of an event that is empty but for its line.  False, with
 * anything in ev, where the line is not canonical as far as it was read, or
 * something is wrong with it.
 */
bool sequential_parse(struct event *ev, const struct keyset *want);

/* ---- event.c ---- */

/* The value replaces an earlier one of the key, null does not. */
void event_add_unknown(struct event *ev, struct span key, struct span value);

static inline void
event_set(struct event *ev, enum key k, const char *p, const char *end)
{
	event_give(ev, k, (struct span){p, (size_t)(end - p)});
}

/* the bytes between the quotes of a string */
static inline struct span
event_inside(struct span string)
{
	return (struct span){string.p + 1, string.len - 2};
}

#endif
