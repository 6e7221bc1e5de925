/* load_phase.c - the first phase of a device, which copies data to it */

#include "tq/base/time.h"

#include "tq/advice/load_phase.h"

void
load_phase_add(struct load_progress *p, const struct event *ev, int64_t ts)
{
	int64_t ns = event_int(ev, KEY_dur, 0);

	if (ev->kind != KIND_kernel) {
		p->copied = time_end(p->copied, ns);
		return;
	}
	if (p->computed == 0)
		p->kernel = (struct load_reached){ts, p->copied};
	p->computed = time_end(p->computed, ns);
	while (p->doublings < 63 && p->computed >= (int64_t)1 << p->doublings)
		p->reached[p->doublings++ % LOAD_DOUBLINGS] =
		    (struct load_reached){ts, p->copied};
}

static bool
is_load(
    const struct load_progress *p, const struct load_reached *x, int64_t first)
{
	return x->copied >= p->copied - x->copied &&
	       x->copied >= time_between(first, x->at) / 2;
}

bool
load_phase_find(const struct load_progress *p, int64_t first, size_t *n)
{
	*n = (p->doublings > 6 ? p->doublings - 6 : 0) % LOAD_DOUBLINGS;
	return p->doublings > 0 && is_load(p, &p->reached[*n], first);
}

bool
load_phase_is_before(const struct load_progress *p, int64_t first)
{
	return p->copied > 0 && is_load(p, &p->kernel, first);
}
