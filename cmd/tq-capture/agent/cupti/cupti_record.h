/*
 * cupti_record.h - a record of CUPTI as one of ours
 *
 * The only place that knows what CUPTI's records look like.  They are read
 * through the oldest struct of each kind, which all later ones begin with,
 * and what was added later only where the record is long enough.
 */
#ifndef TQ_AGENT_CUPTI_RECORD_H
#define TQ_AGENT_CUPTI_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "arena/arena.h"
#include "arena/record.h"

/*
 * Added to the kind of a record of CUPTI that was written to the arena: so it
 * is not salvaged again, if the process dies before all of its buffer is
 * written.
 */
#define CUPTI_RECORD_DONE UINT32_C(0x80000000)

/*
 * Of which part of the capture a kind is: bits of arena.on, all bits for what
 * is always of interest, 0 for kinds that are never wanted.
 */
uint32_t cupti_record_bits(uint32_t kind);

/* Under which loss a record of that kind counts. */
enum arena_loss_kind cupti_record_loss(uint32_t kind);

/*
 * The record at raw, of stride bytes that may all be read, as one of ours:
 * head.words says how long it is.  False if it is not complete: CUPTI
 * was not done with it, or could not find out when it happened.  head.words
 * is 0 where it says nothing of interest.  Only for kinds with bits.  What raw
 * points to is not looked at: a kernel has its address and no symbol.
 */
bool cupti_record_make(const void *raw, size_t stride, union record_any *r);

/*
 * What a complete record at raw points to: the name of its kernel or device;
 * NULL if it has none.
 */
const char *cupti_record_text(const void *raw);

/* The fewest bytes that a record of that kind has; 0: unknown kind. */
size_t cupti_record_least(uint32_t kind);

#endif
