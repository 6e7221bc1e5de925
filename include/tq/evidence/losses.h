/*
 * losses.h - how many events a section lost: what its records of kind lost
 * count, or what its end record counts, whichever is more.
 */
#ifndef TQ_EVIDENCE_LOSSES_H
#define TQ_EVIDENCE_LOSSES_H

#include "tq/line/event.h"

/* {0} at the begin of a section */
struct losses {
	int64_t section; /* events that records of kind lost have counted */
};

/* The keys that losses_add() reads. */
void losses_keys(struct keyset *want);

/*
 * The events that this record adds to those that the section lost, at least 0:
 * any but a record of kind lost or end adds none.
 */
int64_t losses_add(struct losses *l, const struct event *ev);

#endif
