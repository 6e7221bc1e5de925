/* parked_calls.c - calls of the driver that wait for those of the runtime */

#include <string.h>

#include "parked_calls.h"

/* bytes of lines; of lines that are gone, before the others move */
enum { MOST = 16 << 20, GONE_MOST = 1 << 20 };

static const int64_t PATIENCE = 1000000000; /* four periods of CUPTI's flush */

/* the head of each line */
struct parked_head {
	int64_t now, ts, dur;
	uint32_t tag, process, corr, len;
};

/* of a value of the map: the lowest bit is whether they are nested */
enum { NESTED = 1, ONE = 2 };

void
parked_calls_add(struct parked_calls *p, const struct sorter_line *l,
    uint32_t process, uint32_t corr, int64_t now)
{
	struct parked_head h = {
	    now, l->ts, l->dur, l->tag, process, corr, (uint32_t)l->line.len};

	*map_get(&p->calls, process, corr) += ONE;
	text_add(&p->lines, (const char *)&h, sizeof(h));
	text_add_span(&p->lines, l->line);
}

void
parked_calls_found(struct parked_calls *p, uint32_t process, uint32_t corr)
{
	uint64_t *call;

	if (p->calls.count > 0 &&
	    (call = map_find(&p->calls, process, corr)) != NULL)
		*call |= NESTED;
}

/* forget lines that are gone */
static void
tidy(struct parked_calls *p)
{
	if (p->first < p->lines.len && p->first < GONE_MOST)
		return;
	if (p->first < p->lines.len)
		memmove(
		    p->lines.p, p->lines.p + p->first, p->lines.len - p->first);
	p->lines.len -= p->first;
	p->first = 0;
}

bool
parked_calls_next(
    struct parked_calls *p, int64_t now, struct sorter_line *l, bool *nested)
{
	struct parked_head h;
	uint64_t *call;

	tidy(p);
	if (p->first == p->lines.len)
		return false;
	memcpy(&h, p->lines.p + p->first, sizeof(h));
	if (now < INT64_MAX && now - h.now < PATIENCE &&
	    p->lines.len - p->first < MOST)
		return false;
	p->first += sizeof(h);
	*l = (struct sorter_line){.ts = h.ts,
	    .dur = h.dur,
	    .line = {p->lines.p + p->first, h.len},
	    .tag = h.tag};
	p->first += h.len;
	call = map_find(&p->calls, h.process, h.corr);
	*nested = (*call & NESTED) != 0;
	*call -= ONE;
	if (*call < ONE)
		map_remove(&p->calls, h.process, h.corr);
	return true;
}

void
parked_calls_free(struct parked_calls *p)
{
	map_free(&p->calls);
	text_free(&p->lines);
}
