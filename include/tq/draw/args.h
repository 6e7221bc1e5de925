/*
 * args.h - the members of an object, or of a record what the schema does
 * not know, sorted by their keys.
 */
#ifndef TQ_DRAW_ARGS_H
#define TQ_DRAW_ARGS_H

#include "tq/line/event.h"

struct arg {
	struct span key; /* bytes */
	struct span value;
	size_t at;
};

/* {0} is empty; kept from one use to the next */
struct args {
	struct arg *all;
	size_t count, cap;
	struct text keys, key;
};

void args_free(struct args *m);

/* Of equal keys the last counts.  Good until the next call with *m. */
void args_of(struct args *m, struct span object);

/*
 * Unknown keys of a record, and what is in its args.  A name that an argument
 * of the record has already (see title_taken), or that is empty where no
 * name may be, has "args." before it.
 */
void args_others(struct args *m, const struct event *ev, bool may_be_empty);

#endif
