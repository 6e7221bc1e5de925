/*
 * cupti_record.h - a record of CUPTI as one of ours
 *
 * The only place that depends on the layout of CUPTI's records.  New versions
 * append members to the structs, so a member is read if the record is long
 * enough.
 */
#ifndef TQ_AGENT_CUPTI_RECORD_H
#define TQ_AGENT_CUPTI_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "arena/arena.h"
#include "arena/record.h"

/*
 * Added to the kind of a record of CUPTI once it is in the arena: so it is not
 * salvaged again if the process dies before all of its buffer is translated.
 */
#define CUPTI_RECORD_DONE UINT32_C(0x80000000)

/*
 * The bits of arena.on that a kind belongs to; all bits: always recorded; 0:
 * never recorded.
 */
uint32_t cupti_record_bits(uint32_t kind);

/* The loss that a record of that kind counts as. */
enum arena_loss_kind cupti_record_loss(uint32_t kind);

/*
 * The record at raw, of stride readable bytes, as one of ours, head.words long.
 * False if it is not complete: CUPTI was not done with it, or has no time for
 * it. head.words is 0 for a record to be dropped.  Only for kinds with bits.
 * Pointers in raw are not followed: a kernel has the address of its name and no
 * symbol.
 */
bool cupti_record_make(const void *raw, size_t stride, union record_any *r);

/*
 * The name that a complete record at raw points to, of its kernel or device;
 * NULL if it has none.
 */
const char *cupti_record_text(const void *raw);

/* The fewest bytes that a record of that kind has; 0: unknown kind. */
size_t cupti_record_least(uint32_t kind);

#endif
