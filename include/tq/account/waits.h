/*
 * waits.h - when a thread was in API calls that wait for a device.
 *
 * These are the calls that wait by their name (api_call_waits), and the calls
 * of copies from or to pageable memory, whatever their name.  Only the
 * operation shows that a call is such a copy, and the stream may have other
 * calls of the thread before it.
 */
#ifndef TQ_ACCOUNT_WAITS_H
#define TQ_ACCOUNT_WAITS_H

#include "tq/line/event.h"

struct device_wait {
	int64_t from, to;
	uint64_t before; /* the time of all waits before it */
};

/* in order, and apart from each other; {0} is empty */
struct device_waits {
	struct device_wait *all;
	size_t count, cap;
	uint64_t dropped; /* the time of all waits that are not held any more */
};

/* True if the call that launched this operation waited, and has a time. */
bool waits_for_copy(const struct event *ev);

/* The thread waits in [from, to]. */
void waits_add(struct device_waits *w, int64_t from, int64_t to);

/* How long it waited before t, modulo 2^64: only differences mean something. */
uint64_t waits_before(const struct device_waits *w, int64_t t);

/* How long it waited in [from, to), which is shorter than 64 bits. */
int64_t waits_time(const struct device_waits *w, int64_t from, int64_t to);

/*
 * The first wait in [*from, *to), cut to it, in both; false if there is none.
 */
bool waits_next(const struct device_waits *w, int64_t *from, int64_t *to);

/* Make room for one more: the waits that end before a time may go. */
void waits_make_room(struct device_waits *w, int64_t before);

#endif
