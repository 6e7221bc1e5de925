/*
 * gap_record.h - idle time of a device as a record of kind gap.
 */
#ifndef TQ_ACCOUNT_GAP_RECORD_H
#define TQ_ACCOUNT_GAP_RECORD_H

#include "tq/account/device_pieces.h"

/* a number as text, with the padding of a line */
struct gap_number {
	char digits[TEXT_INT_MAX + EVENT_PADDING];
};

/* {0} at first */
struct gap_record {
	struct event event; /* good until the record that ended it is gone */
	struct gap_number ts, dur, pid, tid, device; /* values of the event, */
	struct text host, wait;                      /* and these */
};

/* True if the piece is idle time between two operations of its device. */
bool gap_record_is(const struct device_pieces *p, const struct piece *piece);

/*
 * Make the event of such a piece, with the model of the record that ended it.
 * From pieces.piece only, and p->calls is set: else the record has no wait and
 * no host.  keys: that the reader looks at, of others some are left out; NULL:
 * all.
 */
void gap_record_make(struct gap_record *g, struct device_pieces *p,
    const struct piece *piece, const struct keyset *keys);

/* Append it as a record of the stream, without its newline. */
void gap_record_add(struct text *t, const struct gap_record *g);

void gap_record_free(struct gap_record *g);

#endif
