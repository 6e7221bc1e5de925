/*
 * gap_record.h - idle time of a device as a record of kind gap.
 */
#ifndef TQ_ACCOUNT_GAP_RECORD_H
#define TQ_ACCOUNT_GAP_RECORD_H

#include "tq/account/device_pieces.h"

/* True if the piece is idle time between two operations of its device. */
bool gap_record_is(const struct device_pieces *p, const struct piece *piece);

/*
 * Append the record of such a piece, without its newline.  From pieces.piece
 * only, and p->calls is set: else the record has no wait and no host.  keys:
 * that the reader looks at, of others some are left out; NULL: all.
 */
void gap_record_add(struct text *t, struct device_pieces *p,
    const struct piece *piece, const struct keyset *keys);

#endif
