/*
 * payload.h - what a program attached to a range or mark, as members of JSON
 */
#ifndef TQ_CAPTURE_PAYLOAD_H
#define TQ_CAPTURE_PAYLOAD_H

#include "dictionary.h"

/*
 * Append `"int64Value":5` and the like to t; the names are those of nsys.
 * Nothing, and false, of a type that is not known.
 */
bool payload_add_value(struct text *t, uint64_t type, uint64_t value);

/*
 * Append `"KEY":{...}`, or `"KEY":[{...},...]` of several: the blobs of an
 * event with extended payloads (see record.h), by the schemas that the
 * program registered in that domain.  What no schema describes is
 * hexadecimal.  Nothing, and false, of no blobs.
 */
bool payload_add_blobs(struct text *t, const char *key,
    const struct dictionary *names, uint32_t domain, struct span blobs);

/* The name of the schema of the first blob; empty: it has none. */
struct span payload_name(
    const struct dictionary *names, uint32_t domain, struct span blobs);

#endif
