/*
 * payload.h - what a program attached to a range or mark, as members of JSON
 */
#ifndef TQ_CAPTURE_PAYLOAD_H
#define TQ_CAPTURE_PAYLOAD_H

#include "names.h"

/*
 * Append `"int64Value":5` and the like to t; the names are those of nsys.
 * Nothing, and false, of a type that is not known.
 */
bool payload_add_value(struct text *t, uint64_t type, uint64_t value);

/*
 * Append `"payload":{...}`, or `"payload":[{...},...]` of several: the blobs
 * of an event with extended payloads (see record.h), by the schemas that the
 * program registered in that domain.  What no schema describes is hexadecimal.
 */
bool payload_add_blobs(struct text *t, const struct names *names,
    uint32_t domain, struct span blobs);

#endif
