/*
 * join_keys.h - the keys that join operations to calls, and calls to ranges:
 * keys that tq-correlate reads, and keys that it adds.
 */
#ifndef TQ_JOIN_JOIN_KEYS_H
#define TQ_JOIN_JOIN_KEYS_H

#include "tq/line/schema.h"

/* Keys of a record as a source writes it, by which it is joined. */
const enum key *join_keys_read(enum kind kind);

/* Keys that such a record gets, beside new records of kind gpu-range. */
const enum key *join_keys_added(enum kind kind);

#endif
