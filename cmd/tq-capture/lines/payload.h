/*
 * payload.h - payloads of NVTX as members of JSON
 */
#ifndef TQ_CAPTURE_PAYLOAD_H
#define TQ_CAPTURE_PAYLOAD_H

#include "dictionary.h"

/*
 * Append a member like `"int64Value":5` to t; the names are nsys's.  Nothing,
 * and false, if the type is unknown.
 */
bool payload_add_value(struct text *t, uint64_t type, uint64_t value);

/*
 * Append `"KEY":{...}`, or `"KEY":[{...},...]` for several: the blobs of an
 * event with extended payloads (see record.h), by the schemas that the program
 * registered in that domain.  Bytes without a schema become hexadecimal.
 * Nothing, and false, if there are no blobs.
 */
bool payload_add_blobs(struct text *t, const char *key,
    const struct dictionary *names, uint32_t domain, struct span blobs);

/* The name of the schema of the first blob; empty if it has none. */
struct span payload_name(
    const struct dictionary *names, uint32_t domain, struct span blobs);

#endif
