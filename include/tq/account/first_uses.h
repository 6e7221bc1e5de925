/*
 * first_uses.h - which calls load the code of a kernel.
 */
#ifndef TQ_ACCOUNT_FIRST_USES_H
#define TQ_ACCOUNT_FIRST_USES_H

#include "tq/base/map.h"
#include "tq/line/event.h"

/* {0} is empty */
struct first_uses {
	struct map symbols; /* by process: those that have been launched */
};

/*
 * True if the call of a kernel loads its code: the first one of its symbol in
 * its process does, unless it takes no longer than others.  All operations
 * come, in the order of the stream.
 */
bool first_uses_add(struct first_uses *f, const struct event *ev);

/* A new section. */
void first_uses_reset(struct first_uses *f);

void first_uses_free(struct first_uses *f);

#endif
