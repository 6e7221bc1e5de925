/*
 * args.h - all that a record knew, as arguments of a track event.
 */
#ifndef ARGS_H
#define ARGS_H

#include "notes.h"
#include "packets.h"
#include "plan.h"
#include "recent.h"
#include "tq/line/event.h"
#include "tq/names.h"

enum { ARGS_SYMBOLS = 1024, ARGS_VALUES = 256 };

/* {0} at first; kept from one record to the next */
struct args {
	/* of the enumeration, which is never renewed; without escapes */
	struct recent_slot values[ARGS_VALUES];
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
	struct plans plans;
	struct keyset left; /* of this record: fields that cannot be one */
};

/* room for the fields of a record, in bytes */
static inline size_t
args_room(const struct event *ev)
{
	return FIELDS_GROWTH * ev->line.len + FIELDS_SPARE + PROTO_VARINT_MAX;
}

/*
 * Write to the open track event at q, where there is that room, the keys of
 * the record but for those in *without: integers and most strings as typed
 * fields (fields.h), others as annotations (notes.h); then unknown keys and
 * what is under KEY_args, sorted.  What refers to a symbol or a stack is
 * replaced by it, and a name that is taken gets "args." before it.  *without
 * has KEY_args.  The buffer ends behind what is written.
 */
void args_add(struct args *a, struct packets *p, char *q,
    const struct event *ev, const struct names *names,
    const struct keyset *without);

void args_free(struct args *a);

#endif
