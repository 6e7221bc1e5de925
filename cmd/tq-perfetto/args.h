/*
 * args.h - all that a record knew, as debug annotations of a track event.
 */
#ifndef ARGS_H
#define ARGS_H

#include "notes.h"
#include "packets.h"
#include "tq/event.h"
#include "tq/names.h"

enum { ARGS_SYMBOLS = 256 };

/* {0} at first; kept from one record to the next */
struct args {
	struct note_members members;
	struct text keys, names;
	struct map stacks; /* id -> number of the callstack */
	uint32_t last_stack;
	unsigned epoch; /* of packets, in which these numbers are good */
	int64_t section;
	struct {
		int64_t id;
		uint32_t number; /* of its full name; 0: it has none */
		bool known;
	} symbol[ARGS_SYMBOLS];
};

/*
 * Append to the open track event the keys of the record in the order of the
 * schema, but for those in *without; then unknown keys and what is under
 * KEY_args, sorted.  What refers to a symbol or a stack is replaced by it,
 * and a name that is taken gets "args." before it.  *without has KEY_args.
 */
void args_add(struct args *a, struct packets *p, const struct event *ev,
    const struct names *names, const struct keyset *without);

/* A new section: symbols and stacks are others. */
void args_section(struct args *a);

void args_free(struct args *a);

#endif
