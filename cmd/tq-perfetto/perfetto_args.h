/*
 * perfetto_args.h - all that a record knew, as arguments of a track event.
 */
#ifndef PERFETTO_ARGS_H
#define PERFETTO_ARGS_H

#include "notes.h"
#include "packets.h"
#include "field_list.h"
#include "recent.h"
#include "tq/line/event.h"
#include "tq/names.h"

enum { ARGS_SYMBOLS = 1024, ARGS_VALUES = 256 };

/* {0} at first; kept from one record to the next */
struct perfetto_args {
	/* of the enumeration, which is never renewed; without escapes */
	struct recent_slot values[ARGS_VALUES];
	struct args members;
	struct text scratch;
	struct map stacks; /* id -> number of the callstack */
	uint32_t last_stack;
	unsigned epoch; /* of packets, in which these numbers are good */
	struct symbol_arg {
		int64_t id;
		uint32_t value;  /* its full name, which may be none: */
		uint32_t string; /* a field, or else interned */
		bool known;
	} symbol[ARGS_SYMBOLS];
	struct field_lists lists;
	struct keyset left; /* of this record: fields that cannot be one */
};

/* room for the fields of a record, in bytes */
static inline size_t
perfetto_args_room(const struct event *ev)
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
void perfetto_args_add(struct perfetto_args *a, struct packets *p, char *q,
    const struct event *ev, const struct names *names,
    const struct keyset *without);

void perfetto_args_free(struct perfetto_args *a);

#endif
