/*
 * cuda_words.h - names of CUDA's functions and copies, as reports write them;
 * the words of its enumerations are in cuda.def.
 */
#ifndef TQ_LINE_CUDA_WORDS_H
#define TQ_LINE_CUDA_WORDS_H

#include "tq/base/text.h"

/*
 * The name without the version that may end it: cudaLaunchKernel of
 * cudaLaunchKernel_v7000, cuMemAlloc of cuMemAlloc_v2.  A part of raw.
 */
struct span cuda_words_function(struct span raw);

/*
 * "Host-to-Device" of "HtoD", a value of the key copy; static.  NULL if the
 * value has no longer name.
 */
const char *cuda_words_copy(struct span copy);

/*
 * True if a value of the key copy, in its quotes, names a migration of unified
 * memory: the driver makes it, on no stream, beside all others.
 */
static inline bool
cuda_words_is_migration(struct span value)
{
	return span_begins(value, SPAN("\"UVM"));
}

#endif
