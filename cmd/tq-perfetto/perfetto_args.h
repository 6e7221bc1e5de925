/*
 * perfetto_args.h - all that a record has, as arguments of a track event.
 */
#ifndef PERFETTO_ARGS_H
#define PERFETTO_ARGS_H

#include "fields.h"
#include "packets.h"
#include "tq/names.h"

struct perfetto_args;

/* *p and *names are borrowed until perfetto_args_free. */
struct perfetto_args *perfetto_args_new(
    struct packets *p, const struct names *names);
void perfetto_args_free(struct perfetto_args *a);

/* Room for the fields of a record, in bytes. */
static inline size_t
perfetto_args_room(const struct event *ev)
{
	return FIELDS_GROWTH * event_bytes(ev) + FIELDS_SPARE +
	       PROTO_VARINT_MAX;
}

/*
 * Write keys of a record to the open track event at q, where there is that
 * room: integers and most strings as typed fields (fields.h), others as
 * annotations (notes.h); then what else it has (see args.h).  A symbol or a
 * stack stands where a record refers to it.  The buffer ends behind all this.
 */
void perfetto_args_add(struct perfetto_args *a, char *q, const struct event *ev,
    struct keyset keys);

/* The number of a call stack in the open packet; 0: it is not defined. */
uint32_t perfetto_args_stack(struct perfetto_args *a, int64_t id);

#endif
