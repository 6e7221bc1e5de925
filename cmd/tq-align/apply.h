/*
 * apply.h - a stream on the common clock: times are changed, and nothing else
 */
#ifndef TQ_ALIGN_APPLY_H
#define TQ_ALIGN_APPLY_H

#include "solve.h"

/* The keys that apply needs. */
void apply_keys(struct keyset want[]);

/*
 * Write the sections that in reads, each on its clock: clocks has one for each
 * section, in order.  utc is the UTC time of the common origin, or NO_ID.
 */
void apply(struct reader *in, const struct rank_clock *clocks, int64_t utc,
    struct output *o);

/* Write them as they are. */
void apply_nothing(struct reader *in, struct output *o);

#endif
