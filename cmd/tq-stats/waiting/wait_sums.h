/*
 * wait_sums.h - sums of operations and instances, for waiting.h
 */
#ifndef STATS_WAIT_SUMS_H
#define STATS_WAIT_SUMS_H

#include "waiting.h"

/* An operation, matched or not. */
void wait_sums_operation(struct waiting *w, const struct work_operation *op);

/* An instance: for instances.take; arg is the struct waiting.  kept[] of its
   entries begins with what wait_sums_keep() put there. */
void wait_sums_instance(void *arg, const struct instance *instance);

/* What wait_sums_instance reads again of an operation. */
void wait_sums_keep(struct rank_entry *e, const struct work_operation *op);

/* Add the sums of a rank to others. */
void wait_sums_add(struct wait_rank *to, const struct wait_rank *from);

#endif
