/*
 * apply.h - a stream on the common clock: times are changed, and nothing else
 */
#ifndef TQ_ALIGN_APPLY_H
#define TQ_ALIGN_APPLY_H

#include "solve.h"

/* The keys that apply needs. */
void apply_keys(struct keyset want[]);

/*
 * Write the section of one rank that in reads, whose clock is that.  utc: of
 * the common origin, NO_ID if unknown.
 */
void apply(struct reader *in, const struct rank_clock *clock, int64_t utc,
    struct output *o);

#endif
