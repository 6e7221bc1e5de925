/*
 * operations.h - operations get their calls, at once or when they waited.
 */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "correlate.h"

/* Take in the operation at hand, which starts at ts. */
void operations_add(struct correlate *c, const struct event *ev, int64_t ts);

/* Let go what does not have to wait any longer, or all of what waits. */
void operations_let_go(struct correlate *c, bool all);

/* The same where too many lines wait. */
void operations_bound(struct correlate *c);

#endif
