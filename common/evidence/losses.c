/* losses.c - how many events a section lost */

#include "tq/base/time.h"
#include "tq/evidence/losses.h"

void
losses_keys(struct keyset *want)
{
	keyset_add(&want[KIND_lost], KEY_count);
	keyset_add(&want[KIND_end], KEY_dropped);
}

/* A record without a count is of one event. */
static int64_t
add_record(struct losses *l, const struct event *ev)
{
	int64_t n = event_int(ev, KEY_count, 1);

	if (n < 0)
		return 0;
	l->section = time_end(l->section, n);
	return n;
}

/* What the end record has beyond the records of the section. */
static int64_t
end_section(const struct losses *l, const struct event *ev)
{
	int64_t more = time_between(l->section, event_int(ev, KEY_dropped, 0));

	return more > 0 ? more : 0;
}

int64_t
losses_add(struct losses *l, const struct event *ev)
{
	switch (ev->kind) {
	case KIND_lost:
		return add_record(l, ev);
	case KIND_end:
		return end_section(l, ev);
	default:
		return 0;
	}
}
