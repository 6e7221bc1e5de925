/*
 * decode.h - the bytes of an extended payload of NVTX, as JSON
 */
#ifndef TQ_CAPTURE_DECODE_H
#define TQ_CAPTURE_DECODE_H

#include "dictionary.h"

/*
 * Append as JSON what the bytes mean by the schema or type, in objects and
 * arrays.  What is not known is a string of hexadecimal digits.  What is
 * nested too deep, or too much to be read by anybody, is left out.
 */
void decode_add(struct text *t, const struct dictionary *names, uint32_t domain,
    uint64_t schema, struct span data);

#endif
