/* recordings.c - the recordings of ranks that a partial is made of */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/base/array.h"

#include "recordings.h"

void
recordings_record(struct recordings *rs, const struct event *ev)
{
	rs->records++;
	if (!event_has(ev, KEY_rank))
		return;
	if (ev->kind == KIND_trace) {
		rs->ranked = true;
		rs->rank = event_int(ev, KEY_rank, 0);
	} else if (ev->kind == KIND_process) {
		*array_add(&rs->process_ranks, &rs->process_count,
		    &rs->process_cap) = event_int(ev, KEY_rank, 0);
	}
}

const struct recording *
recordings_add(struct recordings *rs, const struct recording *r)
{
	uint64_t *latest =
	    map_get(&rs->latest, (uint64_t)r->rank, (uint64_t)r->from);

	if (*latest > 0) {
		const struct recording *known = &rs->all[*latest - 1];

		if (known->to == r->to && known->records == r->records)
			return known;
	}
	*array_add(&rs->all, &rs->count, &rs->cap) = *r;
	*latest = rs->count;
	return NULL;
}

void
recordings_section_end(struct recordings *rs, const struct wall *w)
{
	struct recording r = {.rank = rs->rank,
	    .from = w->from,
	    .to = w->to,
	    .records = rs->records};

	if (w->any && rs->ranked && rs->process_count == 0)
		recordings_add(rs, &r);
	for (size_t i = 0; w->any && i < rs->process_count; i++) {
		r.rank = rs->process_ranks[i];
		recordings_add(rs, &r);
	}
	rs->ranked = false;
	rs->records = 0;
	rs->process_count = 0;
}

void
recordings_write(struct text *t, const struct recordings *rs)
{
	text_add_char(t, '[');
	for (size_t i = 0; i < rs->count; i++) {
		const struct recording *r = &rs->all[i];

		text_printf(t,
		    "%s[%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "]",
		    i > 0 ? "," : "", r->rank, r->from, r->to, r->records);
	}
	text_add_char(t, ']');
}

void
recordings_free(struct recordings *rs)
{
	free(rs->all);
	free(rs->process_ranks);
	map_free(&rs->latest);
}
