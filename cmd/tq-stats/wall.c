/* wall.c - the time that the sections of the input cover */

#include "tq/base/time.h"

#include "wall.h"

void
wall_add(struct wall *w, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (end == INT64_MAX) /* it was never closed */
		end = ts;
	if (!w->any || w->from > ts)
		w->from = ts;
	if (!w->any || w->to < end)
		w->to = end;
	w->any = true;
}

void
wall_section_end(struct wall *w)
{
	int64_t ns;

	if (w->any && !__builtin_sub_overflow(w->to, w->from, &ns))
		w->ns = time_end(w->ns, ns);
	w->any = false;
}
