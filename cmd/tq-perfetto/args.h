/*
 * args.h - all that a record knew, as arguments of a track event.
 */
#ifndef ARGS_H
#define ARGS_H

#include "notes.h"
#include "packets.h"
#include "tq/event.h"
#include "tq/names.h"

enum { ARGS_SYMBOLS = 256, ARGS_LAST = 24 };

/* {0} at first; kept from one record to the next */
struct args {
	struct members members;
	struct text scratch;
	struct map stacks; /* id -> number of the callstack */
	uint32_t last_stack;
	unsigned epoch; /* of packets, in which these numbers are good */
	struct args_symbol {
		int64_t id;
		uint32_t value;  /* its full name, which may be none: */
		uint32_t string; /* a field, or else interned */
		bool known;
	} symbol[ARGS_SYMBOLS];

	/* the last value of each key that is a string, as it was spelt */
	struct args_last {
		uint32_t number; /* in the enumeration; 0: there was none */
		uint32_t len;
		char text[ARGS_LAST];
	} last[KEY_COUNT];
};

/*
 * Append to the open track event the keys of the record but for those in
 * *without: integers and most strings as typed fields (fields.h), others as
 * annotations (notes.h); then unknown keys and what is under KEY_args,
 * sorted.  What refers to a symbol or a stack is replaced by it, and a name
 * that is taken gets "args." before it.  *without has KEY_args. */
void args_add(struct args *a, struct packets *p, const struct event *ev,
    const struct names *names, const struct keyset *without);

void args_free(struct args *a);

#endif
