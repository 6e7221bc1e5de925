/*
 * api_error.h - the names of the codes that calls of CUDA and HIP return.
 */
#ifndef TQ_EVIDENCE_API_ERROR_H
#define TQ_EVIDENCE_API_ERROR_H

#include "tq/names/api_call.h"

/* "cudaErrorIllegalAddress" for 700 of the runtime; NULL for an unknown code,
   or of another API. */
const char *api_error_name(enum api_family family, int64_t code);

#endif
