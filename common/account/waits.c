/* waits.c - when a thread was in API calls that wait for a device */

#include "tq/base/array.h"
#include "tq/base/lower_bound.h"

#include "tq/account/waits.h"

bool
waits_for_copy(const struct event *ev)
{
	return ev->kind == KIND_memcpy && event_has(ev, KEY_api_ts) &&
	       event_has(ev, KEY_tid) &&
	       (event_is(ev, KEY_src, SPAN("Pageable")) ||
		   event_is(ev, KEY_dst, SPAN("Pageable")));
}

/* modulo 2^64: only differences of sums are used */
static uint64_t
length(int64_t from, int64_t to)
{
	return (uint64_t)to - (uint64_t)from;
}

void
waits_add(struct device_waits *w, int64_t from, int64_t to)
{
	size_t n, last; /* the new one replaces all from n to before last */

	if (w->count == 0 || w->all[w->count - 1].to < from)
		n = w->count;
	else
		LOWER_BOUND(n, 0, w->count, w->all[n].to < from);
	for (last = n; last < w->count && w->all[last].from <= to; last++) {
		if (from > w->all[last].from)
			from = w->all[last].from;
		if (to < w->all[last].to)
			to = w->all[last].to;
	}
	if (last == n) {
		array_add(&w->all, &w->count, &w->cap);
		memmove(&w->all[n + 1], &w->all[n],
		    (w->count - 1 - n) * sizeof(*w->all));
	} else {
		memmove(&w->all[n + 1], &w->all[last],
		    (w->count - last) * sizeof(*w->all));
		w->count -= last - n - 1;
	}
	w->all[n] = (struct device_wait){from, to, w->dropped};
	for (n += n == 0; n < w->count; n++) {
		const struct device_wait *prev = &w->all[n - 1];

		w->all[n].before = prev->before + length(prev->from, prev->to);
	}
}

uint64_t
waits_before(const struct device_waits *w, int64_t t)
{
	const struct device_wait *last;
	size_t n; /* that begin before t */

	n = w->count;
	if (n > 0 && w->all[n - 1].from >= t)
		LOWER_BOUND(n, 0, w->count, w->all[n].from < t);
	if (n == 0)
		return w->dropped;
	last = &w->all[n - 1];
	return last->before + length(last->from, last->to < t ? last->to : t);
}

int64_t
waits_time(const struct device_waits *w, int64_t from, int64_t to)
{
	return from < to
		   ? (int64_t)(waits_before(w, to) - waits_before(w, from))
		   : 0;
}

bool
waits_next(const struct device_waits *w, int64_t *from, int64_t *to)
{
	size_t n;

	LOWER_BOUND(n, 0, w->count, w->all[n].to <= *from);
	while (n < w->count && w->all[n].from == w->all[n].to)
		n++; /* a wait of no time */
	if (n == w->count || w->all[n].from >= *to)
		return false;
	if (*from < w->all[n].from)
		*from = w->all[n].from;
	if (*to > w->all[n].to)
		*to = w->all[n].to;
	return *from < *to;
}

void
waits_make_room(struct device_waits *w, int64_t before)
{
	size_t n;

	if (w->count < w->cap)
		return;
	LOWER_BOUND(n, 0, w->count, w->all[n].to < before);
	if (n > 0) {
		const struct device_wait *last = &w->all[n - 1];

		w->dropped = last->before + length(last->from, last->to);
		w->count -= n;
		memmove(w->all, &w->all[n], w->count * sizeof(*w->all));
	}
	if (w->count * 2 >= w->cap) {
		w->cap = w->cap * 2 + 64;
		w->all = mem_resize(w->all, w->cap, sizeof(*w->all));
	}
}
