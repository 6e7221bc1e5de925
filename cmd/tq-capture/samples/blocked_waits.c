/* blocked_waits.c - which threads wait for long */

#include <stdlib.h>
#include <string.h>

#include "blocked_waits.h"

static const int64_t LONG = 20000000; /* ns */

static struct blocked_wait *
thread_of(struct blocked_waits *w, uint32_t pid, uint32_t tid)
{
	bool fresh;
	struct blocked_wait *t = keyed_get(&w->threads, pid, tid, &fresh);

	if (fresh)
		*t = (struct blocked_wait){pid, tid, -1};
	return t;
}

void
blocked_waits_begin(
    struct blocked_waits *w, uint32_t pid, uint32_t tid, int64_t now)
{
	struct blocked_wait *t = thread_of(w, pid, tid);

	t->since = now;
	*array_add(&w->begun, &w->count, &w->cap) = *t;
}

void
blocked_waits_end(struct blocked_waits *w, uint32_t pid, uint32_t tid)
{
	thread_of(w, pid, tid)->since = -1;
}

/* forget waits that were given, once they are as many as the others */
static void
make_room(struct blocked_waits *w)
{
	if (w->first < w->count - w->first)
		return;
	memmove(w->begun, w->begun + w->first,
	    (w->count - w->first) * sizeof(*w->begun));
	w->count -= w->first;
	w->first = 0;
}

bool
blocked_waits_next(
    struct blocked_waits *w, int64_t now, struct blocked_wait *found)
{
	while (w->first < w->count && w->begun[w->first].since <= now - LONG) {
		*found = w->begun[w->first++];
		if (thread_of(w, found->pid, found->tid)->since == found->since)
			return true;
	}
	if (w->first > 0)
		make_room(w);
	return false;
}

bool
blocked_waits_still(const struct blocked_waits *w, size_t *at, int64_t now,
    struct blocked_wait *found)
{
	while (*at < w->threads.count) {
		*found = w->threads.all[(*at)++];
		if (found->since >= 0 && found->since <= now - LONG)
			return true;
	}
	return false;
}

void
blocked_waits_free(struct blocked_waits *w)
{
	keyed_free(&w->threads);
	free(w->begun);
	*w = (struct blocked_waits){0};
}
