/* slice_pairs.c - begins and ends of a track become slices */

#include <err.h>
#include <stdlib.h>

#include "slice_pairs.h"
#include "slice_records.h"
#include "tq/base/mem.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"

static struct pftrace_count *
count_of(struct pftrace *p, enum pftrace_type type)
{
	return pftrace_count(
	    p, type == PFTRACE_STAGE ? PACKET_STAGE : PACKET_TRACK_EVENT, type);
}

static struct pftrace_row *
row_of(struct pftrace *p, uint64_t track)
{
	bool fresh;
	struct pftrace_row *row = keyed_get(&p->rows, track, 0, &fresh);

	if (fresh)
		row->top = NULL;
	return row;
}

static void
begin(struct pftrace *p, const struct sorter_line *l)
{
	struct pftrace_row *row = row_of(p, event_line_head(l->line).track);
	struct pftrace_open *o = mem_alloc(sizeof(*o) + l->line.len);

	o->below = row->top;
	o->ts = l->ts;
	o->len = l->line.len;
	memcpy(o->line, l->line.p, l->line.len);
	row->top = o;
}

/* the slice of a begin; end is the line of its end, or empty */
static void
make(struct pftrace *p, const struct drawn_slice *s, enum pftrace_type type)
{
	struct pftrace_count *n = count_of(p, type);
	int64_t records = slice_records_make(p, s);

	n->records += records;
	n->split += records - 1;
}

/* close the innermost slice of a row */
static void
pop(struct pftrace *p, struct pftrace_row *row, int64_t dur, struct span end)
{
	struct pftrace_open *o = row->top;

	row->top = o->below;
	make(p, &(struct drawn_slice){o->ts, dur, {o->line, o->len}, end},
	    PFTRACE_BEGIN);
	free(o);
}

static void
end(struct pftrace *p, const struct sorter_line *l)
{
	struct pftrace_row *row = row_of(p, event_line_head(l->line).track);

	if (row->top == NULL) {
		pftrace_lose(
		    p, PACKET_TRACK_EVENT, PFTRACE_END, PFTRACE_LOST_END);
		return;
	}
	count_of(p, PFTRACE_END)->paired++;
	pop(p, row, time_between(row->top->ts, l->ts), l->line);
}

static void
value(struct pftrace *p, const struct sorter_line *l)
{
	struct pftrace_count *n = count_of(p, PFTRACE_COUNTER);

	if (slice_records_value(p, l->ts, l->line) > 0)
		n->records++;
	else
		n->folded++;
}

static void
take_line(void *trace, const struct sorter_line *l)
{
	struct pftrace *p = trace;
	struct event_line head = event_line_head(l->line);

	switch (head.type) {
	case PFTRACE_BEGIN:
		begin(p, l);
		break;
	case PFTRACE_END:
		end(p, l);
		break;
	case PFTRACE_COUNTER:
		value(p, l);
		break;
	default:
		make(p,
		    &(struct drawn_slice){l->ts, head.dur, l->line, {NULL, 0}},
		    head.type);
	}
}

void
slice_pairs_make(struct pftrace *p)
{
	if (!sorter_finish(p->events, take_line, p))
		err(TQ_FAIL, "%s", temporary_directory());
	for (size_t i = 0; i < p->rows.count; i++)
		while (p->rows.all[i].top != NULL)
			pop(p, &p->rows.all[i], NEVER_ENDED,
			    (struct span){NULL, 0});
}
