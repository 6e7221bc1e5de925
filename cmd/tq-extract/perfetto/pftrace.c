/* pftrace.c - the number of packets of a trace by their fate */

#include "pftrace.h"

struct pftrace_count *
pftrace_count(struct pftrace *p, uint32_t field, enum pftrace_type type)
{
	bool fresh;
	struct pftrace_count *n = keyed_get(&p->counts, field, type, &fresh);

	if (fresh)
		*n = (struct pftrace_count){.field = field, .type = type};
	return n;
}

void
pftrace_lose(struct pftrace *p, uint32_t field, enum pftrace_type type,
    enum event_loss why)
{
	p->section.counts.losses.of[why]++;
	pftrace_count(p, field, type)->n.lost++;
}
